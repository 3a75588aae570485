import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";
import { halted, POLL_V1, startScenarioV1 } from "../support/scenario-v1.ts";

const bodyOf = async (scenario: Scenario) => (await scenario.github.comments(7))[0]?.body ?? "";

test("completed without a pull request: the words claim no more than is known", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("completed")));
  const result = await scenario.run({ inputs: { "if-no-changes": "error" } });
  expect(result.outputs.errorKind).toBe("no-changes");
  for (const told of [result.outputs.errorMessage ?? "", await bodyOf(scenario), result.summary]) {
    expect(told).toMatch(
      /found nothing to change, or, if the service hosts the repository, it committed directly/,
    );
    expect(told).not.toMatch(/no changes were needed/);
  }
});

test("an archived job was archived: before or after it was done is not claimed", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("archived")));
  const result = await scenario.run();
  for (const told of [result.warnings.join(), await bodyOf(scenario)]) {
    expect(told).toContain("was archived");
    expect(told).not.toMatch(/before it completed/);
  }
});

const LONG_LINK = `https://github.example/octo/docs/pull/7?${"x".repeat(3000)}`;

test.each(
  someOf([
    ["of a server without TLS", "http://github.internal.example/octo/docs/pull/7"],
    ["that is too long", LONG_LINK],
  ]),
)("a pull request with an address %s is a pull request", async (_, prLink) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run({ inputs: { "if-no-changes": "error" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.outputs.errorKind ?? "").toBe("");
  expect(result.outputs.prLink ?? "").toBe("");
  expect(result.warnings).toHaveLength(1);
  for (const told of [await bodyOf(scenario), result.summary, result.visible.join("\n")]) {
    expect(told).toMatch(/There is a pull request, but its URL is not shown/);
    expect(told).toMatch(/dashboard/);
    expect(told).not.toMatch(/without a pull request|nothing to change/);
    expect(told).not.toContain(prLink);
  }
});

test("a link of white space is none", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("completed", { prLink: " " })));
  const result = await scenario.run();
  expect(result.warnings).toEqual([]);
  expect(await bodyOf(scenario)).toContain("without a pull request");
});

test("version 1: a pull request whose address cannot be shown is one, too", async () => {
  await using scenario = await startScenarioV1();
  const pullRequestLink = "http://github.internal.example/octo/docs/pull/7";
  scenario.service.on(POLL_V1, json(200, halted("error", { pullRequestLink })));
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("job-failed");
  expect(result.outputs.errorMessage).toMatch(/There is a pull request/);
});

test.each(
  someOf([
    ["failed", record("failed"), 1, "job-failed", "the job failed"],
    ["completed", completed, 0, "", "pull request"],
    ["archived", record("archived"), 0, "", "archived"],
  ]),
)(
  "wait: false, and the answer says that the job is %s: that is the outcome",
  async (status, answer, exitCode, kind, word) => {
    await using scenario = await startScenario();
    scenario.service.on(CREATE, json(201, answer));
    const result = await scenario.run({ inputs: { wait: "false" } });
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs).toMatchObject({ jobId: "job_1", status });
    expect(result.outputs.errorKind ?? "").toBe(kind);
    expect(await bodyOf(scenario)).toContain(word);
    expect(await bodyOf(scenario)).not.toContain("the agent is working");
    expect(result.summary).not.toContain("the agent is working");
  },
);

test("wait: false, and a follow-up's answer has the end from before: that is no outcome", async () => {
  await using scenario = await startScenario();
  scenario.service.on(MESSAGE, json(200, record("failed")));
  const result = await scenario.run({ inputs: { "job-id": "job_1", wait: "false" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status ?? "").toBe("");
  expect(await bodyOf(scenario)).toContain("the agent is working");
  expect(await bodyOf(scenario)).not.toContain("failed");
});

test("wait: false for a job that is there, and the one poll fails: nothing is claimed", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(503, { error: "busy" }));
  const inputs = { "job-id": "job_1", prompt: "", wait: "false" };
  const result = await scenario.run({ inputs });
  expect(scenario.asked()).toEqual([POLL]);
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toContain("the poll failed");
  expect(result.summary).not.toContain("the agent is working");
});

test("a message of the agent's without a full stop does not run into the next sentence", async () => {
  await using scenario = await startScenarioV1();
  scenario.service.on(POLL_V1, json(200, halted("error", { messageToUser: "I could not push" })));
  const result = await scenario.run();
  expect(result.outputs.errorMessage).toMatch(/^I could not push\. The agent encountered/);
});

test("a message of the service's with a full stop gets no second one", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(400, { error: "The prompt is too long." }));
  const result = await scenario.run();
  expect(result.outputs.errorMessage).toContain("The prompt is too long. The service refused");
});

test("a file that does not exist: one full stop, and a question", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ inputs: { prompt: "", "prompt-file": "none.md" } });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toMatch(/Is the repository checked out\?$/);
});

test("a follow-up does not claim that a pull request was opened", async () => {
  await using scenario = await startScenario();
  const before = record("completed", { prLink: PR_LINK });
  scenario.service.on(MESSAGE, json(200, { ...before, status: "active" }));
  const result = await scenario.run({ inputs: { "job-id": "job_1" } });
  expect(result.outputs.prLink).toBe(PR_LINK);
  for (const told of [await bodyOf(scenario), result.summary]) {
    expect(told).toContain("completed with a pull request");
    expect(told).not.toContain("opened");
  }
});
