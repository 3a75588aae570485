import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { MESSAGE, POLL, PR_LINK, record, startScenario } from "../support/scenario.ts";

/** The job as it was before the follow-up, and as the service still gives it. */
const OLD_END = record("completed", { prLink: PR_LINK });
const FOLLOW_UP = { "job-id": "job_1" };

test("the log says once why a follow-up's unchanged record is waited on", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, OLD_END)).on(POLL, json(200, OLD_END));
  const pace = { "poll-interval-seconds": "2", "poll-max-interval-seconds": "2" };
  const result = await scenario.run({ fastClock: 5, inputs: { ...FOLLOW_UP, ...pace } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  const why = result.visible.filter((line) =>
    line.includes("20 s have passed since the follow-up"),
  );
  expect(why).toHaveLength(1);
  expect(result.visible.filter((line) => line === "Job job_1 is completed.")).toHaveLength(1);
});

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
    expect(result.outputs).toMatchObject({ jobId: "job_1", prLink: PR_LINK });
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

test("until it counts, comment and marker do not call it an end", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, OLD_END));
  scenario.service.on(POLL, json(200, OLD_END), json(200, record("active")), json(200, OLD_END));
  const result = await scenario.run({ inputs: FOLLOW_UP });
  expect(result.outputs.status).toBe("completed");
  const first = scenario.github.bodies.find((body) => body.includes("<!-- docs-agent:")) ?? "";
  expect(first).not.toContain("`completed`");
  const [, payload = ""] = /docs-agent:([\w-]+)\./.exec(first) ?? [];
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({ ended: false });
});
