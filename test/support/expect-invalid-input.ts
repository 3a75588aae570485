import { expect } from "vitest";
import type { Run } from "./world/world.ts";

/** Expects that a run sent nothing, and failed with one error that contains all of these words. */
export function expectInvalidInput(result: Run, words: readonly (string | RegExp)[]): void {
  expect(result.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.outputs.errorMessage).not.toBe("");
  expect(result.outputs.jobId ?? "").toBe("");
}
