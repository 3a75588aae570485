/**
 * Why changes and tasks wait, are passed over or need a person, in upkeep and the queue: codes, and what each means.
 * Decisions return codes, the ledger holds codes; a sentence is made where it is shown.
 */

import { NONE_FOUND } from "../job/doubt.ts";
import { SERVICE_LIMIT } from "../job/send.ts";
import { HOUR, MINUTE } from "../runtime/clock.ts";
import {
  fixed,
  type ReasonEntry,
  type ReasonOf,
  type ReasonTable,
  textOfReason,
  varying,
} from "../runtime/reason.ts";
import { pullName } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { goOnAdvice, haltText } from "./halt.ts";
import type { Batch, Halt, PassedOver } from "./model/ledger.ts";
import { BY_DECISION } from "./waits.ts";

/** Reasons of runs, each with the `result`. */
export type RunTable = Readonly<
  Record<
    string,
    ReasonEntry<object> & {
      result: "idle" | "busy" | "held" | "limited" | "behind" | "paused" | "finished";
    }
  >
>;

const EXAMPLE: Halt["inRow"] = [
  { cause: "1", how: "failed", jobId: "job_1" },
  { cause: "2", how: "failed", jobId: "job_2" },
  { cause: "3", how: "failed", jobId: "job_3" },
];

/** Why a run hands over no more, in any action with batches. */
export const SHARED_REASONS = {
  // The event is about another issue, or needs no run.
  "other-issue": {
    result: "idle",
    ...fixed("nobody", null, "The issue that was edited is not the dashboard.", "none is needed"),
  },
  // Somebody closed the dashboard; null if it is not known who, or when.
  paused: {
    result: "paused",
    ...varying<{ readonly by: string | null; readonly at: string | null }>(
      "person",
      null,
      { by: "octocat", at: "2026-11-22T12:00:00Z" },
      ({ by, at }) => {
        const who = by === null ? "" : ` by ${inlineCode(by, 60)}`;
        const when = at === null ? "" : ` on ${at}`;
        return `The dashboard was closed${who}${when}, so nothing is handed over. Reopen it to continue.`;
      },
      "reopen the dashboard",
    ),
  },
  // Another run is about to send something, or wrote to the ledger first, each time.
  "other-run": {
    result: "busy",
    ...fixed(
      "github",
      10 * MINUTE,
      "Another run is active. The next run continues.",
      "the next run",
    ),
  },
  // Too much failed in a row.
  halted: {
    result: "held",
    ...varying<{ readonly halt: Halt; readonly hasBoxes: boolean }>(
      "person",
      null,
      { halt: { id: "halt", inRow: EXAMPLE }, hasBoxes: true },
      ({ halt, hasBoxes }) => `${haltText(halt).problem} ${goOnAdvice(hasBoxes)}`,
      'the box "Go on" on the dashboard, `decisions: go on`, or a higher `max-failures`',
    ),
  },
} satisfies RunTable;

export type SharedReason = ReasonOf<typeof SHARED_REASONS>;

/** What there is to say besides. */
export const WARNINGS = {
  "dashboard-unread": varying(
    "person",
    null,
    { reason: "GitHub returned 502" },
    ({ reason }) => `The dashboard cannot be read: ${reason}.`,
    "the token's permission `issues: write`",
  ),
  // Project, key or address may be wrong, so that no job counts as unknown yet.
  "no-job-found": fixed("person", null, NONE_FOUND, "the inputs that it names"),
  // In `decisions`.
  "unknown-id": varying(
    "nobody",
    null,
    { id: "1a2b3c4d" },
    ({ id }) =>
      `decisions: there is nothing to decide with the ID ${id}. Those that there are stand in the summary, ` +
      "on the dashboard, and in the output `needsDecision`.",
    "an ID that is shown",
  ),
  "answered-before": fixed(
    "nobody",
    null,
    "decisions: an earlier attempt of this workflow run has applied them, so this one does not. " +
      "Start the workflow anew to answer again.",
    "a new run by hand",
  ),
  "not-answered": fixed(
    "person",
    null,
    "decisions: they were not applied, because this run ended before. Start it by hand again.",
    "a new run by hand",
  ),
  "service-limit": fixed("limit", HOUR, SERVICE_LIMIT, "the next hour"),
};

export type SharedWarning = ReasonOf<typeof WARNINGS>;

type UndecidedReason =
  /** The job has been at work for longer than `job-deadline-hours`. */
  | { readonly code: "too-long"; readonly jobId: string }
  | Extract<Batch, { readonly reason: object }>["reason"];

/** The same, also where the job's ID is shown apart. */
type Nameable<R> = R extends { readonly jobId: string }
  ? Omit<R, "jobId"> & { readonly jobId: string | null }
  : R;

const JOB: { readonly jobId: string | null } = { jobId: "job_3" };
const jobText = (jobId: string | null) => (jobId === null ? "the job" : `Job ${jobId}`);

/** Why an entry needs a decision. Each text is the end of a sentence. */
export const UNDECIDED_REASONS: ReasonTable<Nameable<UndecidedReason>> = {
  "job-failed": undecided(JOB, ({ jobId }) => `${jobText(jobId)} failed`),
  "job-unknown": undecided(
    JOB,
    ({ jobId }) => `${jobText(jobId)} is unknown to the service, so nobody knows what became of it`,
  ),
  archived: undecided(
    JOB,
    ({ jobId }) => `${jobText(jobId)} was archived without a docs pull request`,
  ),
  "hidden-pull": undecided(
    JOB,
    ({ jobId }) =>
      `${jobText(jobId)} ended with a docs pull request whose link is not safe to show`,
  ),
  "ended-early": undecided(
    JOB,
    ({ jobId }) =>
      `${jobId === null ? "" : `Job ${jobId}: `}the docs pull request was merged or closed before the agent was done`,
  ),
  "docs-pull-closed": undecided(
    { prLink: "https://github.com/acme/docs/pull/7", by: "github-actions[bot]" },
    ({ prLink, by }) => `Docs pull request ${pullName(prLink)} was closed without merging by ${by}`,
  ),
  "docs-pull-unread": undecided(
    { prLink: "https://github.com/acme/docs/pull/7", since: "2026-11-22T12:00:00Z" },
    ({ prLink, since }) =>
      `Docs pull request ${pullName(prLink)} could not be read since ${since}, because GitHub fails`,
  ),
  "too-long": undecided(
    JOB,
    ({ jobId }) => `${jobText(jobId)} has been at work for longer than job-deadline-hours`,
  ),
  refused: undecided({ words: "the service's own words" }, ({ words }) => words),
  // Hand over again: with what can be read of it.
  unreadable: undecided({ words: "GitHub returned 502" }, ({ words }) => words),
  unanswered: undecided({ words: "the connection was lost" }, ({ words }) => words),
  "run-ended": undecided({}, () => "The run ended before it could record the service's answer"),
};

/** Why a change is passed over; `no-longer-read`: it is not named any more. Each text is the end of a sentence. */
export const EXCLUSIONS: ReasonTable<PassedOver["reason"] | { readonly code: "no-longer-read" }> = {
  label: excluded({ label: "skip-docs" }, ({ label }) => `label ${label}`, "`ignore-labels`"),
  author: excluded(
    { author: "renovate[bot]" },
    ({ author }) => `author ${author}`,
    "`ignore-authors`",
  ),
  "no-label": excluded({}, () => "no label of only-labels", "`only-labels`"),
  "no-path": excluded({}, () => "no file matches paths", "`paths`"),
  "no-files": excluded({}, () => "changes no files", "none: there is nothing to document"),
  "by-agent": excluded({}, () => "opened by the documentation agent", "none: it is documentation"),
  "same-commit": excluded(
    { sha: "1a2b3c4" },
    ({ sha }) => `same as ${sha.slice(0, 7)} from before the branch was rewritten`,
    "none: it was handed over before",
  ),
  reverted: excluded(
    { by: "acme/code#14" },
    ({ by }) => `reverted by ${by} before it was handed over`,
    "a revert of the revert",
  ),
  reverts: excluded(
    { place: "acme/code#12" },
    ({ place }) => `reverts ${place}, which was not handed over`,
    "none: both leave nothing to document",
  ),
  rewritten: excluded(
    { branch: "main" },
    ({ branch }) => `no longer in ${branch}, which was rewritten`,
    "it counts as new if it lands again",
  ),
  "no-longer-read": excluded(
    {},
    () =>
      "no longer read: fewer people may read the repository, or `repositories` does not name it",
    "none: what lands after it is read again counts",
  ),
};

function undecided<P>(example: P, text: (parameters: P) => string): ReasonEntry<P> {
  return varying("person", null, example, text, BY_DECISION);
}

function excluded<P>(example: P, text: (parameters: P) => string, wayOut: string): ReasonEntry<P> {
  return varying("nobody", null, example, text, wayOut);
}

/** Why an entry of the ledger is not handed over by itself, as the end of a sentence. */
export function entryText(
  reason: Nameable<UndecidedReason> | PassedOver["reason"] | { readonly code: "no-longer-read" },
): string {
  return textOfReason({ ...UNDECIDED_REASONS, ...EXCLUSIONS }, reason);
}

/** Why a batch needs a decision; null if it needs none. */
export function undecidedReason(batch: Batch): { code: string; text: string } | null {
  switch (batch.state) {
    case "intended":
      return null;
    case "running":
      return shownReason({ code: "too-long", jobId: batch.job.id });
    case "uncertain":
      return shownReason(batch.reason, "The service may have received the request: ");
    case "failed":
      return shownReason(
        batch.reason,
        batch.reason.code === "refused" ? "The service refused it: " : "",
      );
  }
}

function shownReason(reason: UndecidedReason, before = ""): { code: string; text: string } {
  return { code: reason.code, text: sentence(`${before}${entryText(reason)}`) };
}
