import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { linesOf } from "../text/sentence.ts";
import { flag, input, invalid, oneOf, type ReadInput, type ValuesOf, whole } from "./checks.ts";
import { withApiUrl } from "./github.ts";
import { LEDGER_FILE, LEDGER_NAME } from "./ledger.ts";
import { checkServiceInputs, keysOf, PREVIOUS_KEY } from "./service.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const FOLLOW_UP = oneOf(["follow-up", "ignore"], "follow-up");

/** A limit; null for none. */
const limit = input("a whole number of 0 or more, or nothing for no limit", (text) =>
  text.trim() === "" ? null : whole(text),
);

/** A time in milliseconds; 0 for none. @param scale the unit, in milliseconds */
const time = (unit: string, scale: number) =>
  input(
    `a number of ${unit} of 0 or more, such as 7 or 0.5`,
    (text) => {
      const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * scale : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    },
    { fallback: "0" },
  );

const LAND = {
  ...LEDGER_FILE,
  ...LEDGER_NAME,
  ...PREVIOUS_KEY,
  labels: input("labels, one per line", linesOf),
  assignees: input("logins, one per line", linesOf),
  reviewers: input("logins, team:slug or authors, one per line", (text) => {
    const lines = linesOf(text);
    return lines.every((line) => /^(team:)?[\w.-]+(\[bot\])?$/.test(line)) ? lines : undefined;
  }),
  comment: flag("true"),
  preview: flag("false"),
  checks: FOLLOW_UP,
  reviews: FOLLOW_UP,
  conflicts: FOLLOW_UP,
  "max-follow-ups": input("a whole number of 0 or more", whole, { fallback: "3" }),
  "max-files": limit,
  "max-deleted-lines": limit,
  merge: oneOf(["never", "approved", "checks"], "never"),
  "required-checks": input("names of checks, one per line", linesOf),
  "merge-method": oneOf(["squash", "merge", "rebase"], "squash"),
  "merge-delay-hours": time("hours", HOUR),
  "remind-after-days": time("days", DAY),
  "close-after-days": time("days", DAY),
};

/** The inputs of land. Durations are in milliseconds. */
export interface LandInputs extends ValuesOf<typeof LAND> {
  /** The keys for reading markers. The first one signs. */
  keys: ApiKeys;
  allowedPaths: PathFilter;
}

/**
 * Reads and checks every input of land.
 *
 * @param context contains the default of `github-api-url`
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseLandInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): LandInputs {
  const { values, problems } = checkServiceInputs(LAND, withApiUrl(read, apiUrl));
  const allowedPaths = parsePathFilter(read("allowed-paths"));
  if ("problem" in allowedPaths) problems.push(`allowed-paths: ${allowedPaths.problem}.`);
  else if (values?.merge === "checks" && allowedPaths.isEmpty) {
    problems.push(
      "merge: checks is allowed only together with `allowed-paths`: without an approval, the paths say what may be merged.",
    );
  }
  if (values === null || "problem" in allowedPaths || problems.length > 0) throw invalid(problems);
  return { ...values, keys: keysOf(values.apiKey, values.previousApiKey), allowedPaths };
}
