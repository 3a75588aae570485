import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT } from "../support/world/actions.ts";
import { completed, MESSAGE, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

const OLD_END = record("completed", { prLink: "https://github.com/octo/docs/pull/1" });

test("job-id with a prompt sends a follow-up to the job and waits for its end", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(MESSAGE, json(200, record("active")));
  const result = await world.run("root", { inputs: { "job-id": "job_1" } });
  expect(world.asked("service")).toEqual([MESSAGE, POLL]);
  expect(JSON.parse(world.received("service")[0]?.body.toString() ?? "")).toEqual({
    prompt: PROMPT,
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

test.each([
  ["after 45 s", 45_000, PR_LINK, ""],
  ["never", Number.POSITIVE_INFINITY, OLD_END.prLink, "No work on the follow-up was seen"],
])("a job whose record changes %s after a follow-up", async (_, delay, prLink, note) => {
  await using world = await startWorld(WITH_JOB);
  const speed = 40;
  world.on(MESSAGE, json(200, OLD_END));
  let first: number | null = null;
  world.on(POLL, (exchange) => {
    first ??= performance.now();
    const isOld = (performance.now() - first) * speed < delay;
    return json(200, isOld ? OLD_END : completed)(exchange);
  });
  const result = await world.run("root", { fastClock: speed, inputs: { "job-id": "job_1" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink });
  for (const text of [result.summary, world.comment(7)]) expect(text).toContain(note);
});

test("job-id without a prompt waits for the job without sending anything", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")), json(200, completed));
  const result = await world.run("root", { inputs: { "job-id": "job_1", prompt: "" } });
  expect(world.asked("service")).toEqual([POLL, POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
});

test.each(
  someOf([
    ["error", 1],
    ["warn", 0],
  ]),
)(
  "at the time limit, a follow-up whose job still has its old record is reported as neither completed nor running (if-timeout: %s)",
  async (ifTimeout, exitCode) => {
    await using world = await startWorld(WITH_JOB);
    world.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
    const inputs = { "job-id": "job_1", "timeout-minutes": "0.005", "if-timeout": ifTimeout };
    const result = await world.run("root", { inputs });
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs.status ?? "").toBe("");
    expect(result.outputs).toMatchObject({ jobId: "job_1", prLink: OLD_END.prLink });
    // The last message, because the time limit may interrupt a poll, which causes another warning.
    const message = [...result.warnings, ...result.errors].at(-1) ?? "";
    expect(message).toMatch(/still returned the job's record from before the follow-up/);
    for (const text of [message, result.summary, world.comment(7)]) {
      expect(text).toContain("job-id");
      expect(text).not.toMatch(/still running|Status `completed`/);
    }
    if (exitCode === 1) expect(result.outputs.errorKind).toBe("timeout");
  },
);
