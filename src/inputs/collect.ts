import { duration, type ValuesOf } from "./checks.ts";
import { DAY, GITHUB_ACCESS, KEYS, PHRASE, PROJECT } from "./shared.ts";

export const COLLECT = {
  ...PROJECT,
  ...KEYS,
  /** How far back comments are read. */
  days: duration("days", DAY, "7", 366),
  ...PHRASE,
  ...GITHUB_ACCESS,
};

/** The inputs of collect. Durations are in milliseconds. */
export type CollectInputs = ValuesOf<typeof COLLECT>;
