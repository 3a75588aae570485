import { expect, test } from "vitest";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import { json, refusal } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import { everyNth, hostile } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";
import { BUILD, build, onPull, PREVIEW, WITH_BUILD } from "../../support/world/builds.ts";
import { startWorld, type World } from "../../support/world/world.ts";

/** A run shows seven texts. The ID in the record of another build is an eighth, which is not shown. */
const NUMBERS = sampleOf(everyNth(7), 1, "deploy");

/** The lines by which deploy recognizes its comment. They are not signed, and nothing depends on them. */
const MARKS = /^<!-- docs-agent-deploy:[0-9a-f]+ -->\n<!-- started:\d+ -->\n/;

function problemsOf(result: RunResult, world: World): string[] {
  const bodies = world.bodies.map((body) => body.replace(MARKS, ""));
  const unmarked = Number.POSITIVE_INFINITY;
  return checkRun(result, world, { action: "deploy", bodies, unmarked });
}

test.each(NUMBERS)(
  "a failed build whose fields are hostile text (%i) is shown without any effect",
  async (nth) => {
    await using world = await startWorld(WITH_BUILD);
    const logs = [hostile(nth), hostile(nth + 1), hostile(nth + 2)];
    const _id = `b ${nth}`;
    const fields = { _id, summary: hostile(nth + 3), logs, commit: { sha: hostile(nth + 4) } };
    world.on(PREVIEW, json(202, { statusId: _id, previewUrl: hostile(nth + 5) }));
    world.on(
      "GET service /v1/project/update-status/:id",
      json(200, build("success", { _id: hostile(nth + 7) })),
      json(200, build(hostile(nth + 6) || "waiting", { _id })),
      json(200, build("failure", fields)),
    );
    const run = onPull(world, { comment: "true" });
    const result = await world.run("deploy", recordingConnections({ ...run, debug: true }));
    expect(problemsOf(result, world)).toEqual([]);
    expect(result.outputs.errorKind).toBe("build-failed");
    const poll = `GET service /v1/project/update-status/b%20${nth}`;
    expect(world.asked(poll)).toEqual([poll, poll, poll]);
    expect(world.comments(7)).toHaveLength(1);
    expect(
      world
        .deployments()
        .map(({ states }) => states)
        .map((states) => states.at(-1)),
    ).toEqual(["failure"]);
  },
);

test.each(NUMBERS)("refusals in hostile words (%i) are shown without any effect", async (nth) => {
  await using world = await startWorld(WITH_BUILD);
  world.on(PREVIEW, json(400, { error: hostile(nth) }));
  world.on("POST /repos/octo/docs/deployments", refusal(422, hostile(nth + 1)));
  const run = onPull(world, { comment: "true", branch: "docs/`@octocat`<!--#7" });
  const result = await world.run("deploy", recordingConnections({ ...run, debug: true }));
  expect(problemsOf(result, world)).toEqual([]);
  expect(result.outputs.errorKind).toBe("bad-request");
  expect(world.received(BUILD)).toEqual([]);
});
