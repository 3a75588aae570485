import { expect, test } from "vitest";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import { json } from "../../support/answers.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import {
  BUILD,
  build,
  type DeployScenario,
  onPull,
  PREVIEW,
  startDeployScenario,
} from "../../support/deploy-scenario.ts";
import { refusal } from "../../support/github.ts";
import { everyNth, hostile } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";

/** A run shows seven texts. */
const NUMBERS = sampleOf(everyNth(7), 1, "deploy");

/** The lines by which deploy recognizes its comment. They are not signed, and nothing depends on them. */
const MARKS = /^<!-- docs-agent-deploy:[0-9a-f]+ -->\n<!-- started:\d+ -->\n/;

function problemsOf(result: RunResult, scenario: DeployScenario): string[] {
  const bodies = scenario.github.bodies.map((body) => body.replace(MARKS, ""));
  const unmarked = Number.POSITIVE_INFINITY;
  return checkScenario(result, scenario, { action: "deploy", bodies, unmarked });
}

test.each(NUMBERS)(
  "a failed build whose fields are hostile text (%i) is shown without any effect",
  async (nth) => {
    await using scenario = await startDeployScenario();
    const { service, github } = scenario;
    const logs = [hostile(nth), hostile(nth + 1), hostile(nth + 2)];
    const fields = { summary: hostile(nth + 3), logs, commit: { sha: hostile(nth + 4) } };
    service.on(PREVIEW, json(202, { statusId: `b ${nth}`, previewUrl: hostile(nth + 5) }));
    service.on(
      "GET /v1/project/update-status/:id",
      json(200, build(hostile(nth + 6) || "waiting")),
      json(200, build("failure", fields)),
    );
    const run = onPull(scenario, { comment: "true" });
    const result = await scenario.run(recordingConnections({ ...run, debug: true }));
    expect(problemsOf(result, scenario)).toEqual([]);
    expect(result.outputs.errorKind).toBe("build-failed");
    expect(await github.comments(7)).toHaveLength(1);
    expect(scenario.states().map((states) => states.at(-1))).toEqual(["failure"]);
  },
);

test.each(NUMBERS)("refusals in hostile words (%i) are shown without any effect", async (nth) => {
  await using scenario = await startDeployScenario();
  const { service, github } = scenario;
  service.on(PREVIEW, json(400, { error: hostile(nth) }));
  github.server.on("POST /repos/octo/docs/deployments", refusal(422, hostile(nth + 1)));
  const run = onPull(scenario, { comment: "true", branch: "docs/`@octocat`<!--#7" });
  const result = await scenario.run(recordingConnections({ ...run, debug: true }));
  expect(problemsOf(result, scenario)).toEqual([]);
  expect(result.outputs.errorKind).toBe("bad-request");
  expect(service.requestsTo(BUILD)).toEqual([]);
});
