import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseCommandFile } from "../../emulator/runner/step-folders.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { largeTest } from "../../test/support/large-test.ts";
import { Secrets } from "../text/secrets.ts";
import { RunnerOutputs, readState } from "./step-outputs.ts";

const KEY = "mint_k3yOfTheTest";

let folder: string;
let outputs: RunnerOutputs;
let lines: string[];
const file = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "docs-agent-outputs-"));
  for (const name of ["OUTPUT", "STATE", "STEP_SUMMARY"]) {
    writeFileSync(file(name), "");
    vi.stubEnv(`GITHUB_${name}`, file(name));
  }
  const dependencies = dependenciesOf();
  lines = dependencies.lines;
  outputs = new RunnerOutputs(process.env, new Secrets([KEY]), dependencies.log);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const written = (name: string) => parseCommandFile(readFileSync(file(name), "utf8"));

/** Nothing can be written into a folder. */
function block(name: string) {
  rmSync(file(name));
  mkdirSync(file(name));
}

function unblock(name: string) {
  rmSync(file(name), { recursive: true });
  writeFileSync(file(name), "");
}

test("outputs, state and summary go to the runner's files", () => {
  outputs.setOutput("jobId", "job_1");
  outputs.setOutput("status", "active");
  outputs.setOutput("status", "completed");
  outputs.saveState({ jobId: "" });
  outputs.saveState({ jobId: "job_1" });
  outputs.writeSummary("# One");
  outputs.writeSummary("# Two");
  expect(outputs.flush()).toBeNull();
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

test("what cannot be written is named in the end, once, with the reason", () => {
  for (const name of ["OUTPUT", "STATE"]) block(name);
  outputs.setOutput("jobId", "job_1");
  outputs.setOutput("status", "active");
  outputs.setOutput("status", "completed");
  outputs.saveState({});
  expect(outputs.flush()).toMatchObject({
    kind: "internal",
    problem: expect.stringMatching(
      /written: jobId, status, the state for the post step \(EISDIR.*\)\.$/,
    ),
    cause: expect.any(Error),
  });
});

test("an output that can be written in the end is written with its last value", () => {
  for (const name of ["OUTPUT", "STATE"]) block(name);
  outputs.setOutput("jobId", "job_1");
  outputs.setOutput("status", "active");
  outputs.setOutput("status", "completed");
  outputs.saveState({ jobId: "" });
  outputs.saveState({ jobId: "job_1" });
  for (const name of ["OUTPUT", "STATE"]) unblock(name);
  expect(outputs.flush()).toBeNull();
  expect(written("OUTPUT")).toEqual({ jobId: "job_1", status: "completed" });
  expect(JSON.parse(written("STATE").run ?? "")).toEqual({ jobId: "job_1" });
});

test("a value that was written later is not replaced by an earlier one", () => {
  block("OUTPUT");
  outputs.setOutput("status", "active");
  unblock("OUTPUT");
  outputs.setOutput("status", "completed");
  expect(outputs.flush()).toBeNull();
  expect(written("OUTPUT")).toEqual({ status: "completed" });
});

test("a summary that cannot be written is a warning", () => {
  block("STEP_SUMMARY");
  outputs.writeSummary("# One");
  expect(lines).toEqual([
    expect.stringMatching(/^warning: The step summary could not be written: EISDIR/),
  ]);
});

/** Of one output, in bytes, and of all, in UTF-16 code units. */
const LARGEST = 512 * 1024;
const ALL = 450_000;

test.each([
  ["to the last byte", `x${"漢".repeat(174_762)}é`.slice(0, -1)],
  ["to the last character", "x".repeat(ALL)],
])("what fits is set as it is, %s", (_, whole) => {
  expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(LARGEST);
  outputs.setOutput("answer", whole);
  expect(written("OUTPUT").answer).toBe(whole);
  expect(lines).toEqual([]);
});

function expectCut(text: string, shown: RegExp): void {
  outputs.setOutput("answer", text);
  const { answer = "" } = written("OUTPUT");
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(LARGEST);
  expect(answer).toMatch(shown);
  expect(lines).toEqual(["warning: The output answer is larger than 512 KiB and was truncated."]);
}

test.each([
  ["a text", `x${"漢".repeat(LARGEST / 2)}`, /^x漢+…$/u],
  ["a text that only begins like an array", `[${"x".repeat(LARGEST)}`, /^\[x+…$/],
])("of %s that is larger, the end is left out, with a warning", (_, text, shown) => {
  expectCut(text, shown);
});

largeTest("of a text of brackets that is larger, the end is left out, too", () => {
  expectCut("[".repeat(LARGEST) + "]".repeat(LARGEST), /^\[+…$/);
});

test("all outputs of a step stay within GitHub's limit together, and what is small is whole", () => {
  outputs.setOutput("tasks", JSON.stringify(Array(3_000).fill("x".repeat(97))));
  outputs.setOutput("answer", "😀".repeat(100_000));
  outputs.setOutput("more", "y".repeat(20_000));
  outputs.setOutput("errorMessage", "z".repeat(5_000));
  const { tasks = "", answer = "", more = "", errorMessage = "" } = written("OUTPUT");
  expect(JSON.parse(tasks)).toHaveLength(3_000);
  expect(answer).toMatch(/^(😀)+…$/u);
  expect(more).toBe(`${"y".repeat(4_999)}…`);
  expect(errorMessage).toHaveLength(5_000);
  expect(tasks.length + answer.length + more.length + errorMessage.length).toBeLessThan(500_000);
  const warning = (name: string) =>
    `warning: The output ${name} is too large for GitHub's limit of 1 MB for all outputs and was truncated.`;
  expect(lines).toEqual([warning("answer"), warning("more")]);
});

test("an output that is set again takes the room of its last value", () => {
  for (let nth = 0; nth < 5; nth++) outputs.setOutput("answer", `${nth}${"x".repeat(ALL - 1)}`);
  expect(written("OUTPUT").answer).toMatch(/^4x+$/);
  expect(lines).toEqual([]);
});

test("a summary ends before GitHub would drop it, at the end of a line, with a word", () => {
  outputs.writeSummary("# One");
  outputs.writeSummary(`${"é".repeat(99)}\n`.repeat(6_000));
  outputs.writeSummary("# Three");
  const summary = readFileSync(file("STEP_SUMMARY"), "utf8");
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1_000 * 1024);
  expect(Buffer.byteLength(summary)).toBeGreaterThan(1_000 * 1024 - 400);
  expect(summary).toMatch(/^# One\n(é{99}\n)+\n…\n\nThe rest of this summary is left out/);
  expect(summary).not.toContain("Three");
  expect(lines).toEqual(["warning: The step summary is larger than 1,000 KiB and was truncated."]);
});

test("of a larger array the last items are left out, so that it stays JSON", () => {
  const items = Array.from({ length: 2000 }, (_, id) => ({ id, text: "漢".repeat(300) }));
  outputs.setOutput("sources", JSON.stringify(items));
  const { sources = "" } = written("OUTPUT");
  const kept = JSON.parse(sources) as typeof items;
  expect(kept).toEqual(items.slice(0, kept.length));
  expect(Buffer.byteLength(sources)).toBeLessThanOrEqual(LARGEST);
  const more = JSON.stringify(items.slice(0, kept.length + 1));
  expect(Buffer.byteLength(more)).toBeGreaterThan(LARGEST);
});

test("no secret gets into outputs, state or summary", () => {
  outputs.setOutput("answer", `a ${KEY} b`);
  outputs.saveState({ jobId: KEY, comment: { url: `https://github.com/${KEY}` } });
  outputs.writeSummary(`a ${KEY.slice(0, 12)}…`);
  expect(written("OUTPUT").answer).toBe("a *** b");
  const state = { jobId: "***", comment: { url: "https://github.com/***" } };
  expect(JSON.parse(written("STATE").run ?? "")).toEqual(state);
  expect(readFileSync(file("STEP_SUMMARY"), "utf8")).toBe("a ***…\n");
});
