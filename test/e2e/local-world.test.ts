import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { issueOpened } from "../support/events.ts";
import { runAction } from "../support/run-action.ts";
import { someOf } from "../support/sample.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({ steering: { durationMs: 200 }, inspector: false });
});

afterAll(() => world.close());

/** Runs the action on issue #1 of the emulated repository. */
function run(prompt: string, options: RunOptions = {}) {
  return runAction({
    ...issueOpened(1),
    repository: world.github.repository,
    apiUrl: world.github.url,
    serverUrl: world.github.url,
    token: world.github.token,
    ...options,
    inputs: {
      "api-key": world.service.adminKey,
      "project-id": world.service.projectId,
      prompt,
      "base-url": world.service.url,
      "poll-interval-seconds": "0.05",
      "poll-max-interval-seconds": "0.1",
      ...options.inputs,
    },
  });
}

test("a prompt becomes a pull request that can be opened, and a comment that links to it", async () => {
  const result = await run("Explain how keys are rotated.");
  expect(result.errors).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");

  const pull = await world.github.api<{ state: string; html_url: string }>(
    `/pulls/${result.outputs.prNumber}`,
  );
  expect(pull).toMatchObject({ state: "open", html_url: result.outputs.prLink });

  const comments =
    await world.github.api<{ body: string; html_url: string }[]>("/issues/1/comments");
  const own = comments.filter(({ html_url }) => html_url === result.outputs.commentUrl);
  expect(own).toHaveLength(1);
  expect(own[0]?.body).toContain(result.outputs.prLink);
});

test.each(
  someOf([
    ["outcome=failed", 1, { status: "failed", errorKind: "job-failed" }],
    ["outcome=archived", 0, { status: "archived" }],
    ["outcome=no-changes", 0, { status: "completed" }],
    ["status=queued", 0, { status: "completed" }],
    ["lag=150ms", 0, { status: "completed" }],
  ]),
)("a job steered by '%s'", async (steering, exitCode, outputs) => {
  const result = await run(`Explain.\nemulate: ${steering}`);
  expect(result.exitCode).toBe(exitCode);
  expect(result.outputs).toMatchObject(outputs);
});

test("a job that never ends meets the time limit, and can be taken up again", async () => {
  const first = await run("Explain.\nemulate: duration=never", {
    inputs: { "timeout-minutes": "0.01" },
  });
  expect(first.outputs).toMatchObject({ status: "active", errorKind: "timeout" });
  const jobId = first.outputs.jobId ?? "";
  await world.service.setJob(jobId, { status: "archived" });
  const second = await run("", { inputs: { "job-id": jobId } });
  expect(second.outputs).toMatchObject({ jobId, status: "archived" });
});

test("a follow-up goes to the same job, and its old end is not taken for the new one", async () => {
  const first = await run("Explain.\nemulate: outcome=no-changes");
  const jobId = first.outputs.jobId ?? "";
  const second = await run("Once more.\nemulate: stale=150ms", { inputs: { "job-id": jobId } });
  expect(second.exitCode).toBe(0);
  expect(second.outputs).toMatchObject({ jobId, status: "completed" });
  expect(second.outputs.prLink).toMatch(/\/pull\/\d+$/);
});

test("a wrong key is unauthorized", async () => {
  const result = await run("Explain.", { inputs: { "api-key": "mint_of_somebody_else" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("unauthorized");
});

test("an assistant's key is of the wrong kind", async () => {
  const result = await run("Explain.", { inputs: { "api-key": world.service.assistantKey } });
  expect(result.exitCode).toBe(1);
  expect(["unauthorized", "forbidden"]).toContain(result.outputs.errorKind);
});
