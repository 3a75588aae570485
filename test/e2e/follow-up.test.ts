import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  PROMPT,
  record,
  startScenario,
} from "../support/scenario.ts";

const OLD_END = record("completed", { prLink: "https://github.com/octo/docs/pull/1" });

test("job-id with a prompt sends a follow-up to that job and waits for it", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, record("active")));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(scenario.asked()).toEqual([MESSAGE, POLL]);
  expect(JSON.parse(scenario.service.requests[0]?.body.toString() ?? "")).toEqual({
    prompt: PROMPT,
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

test("job-id alone only waits for the job", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run({ inputs: { "job-id": "job_1", prompt: "" } });
  expect(scenario.asked()).toEqual([POLL, POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

const FOLLOW_UP = { "job-id": "job_1" };

test.each(
  someOf([
    ["error", 1],
    ["warn", 0],
  ]),
)(
  "a time limit that comes sooner: neither completed nor still running (if-timeout: %s)",
  async (ifTimeout, exitCode) => {
    await using scenario = await startScenario();
    scenario.service.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
    const inputs = { ...FOLLOW_UP, "timeout-minutes": "0.005", "if-timeout": ifTimeout };
    const result = await scenario.run({ inputs });
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs.status ?? "").toBe("");
    expect(result.outputs).toMatchObject({ jobId: "job_1", prLink: OLD_END.prLink });
    // The last of them: the time limit may cut a poll short, which is a warning of its own.
    const told = [...result.warnings, ...result.errors].at(-1) ?? "";
    expect(told).toMatch(/still returned the job's record from before the follow-up/);
    for (const text of [told, result.summary, (await scenario.github.comments(7))[0]?.body ?? ""]) {
      expect(text).toContain("job-id");
      expect(text).not.toMatch(/still running|Status `completed`/);
    }
    if (exitCode === 1) expect(result.outputs.errorKind).toBe("timeout");
  },
);
