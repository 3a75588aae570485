import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { CREATE, POLL, record, startScenario } from "../support/scenario.ts";

const CREATE_COMMENT = "POST /repos/octo/docs/issues/7/comments";

test("the comment is posted while the first delay runs, and not after it", async () => {
  await using scenario = await startScenario();
  const pace = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scenario.start({ inputs: pace });
  await scenario.github.server.waitForRequest(CREATE_COMMENT);
  expect(scenario.asked()).toEqual([CREATE]);
  run.signal("SIGINT");
  await run.result;
});

/** 0.6 seconds, as the input has it. */
const BRIEF = { "timeout-minutes": "0.01" };
test("a job still running at the limit fails the step and says how to go on", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  const result = await scenario.run({ inputs: { ...BRIEF, "poll-max-interval-seconds": "0.05" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    status: "active",
    jobId: "job_1",
    errorKind: "timeout",
  });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain("job-id");
  expect(result.errors[0]).toContain("job_1");
  expect((await scenario.github.comments(7))[0]?.body).toContain("job_1");
  expect((await scenario.github.comments(7))[0]?.body).toContain("job-id");
});

test("no delay goes past the limit, and the last poll at the limit counts", async () => {
  await using scenario = await startScenario();
  const inputs = {
    ...BRIEF,
    "poll-interval-seconds": "600",
    "poll-max-interval-seconds": "600",
  };
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  const [create, poll] = scenario.service.requests;
  // Ten minutes were asked for; 0.6 seconds, and what a busy machine adds, are given.
  expect((poll?.at ?? 0) - (create?.at ?? 0)).toBeLessThan(30_000);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
});
