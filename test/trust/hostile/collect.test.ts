import { expect, test } from "vitest";
import { json } from "../../support/answers.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import { startCollectScenario } from "../../support/collect-scenario.ts";
import { ALL_HOSTILE, everyNth, hostile } from "../../support/hostile-texts.ts";
import { isExhaustive, sampleOf } from "../../support/sample.ts";
import { POLL, record } from "../../support/scenario.ts";
import { CREATE_V1, created, halted, POLL_V1 } from "../../support/scenario-v1.ts";

const COLLECT = { action: "collect" };
/** A session has five texts: each text is in one or two of the fields. */
const NUMBERS = sampleOf(everyNth(3), 1, "collect");

test.each(NUMBERS)(
  "a sweep shows a session whose fields are hostile text (%i) without any effect",
  async (nth) => {
    await using scenario = await startCollectScenario();
    const { service, github } = scenario;
    const fields = {
      messageToUser: hostile(nth),
      pullRequestLink: hostile(nth + 1),
      todos: [{ id: "1", content: hostile(nth + 2), status: hostile(nth + 3), priority: "low" }],
      branch: hostile(nth + 4),
    };
    service.on(CREATE_V1, created()).on(POLL_V1, json(200, halted("completed", fields)));
    await scenario.ask({ inputs: { "api-version": "v1" } });
    const result = await scenario.sweep(recordingConnections({ debug: true }));
    expect(checkScenario(result, scenario, COLLECT)).toEqual([]);
    expect(result.outputs.finishedCount).toBe("1");
    expect(await github.comments(7)).toHaveLength(1);
  },
);

test("a sweep does not change hostile comments by people", async () => {
  await using scenario = await startCollectScenario();
  const { service, github } = scenario;
  service.on(POLL, json(200, record("completed")));
  await scenario.ask();
  const texts = isExhaustive ? ALL_HOSTILE.map((_, nth) => nth) : NUMBERS;
  for (const nth of texts) await github.addComment(7, hostile(nth) || "…", "outsider");
  const before = (await github.comments(7)).slice(1);
  const result = await scenario.sweep(recordingConnections({ debug: true }));
  expect(checkScenario(result, scenario, COLLECT)).toEqual([]);
  expect(result.outputs.finishedCount).toBe("1");
  expect((await github.comments(7)).slice(1)).toEqual(before);
});
