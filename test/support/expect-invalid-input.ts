import { expect } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import type { FaultyServer } from "./faulty-server.ts";
import type { TestGitHub } from "./github.ts";

/** Expects that a run sent nothing, and failed with one error that contains all of these words. */
export function expectInvalidInput(
  result: RunResult,
  { service, github }: { service: FaultyServer; github: TestGitHub },
  words: readonly (string | RegExp)[],
): void {
  expect(service.requests).toEqual([]);
  expect(github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.outputs.errorMessage).not.toBe("");
  expect(result.outputs.jobId ?? "").toBe("");
}
