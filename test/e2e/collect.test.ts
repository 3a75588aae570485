import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { startCollectScenario, untimed } from "../support/collect-scenario.ts";
import { comment } from "../support/phrase-events.ts";
import { POLL, PR_LINK, record, startScenario } from "../support/scenario.ts";

test("a sweep writes what a run that waits would have written", async () => {
  await using waited = await startScenario();
  const asked = { ...comment("/docs Describe the events."), runId: "1001" };
  await waited.run({ ...asked, inputs: { prompt: "", "trigger-phrase": "/docs" } });
  const [expected] = await waited.github.comments(7);

  await using scenario = await startCollectScenario();
  await scenario.ask();
  const swept = await scenario.sweep();
  const [actual] = await scenario.github.comments(7);
  expect(swept.exitCode, swept.stdout).toBe(0);
  expect(untimed(actual?.body ?? "")).toBe(untimed(expected?.body ?? ""));
  expect(actual?.body).toContain(PR_LINK);
  expect(swept.outputs).toMatchObject({
    checkedCount: "1",
    finishedCount: "1",
    runningCount: "0",
  });
  expect(JSON.parse(swept.outputs.finished ?? "")).toEqual([
    { jobId: "job_1", status: "completed", prLink: PR_LINK, commentUrl: actual?.html_url },
  ]);
  expect(scenario.github.reactions).toEqual(waited.github.reactions);
});

test("a job that is still running is left to the next sweep", async () => {
  await using scenario = await startCollectScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.ask();
  const [before] = await scenario.github.comments(7);
  const { outputs } = await scenario.sweep();
  expect(outputs).toMatchObject({ checkedCount: "1", finishedCount: "0", runningCount: "1" });
  expect(await scenario.github.comments(7)).toEqual([before]);
});
