import { expect, test } from "vitest";
import { checkVariables, keptOf } from "../../../emulator/runner/kept.ts";
import { readLog } from "../../../emulator/runner/workflow-commands.ts";

const FILES = { outputs: {}, state: {}, environment: {}, summary: "", files: {} };

test("ten annotations of each kind are kept of a step, and 4,096 characters of each", () => {
  const lines = Array.from({ length: 11 }, (_, nth) => `::warning::${nth}`);
  const kept = keptOf(readLog([...lines, `::error::${"x".repeat(5_000)}`]), FILES);
  expect(kept.warnings).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(kept.errors).toEqual(["x".repeat(4_096)]);
});

test("a summary above 1 MiB is dropped with an error", () => {
  const summary = "ä".repeat(512 * 1024);
  expect(keptOf(readLog([]), { ...FILES, summary })).toMatchObject({ summary, errors: [] });
  expect(keptOf(readLog([]), { ...FILES, summary: `${summary}!` })).toMatchObject({
    summary: "",
    errors: [
      "$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got 1025k.",
    ],
  });
});

test("an output with a masked text is no output of the job", () => {
  const outputs = { project: "acme", link: "https://acme.example", id: "1" };
  const { jobOutputs } = keptOf(readLog(["::add-mask::acme"]), { ...FILES, outputs });
  expect(jobOutputs).toEqual({ id: "1" });
});

test("all outputs of a job together have at most 1 MB of UTF-16", () => {
  const half = "x".repeat(256 * 1024);
  const outputs = { first: half, second: half };
  expect(keptOf(readLog([]), { ...FILES, outputs })).toMatchObject({ jobOutputs: outputs });
  const more = { ...outputs, third: "x" };
  expect(keptOf(readLog([]), { ...FILES, outputs: more })).toMatchObject({
    jobOutputs: {},
    errors: ["The outputs of the job are larger than 1 MB."],
  });
});

test("a step with a variable of 128 KiB does not start", () => {
  const value = "x".repeat(128 * 1024 - "A=".length);
  expect(() => checkVariables({ A: value.slice(1) })).not.toThrow();
  expect(() => checkVariables({ A: value })).toThrow("A: Argument list too long");
});
