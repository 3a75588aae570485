import type { RunContext } from "../github/trigger/run-context.ts";
import {
  durationIn,
  flag,
  type InputCheck,
  InputProblem,
  lines,
  oneOf,
  optional,
  type ParseInput,
  parseInputs,
  paths,
  type ReadInput,
  wholeNumber,
} from "../inputs/checks.ts";
import { ledgerInputs, ledgerRefs } from "../inputs/ledger.ts";
import { botLogins, markerKeys } from "../inputs/shared.ts";
import { quote } from "../text/sentence.ts";

/** The inputs of land. Durations are in milliseconds. */
export type LandInputs = ReturnType<typeof parseLandInputs>;

const FOLLOW_UP = oneOf(["follow-up", "ignore"], "follow-up");
const LOGIN = /^[\w.-]+(\[bot\])?$/;
const CHECKS = lines("names of checks");
const REVIEWER = /^(team:)?[\w.-]+(\[bot\])?$/;

/** @throws ActionError `invalid-input` with every invalid input */
export function parseLandInputs(read: ReadInput, context: RunContext) {
  return parseInputs(read, (input) => {
    refuseName(input);
    const requiredChecks = input("required-checks", CHECKS);
    return {
      ...ledgerInputs(input, context),
      keys: markerKeys(input, read),
      /** Refs of ledgers that are not below `refs/docs-agent/`. */
      ledgers: input("ledgers", ledgerRefs),
      labels: input("labels", lines("labels")),
      assignees: input("assignees", lines("logins")),
      /** Labels of docs pull requests that are left alone. */
      holdLabels: input("hold-labels", lines("labels")),
      /** Logins, `team:slug`, or `authors`. */
      reviewers: input(
        "reviewers",
        lines("logins, team:slug or authors", (line) => REVIEWER.test(line)),
      ),
      comment: input("comment", flag("true")),
      preview: input("preview", flag("false")),
      checks: input("checks", FOLLOW_UP),
      reviews: input("reviews", FOLLOW_UP),
      conflicts: input("conflicts", FOLLOW_UP),
      /** Names of checks that count for nothing. */
      ignoreChecks: input("ignore-checks", ignoredChecks(requiredChecks)),
      /** Logins whose commits count as the agent's. */
      allowedCommitters: input(
        "allowed-committers",
        lines("logins", (line) => LOGIN.test(line)),
      ),
      /** Logins of bots, in lower case. */
      allowedBots: input("allowed-bots", botLogins),
      maxFollowUps: input("max-follow-ups", wholeNumber("3", 0)),
      allowedPaths: input("allowed-paths", paths),
      /** Null for no limit. */
      maxFiles: input("max-files", optional(wholeNumber("", 0))),
      merge: input("merge", mergeRule(read)),
      requiredChecks,
      mergeMethod: input("merge-method", oneOf(["squash", "merge", "rebase"], "squash")),
      mergeDelay: input("merge-delay-hours", durationIn("hours", "0")),
      /** Whether the documentation is built after a merge. */
      deploy: input("deploy", flag("false")),
      /** 0 for never. */
      remindAfter: input("remind-after-days", durationIn("days", "0")),
      /** 0 for never. */
      closeAfter: input("close-after-days", durationIn("days", "0")),
    };
  });
}

/** Version 1.0.0 had this input. */
function refuseName(input: ParseInput): void {
  input("name", (text) => {
    const name = text.trim();
    if (name === "") return;
    throw new InputProblem(
      "land no longer has this input. One land looks after all docs pull requests of a project, " +
        "whatever the `name` of its upkeeps and queues: remove it, and run land once for each project. " +
        `To go on with the ledger of ${quote(name)}, set \`ledger-ref: refs/docs-agent/land/${name}\`.`,
    );
  });
}

/** What says which docs pull requests may be merged without an approval. */
const NEEDED_BY_CHECKS = ["allowed-paths", "required-checks"];

function mergeRule(read: ReadInput) {
  const check = oneOf(["never", "approved", "checks"], "never");
  return (text: string) => {
    const merge = check(text);
    const missing = NEEDED_BY_CHECKS.find((name) => read(name).trim() === "");
    if (merge !== "checks" || missing === undefined) return merge;
    throw new InputProblem(
      "checks is allowed only together with `allowed-paths` and `required-checks`, " +
        `but \`${missing}\` is empty: without an approval, they say what may be merged.`,
    );
  };
}

function ignoredChecks(required: readonly string[]): InputCheck<string[]> {
  return (text) => {
    const ignored = CHECKS(text);
    const both = required.find((name) => ignored.includes(name));
    if (both === undefined) return ignored;
    throw new InputProblem(`names ${JSON.stringify(both)}, which \`required-checks\` names, too.`);
  };
}
