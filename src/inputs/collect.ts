import type { RunContext } from "../github/run-context.ts";
import { duration, parseInputs, type ReadInput } from "./checks.ts";
import { DAY, GITHUB_ACCESS, keysOf, PHRASE, PREVIOUS_KEY, PROJECT } from "./shared.ts";

const COLLECT = {
  ...PROJECT,
  ...PREVIOUS_KEY,
  /** How far back comments are read. */
  days: duration("days", DAY, "7", 366),
  ...PHRASE,
  ...GITHUB_ACCESS,
};

/** The inputs of collect. Durations are in milliseconds. */
export type CollectInputs = ReturnType<typeof parseCollectInputs>;

/** @throws ActionError `invalid-input` with every invalid input */
export function parseCollectInputs(read: ReadInput, context: RunContext) {
  const values = parseInputs(COLLECT, read, context);
  return { ...values, keys: keysOf(values) };
}
