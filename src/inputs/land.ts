import {
  duration,
  flag,
  lines,
  oneOf,
  optional,
  Problem,
  paths,
  type ValuesOf,
  wholeNumber,
} from "./checks.ts";
import { DAY, HOUR, KEYS, LEDGER_FILE, LEDGER_NAME } from "./shared.ts";

const FOLLOW_UP = oneOf(["follow-up", "ignore"], "follow-up");
const MERGE = oneOf(["never", "approved", "checks"], "never");

export const LAND = {
  ...LEDGER_FILE,
  ...LEDGER_NAME,
  ...KEYS,
  labels: lines("labels"),
  assignees: lines("logins"),
  reviewers: lines("logins, team:slug or authors", (line) =>
    /^(team:)?[\w.-]+(\[bot\])?$/.test(line),
  ),
  comment: flag("true"),
  preview: flag("false"),
  checks: FOLLOW_UP,
  reviews: FOLLOW_UP,
  conflicts: FOLLOW_UP,
  "max-follow-ups": wholeNumber("3", 0),
  "allowed-paths": paths,
  /** Null for no limit. */
  "max-files": optional(wholeNumber("", 0)),
  "max-deleted-lines": optional(wholeNumber("", 0)),
  merge: ((text, read, context) => {
    const merge = MERGE(text, read, context);
    if (merge !== "checks" || read("allowed-paths").trim() !== "") return merge;
    throw new Problem(
      "checks is allowed only together with `allowed-paths`: without an approval, the paths say what may be merged.",
    );
  }) as typeof MERGE,
  "required-checks": lines("names of checks"),
  "merge-method": oneOf(["squash", "merge", "rebase"], "squash"),
  "merge-delay-hours": duration("hours", HOUR, "0"),
  "remind-after-days": duration("days", DAY, "0"),
  "close-after-days": duration("days", DAY, "0"),
};

/** The inputs of land. Durations are in milliseconds. */
export type LandInputs = ValuesOf<typeof LAND>;
