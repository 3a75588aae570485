import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseCommandFile } from "../../emulator/runner/command-files.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { Secrets } from "../text/secrets.ts";
import {
  boundedOutputs,
  fitting,
  RetryingStepOutputs,
  readState,
  runnerOutputs as runnerOutputsOf,
  type StepOutputs,
  tryWriteSummary,
} from "./step-outputs.ts";

let folder: string;
let runnerOutputs: StepOutputs;
const file = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "docs-agent-outputs-"));
  for (const name of ["OUTPUT", "STATE", "STEP_SUMMARY"]) {
    writeFileSync(file(name), "");
    vi.stubEnv(`GITHUB_${name}`, file(name));
  }
  runnerOutputs = runnerOutputsOf(process.env);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const written = (name: string) => parseCommandFile(readFileSync(file(name), "utf8"));

test("outputs, state and summary go to the runner's files", () => {
  runnerOutputs.setOutput("jobId", "job_1");
  runnerOutputs.setOutput("status", "active");
  runnerOutputs.setOutput("status", "completed");
  runnerOutputs.saveState({ jobId: "" });
  runnerOutputs.saveState({ jobId: "job_1" });
  runnerOutputs.writeSummary("# One");
  runnerOutputs.writeSummary("# Two");
  expect(written("OUTPUT")).toEqual({ jobId: "job_1", status: "completed" });
  expect(JSON.parse(written("STATE").run ?? "")).toEqual({ jobId: "job_1" });
  expect(readFileSync(file("STEP_SUMMARY"), "utf8")).toBe("# One\n# Two\n");
});

test.each([
  ["", undefined],
  ['{"jobId":"a', null],
  ['{"jobId":"a"}', { jobId: "a" }],
])("the post step reads the state %j as %j", (saved, state) => {
  vi.stubEnv("STATE_run", saved);
  expect(readState()).toStrictEqual(state);
});

test("a file that is missing is an error that names it", () => {
  rmSync(file("OUTPUT"));
  expect(() => runnerOutputs.setOutput("jobId", "job_1")).toThrow(file("OUTPUT"));
});

/** Outputs of a runner whose disk is full for as long as `isFull` says. */
function outputsOnFullDisk() {
  const disk = { isFull: true, values: new Map<string, string>(), states: [] as unknown[] };
  const write = (onto: () => void) => {
    if (disk.isFull) throw new Error("ENOSPC: no space left on device");
    onto();
  };
  const outputs: StepOutputs = {
    setOutput: (name, value) => write(() => disk.values.set(name, value)),
    saveState: (state) => write(() => disk.states.push(state)),
    writeSummary: () => write(() => {}),
  };
  return { disk, outputs: new RetryingStepOutputs(outputs) };
}

test("what cannot be written is named in the end, once, with the reason", () => {
  const { outputs } = outputsOnFullDisk();
  outputs.setOutput("jobId", "job_1");
  outputs.setOutput("status", "active");
  outputs.setOutput("status", "completed");
  outputs.saveState({});
  expect(outputs.flush()).toMatchObject({
    kind: "internal",
    what: "Step outputs could not be written: jobId, status, the state for the post step (ENOSPC: no space left on device).",
    cause: expect.any(Error),
  });
});

test("what can be written in the end is, with its last value", () => {
  const { outputs, disk } = outputsOnFullDisk();
  outputs.setOutput("jobId", "job_1");
  outputs.setOutput("status", "active");
  outputs.setOutput("status", "completed");
  outputs.saveState({ jobId: "" });
  outputs.saveState({ jobId: "job_1" });
  disk.isFull = false;
  expect(outputs.flush()).toBeNull();
  expect(Object.fromEntries(disk.values)).toEqual({ jobId: "job_1", status: "completed" });
  expect(disk.states).toEqual([{ jobId: "job_1" }]);
});

test("a value that was written later is not replaced by an earlier one", () => {
  const { outputs, disk } = outputsOnFullDisk();
  outputs.setOutput("status", "active");
  disk.isFull = false;
  outputs.setOutput("status", "completed");
  expect(outputs.flush()).toBeNull();
  expect(disk.values.get("status")).toBe("completed");
});

test("when all is written, nothing is left", () => {
  const outputs = new RetryingStepOutputs(runnerOutputs);
  outputs.setOutput("jobId", "job_1");
  outputs.saveState({});
  expect(outputs.flush()).toBeNull();
  expect(written("OUTPUT")).toEqual({ jobId: "job_1" });
});

test("a summary that cannot be written is a warning", () => {
  rmSync(file("STEP_SUMMARY"));
  vi.stubEnv("GITHUB_STEP_SUMMARY", folder);
  const { log, lines } = dependenciesOf();
  tryWriteSummary(new RetryingStepOutputs(runnerOutputs), log, "# One");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^warning: The step summary could not be written: /);
});

const LARGEST = 512 * 1024;
const KEY = "mint_k3yOfTheTest";

function bounded() {
  const { outputs, log, lines } = dependenciesOf();
  const secrets = new Secrets([KEY]);
  return { inner: outputs, lines, ...boundedOutputs(outputs, { log, secrets }) };
}

test("what fits is set as it is, to the last byte", () => {
  const { setOutput, inner, lines } = bounded();
  const whole = `é${"x".repeat(LARGEST - 2)}`;
  setOutput("answer", whole);
  expect(inner.values.answer).toBe(whole);
  expect(lines).toEqual([]);
});

test("of a larger text the end is left out, in whole characters, with a warning that names it", () => {
  const { setOutput, inner, lines } = bounded();
  setOutput("answer", `x${"漢".repeat(LARGEST / 2)}`);
  expect(Buffer.byteLength(inner.values.answer ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(inner.values.answer).toMatch(/^x漢+…$/u);
  expect(lines).toEqual(["warning: The output answer is larger than 512 KiB and was truncated."]);
});

test("of a larger array the last items are left out, so that it stays JSON", () => {
  const { setOutput, inner, lines } = bounded();
  const items = Array.from({ length: 2000 }, (_, id) => ({ id, text: "é".repeat(300) }));
  setOutput("sources", JSON.stringify(items));
  const told = JSON.parse(inner.values.sources ?? "") as typeof items;
  expect(told).toEqual(items.slice(0, told.length));
  expect(Buffer.byteLength(JSON.stringify(items.slice(0, told.length + 1)))).toBeGreaterThan(
    LARGEST,
  );
  expect(Buffer.byteLength(inner.values.sources ?? "")).toBeLessThanOrEqual(LARGEST);
  expect(lines).toHaveLength(1);
});

test("a text that only begins like an array is cut like any other", () => {
  const { setOutput, inner } = bounded();
  setOutput("answer", `[${"x".repeat(LARGEST)}`);
  expect(inner.values.answer).toMatch(/^\[x+…$/);
});

test("as many items fit as an array of them has room for", () => {
  const item = "x".repeat(LARGEST / 4 - 3);
  expect(fitting([item, item, item])).toHaveLength(3);
  // Three quarters, their commas and the brackets leave too little for a fourth.
  expect(fitting([item, item, item, item, item])).toHaveLength(3);
  expect(fitting(["x".repeat(LARGEST)])).toEqual([]);
  expect(fitting([])).toEqual([]);
});

test("no secret gets into outputs, state or summary", () => {
  const { setOutput, saveState, writeSummary, inner, lines } = bounded();
  setOutput("answer", `a ${KEY} b`);
  saveState({ jobId: KEY, comment: { url: `https://github.com/${KEY}` } });
  writeSummary(`a ${KEY.slice(0, 12)}…`);
  expect(inner.values.answer).toBe("a *** b");
  expect(inner.states).toEqual([{ jobId: "***", comment: { url: "https://github.com/***" } }]);
  expect(lines).toEqual(["summary: a ***…"]);
});
