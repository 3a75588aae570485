/** The inputs of the actions that keep a ledger. */

import type { ChangeFilters } from "../github/changes/change-details.ts";
import { pagesAddress, type RunContext } from "../github/trigger/run-context.ts";
import {
  durationIn,
  isGitRef,
  lines,
  optional,
  type ParseInput,
  paths,
  trimmed,
  trimmedText,
  wholeNumber,
} from "./checks.ts";
import { type Answer, decisions } from "./decisions.ts";
import { githubAccess, project } from "./shared.ts";

/** Distinguishes the ledgers of one project by the last part of their refs; empty for none. */
export function ledgerName(input: ParseInput): string {
  const name = /^(?!.*(?:\.\.|\.lock$|\.$))([A-Za-z0-9_-][A-Za-z0-9._-]{0,99})?$/;
  return input(
    "name",
    trimmedText("letters, digits, ., - and _, such as api-docs", (text) => name.test(text)),
  );
}

const A_REF = "with letters, digits, ., -, _ and /";

function isLedgerRef(text: string): boolean {
  return /^refs\/[\w-]+\/[\w./-]+$/.test(text) && isGitRef(text);
}

/** Null for a ref below `refs/docs-agent/`. */
export function ledgerRef(input: ParseInput): string | null {
  const allowed = `the full name of a ref, such as refs/heads/docs-ledger, ${A_REF}`;
  return input("ledger-ref", optional(trimmedText(allowed, isLedgerRef)));
}

/** The refs of other ledgers. */
export const ledgerRefs = lines(
  `the full names of refs, such as refs/heads/docs-ledger, ${A_REF}`,
  isLedgerRef,
);

/** Whether a run only shows what it would do. `new`: as long as there is no ledger. */
export type DryRun = boolean | "new";

const DRY_RUNS: Readonly<Record<string, DryRun>> = { true: true, false: false, new: "new" };

const dryRun = trimmed("true, false or new", (text) => DRY_RUNS[text.toLowerCase()], {
  fallback: "false",
});

/** The ledger of an action, and the access to it. */
export function ledgerInputs(input: ParseInput, context: RunContext) {
  return {
    ...project(input),
    ...githubAccess(input, context, true),
    ledgerRef: ledgerRef(input),
    dryRun: input("dry-run", dryRun),
    /** Address of the folder with the action's pages, for links. No input: GitHub says where the action is from. */
    pages: pagesAddress(context),
  };
}

/** After so many failures in a row, nothing more is handed over, unless `max-failures` says otherwise. */
export const USUAL_MAX_FAILURES = 3;

/** A ledger of batches. */
export function batchLedgerInputs(input: ParseInput, context: RunContext) {
  return {
    ...ledgerInputs(input, context),
    maxAttempts: input("max-attempts", wholeNumber("3")),
    maxFailures: input("max-failures", wholeNumber(String(USUAL_MAX_FAILURES))),
    /** In milliseconds. */
    jobDeadline: input("job-deadline-hours", durationIn("hours", "24")),
    /** The number of the issue; null if the action finds or opens one. */
    dashboard: input("dashboard", optional(wholeNumber())),
    /** Only of a run by hand. */
    decisions: isByHand(context) ? input("decisions", decisions) : NO_ANSWERS,
  };
}

const NO_ANSWERS: readonly Answer[] = [];

function isByHand({ eventName }: RunContext): boolean {
  return eventName === "workflow_dispatch";
}

/** Which changes count. */
export function changeFilters(input: ParseInput): ChangeFilters {
  return {
    paths: input("paths", paths),
    ignoreLabels: input("ignore-labels", lines("labels")),
    onlyLabels: input("only-labels", lines("labels")),
    ignoreAuthors: input("ignore-authors", lines("logins")),
  };
}
