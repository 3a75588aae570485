import { expect, test } from "vitest";
import { type RunOptions, type RunResult, runAction } from "../../emulator/runner/runner.ts";
import { json } from "./answers.ts";
import { runInProcess } from "./run-action.ts";
import { POLL, record, WITH_JOB } from "./world/jobs.ts";
import { startWorld, type WorldRun } from "./world/world.ts";

/** Runs the root action, and returns its results without the values that differ from run to run. */
async function resultsOf(run: (options: RunOptions) => Promise<RunResult>, options: WorldRun) {
  await using world = await startWorld(WITH_JOB);
  // Long enough for the comment to be posted before the first poll.
  const inputs = {
    "poll-interval-seconds": "0.3",
    "poll-max-interval-seconds": "0.3",
    ...options.inputs,
  };
  const { durationMs, ...result } = await run(world.options("root", { ...options, inputs }));
  expect(durationMs).toBeGreaterThan(0);
  const comments = world.comments(7).map(({ body, author, url }) => ({ body, author, url }));
  const all = { result, asked: world.asked("service"), comments };
  const normalize = (text: string) =>
    text
      .replaceAll(/(\\n|%0A) +at [^%\\]*\(node:internal[^)]*\)/g, "")
      .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
      .replaceAll(/docs-agent-run-\w+/g, "FOLDER")
      // The comment and the first poll happen at the same time.
      .replaceAll(/(?<=not be written: )[\w, ]+/g, (names) => names.split(", ").sort().join(", "))
      .replaceAll(/docs-agent:[\w-]+\.[\w-]+/g, "MARKER")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\b\d+ (ms|s)\b/g, "A WHILE")
      .replaceAll(/\b1001-1-\w+/g, "DRAFT")
      .replaceAll(/startedAt\W+\d+/g, "STARTED");
  return JSON.parse(normalize(JSON.stringify(all)));
}

const CASES: [string, WorldRun][] = [
  ["succeeds", {}],
  ["has wrong inputs", { inputs: { "api-key": "", wait: "maybe" } }],
  ["is a post step", { entry: "post", state: { run: JSON.stringify({ job: "job_1" }) } }],
  ["cannot write its outputs", { env: { GITHUB_OUTPUT: "/nowhere/output" } }],
];

test.each(CASES)(
  "a step that %s has the same results as a process and inside this process",
  async (_, options) => {
    expect(await resultsOf(runInProcess, options)).toEqual(await resultsOf(runAction, options));
  },
);

test("steps inside this process share no state, and do not change the process", async () => {
  const before = { env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode };
  await using succeeding = await startWorld(WITH_JOB);
  await using failing = await startWorld(WITH_JOB);
  failing.on(POLL, json(200, record("failed")));
  const [first, second] = await Promise.all(
    [succeeding, failing].map((world) => runInProcess(world.options("root"))),
  );
  expect(first).toMatchObject({ exitCode: 0, outputs: { status: "completed" } });
  expect(second).toMatchObject({ exitCode: 1, outputs: { status: "failed" } });
  expect({ env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode }).toEqual(
    before,
  );
});

test("a step inside this process that exceeds its limit is an error with its log", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  const inputs = { "timeout-minutes": "0.15" };
  const options = world.options("root", { inputs, limitMs: 3_000 });
  await expect(runInProcess(options)).rejects.toThrow(/did not end within 3000 ms[\s\S]*job_1/);
  // The step ends at its own time limit, so that it does not affect the next test.
  await world.servers.service.waitForDisconnect();
});
