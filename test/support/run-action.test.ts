import { expect, test } from "vitest";
import { type RunOptions, type RunResult, runAction } from "../../emulator/runner/runner.ts";
import { json } from "./answers.ts";
import { runInProcess } from "./run-action.ts";
import { POLL, record, type Scenario, startScenario } from "./scenario.ts";

/** Runs the root action one way, and tells all that came of it without what differs from run to run. */
async function tellOf(
  run: (options: RunOptions) => Promise<RunResult>,
  options: RunOptions,
  prepare: (scenario: Scenario) => void = () => {},
) {
  await using scenario = await startScenario(run);
  prepare(scenario);
  // The comment is there before the first poll.
  const pace = { "poll-interval-seconds": "0.3", "poll-max-interval-seconds": "0.3" };
  const inputs = { ...pace, ...options.inputs };
  const { durationMs, ...result } = await scenario.run({ ...options, inputs });
  expect(durationMs).toBeGreaterThan(0);
  const all = { result, asked: scenario.asked(), comments: await scenario.github.comments(7) };
  const same = (text: string) =>
    text
      .replaceAll(/(\\n|%0A) +at [^%\\]*\(node:internal[^)]*\)/g, "")
      .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
      .replaceAll(/docs-agent-run-\w+/g, "FOLDER")
      // The comment and the first poll are made side by side.
      .replaceAll(/(?<=not be written: )[\w, ]+/g, (names) => names.split(", ").sort().join(", "))
      .replaceAll(/docs-agent:[\w-]+\.[\w-]+/g, "MARKER")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\b\d+ (ms|s)\b/g, "A WHILE")
      .replaceAll(/\b1001-1-\w+/g, "DRAFT")
      .replaceAll(/startedAt\W+\d+/g, "STARTED");
  return JSON.parse(same(JSON.stringify(all)));
}

const CASES: [string, RunOptions, ((scenario: Scenario) => void)?][] = [
  ["ends well", {}],
  ["has wrong inputs", { inputs: { "api-key": "", wait: "maybe" } }],
  ["cannot write its outputs", { env: { GITHUB_OUTPUT: "/nowhere/output" } }],
];

test.each(CASES)(
  "a step that %s leaves the same behind in a process and inside this one",
  async (_, options, prepare) => {
    expect(await tellOf(runInProcess, options, prepare)).toEqual(
      await tellOf(runAction, options, prepare),
    );
  },
);

test("steps inside this process share nothing, and leave nothing of it changed", async () => {
  const before = { env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode };
  await using one = await startScenario(runInProcess);
  await using other = await startScenario(runInProcess);
  other.service.on(POLL, json(200, record("failed")));
  const [first, second] = await Promise.all([one.run(), other.run()]);
  expect(first).toMatchObject({ exitCode: 0, outputs: { status: "completed" } });
  expect(second).toMatchObject({ exitCode: 1, outputs: { status: "failed" } });
  expect({ env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode }).toEqual(
    before,
  );
});

test("a step inside this process that does not end is reported with its log", async () => {
  await using scenario = await startScenario(runInProcess);
  scenario.service.on(POLL, json(200, record("active")));
  const inputs = { "timeout-minutes": "0.15" };
  await expect(scenario.run({ inputs, limitMs: 3_000 })).rejects.toThrow(
    /did not end within 3000 ms[\s\S]*job_1/,
  );
  // Its own time limit ends it: nothing of it may be left for the next test.
  await scenario.service.waitForDisconnect();
});
