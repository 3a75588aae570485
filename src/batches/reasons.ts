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
import { inlineCode } from "../text/markdown.ts";
import type { Batch, Halt, PassedOver } from "./model/ledger.ts";

/** Reasons of runs, each with the `result`. */
export type RunTable = Readonly<
  Record<
    string,
    ReasonEntry<object> & { result: "idle" | "busy" | "held" | "limited" | "paused" | "finished" }
  >
>;

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
    ...varying<{ readonly halt: Halt }>(
      "person",
      null,
      { halt: { type: "failed", id: "halt", count: 3, jobId: "job_3" } },
      ({ halt }) => `${haltText(halt).problem} ${goOnAdvice(halt)}`,
      'the box "Go on" on the dashboard, or a higher `max-failures`',
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
  "service-limit": fixed("limit", HOUR, SERVICE_LIMIT, "the next hour"),
};

type UndecidedReason = Extract<Batch, { readonly reason: object }>["reason"];

/** Why an entry needs a decision. Each text is the end of a sentence. */
export const UNDECIDED_REASONS: ReasonTable<UndecidedReason> = {
  "job-failed": undecided({ jobId: "job_3" }, ({ jobId }) => `Job ${jobId} failed`),
  "job-unknown": undecided(
    { jobId: "job_3" },
    ({ jobId }) => `Job ${jobId} is unknown to the service, so nobody knows what became of it`,
  ),
  archived: undecided(
    { jobId: "job_3" },
    ({ jobId }) => `Job ${jobId} was archived without a docs pull request`,
  ),
  "hidden-pull": undecided(
    { jobId: "job_3" },
    ({ jobId }) => `Job ${jobId} ended with a docs pull request whose link is not safe to show`,
  ),
  "ended-early": undecided(
    { jobId: "job_3" },
    ({ jobId }) =>
      `Job ${jobId}: the docs pull request was merged or closed before the agent was done`,
  ),
  refused: undecided({ words: "the service's own words" }, ({ words }) => words),
  unanswered: undecided({ words: "the connection was lost" }, ({ words }) => words),
  "run-ended": undecided({}, () => "The run ended before it could record the service's answer"),
};

/** Why a change is passed over. Each text is the end of a sentence. */
export const EXCLUSIONS: ReasonTable<PassedOver["reason"]> = {
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
  rewritten: excluded(
    { branch: "main" },
    ({ branch }) => `no longer in ${branch}, which was rewritten`,
    "it counts as new if it lands again",
  ),
};

function undecided<P>(example: P, text: (parameters: P) => string): ReasonEntry<P> {
  const boxes = 'the boxes "Hand over again" and "Leave it" on the dashboard';
  return varying("person", null, example, text, boxes);
}

function excluded<P>(example: P, text: (parameters: P) => string, wayOut: string): ReasonEntry<P> {
  return varying("nobody", null, example, text, wayOut);
}

/** Why an entry of the ledger is not handed over by itself, as the end of a sentence. */
export function entryText(reason: UndecidedReason | PassedOver["reason"]): string {
  return textOfReason({ ...UNDECIDED_REASONS, ...EXCLUSIONS }, reason);
}

/** What happened, and what to look at first. */
export function haltText(halt: Halt): { problem: string; check: string } {
  const all = "so nothing more is handed over: something may be wrong for all of them.";
  if (halt.type === "refused") {
    return {
      problem: `The service refused ${halt.count} tasks in a row, ${all}`,
      check: "Read why under *Needs a decision*, and correct the task file first.",
    };
  }
  const job = inlineCode(halt.jobId, 80);
  const failed = halt.count === 1 ? `Job ${job} failed` : `${halt.count} jobs in a row failed`;
  const last = halt.count === 1 ? "" : `, the last one ${job}`;
  return {
    problem: `${failed}${last}, ${all}`,
    check: "Look at what they say on the service's dashboard first.",
  };
}

/** How to go on after a halt. */
export function goOnAdvice(halt: Halt): string {
  const box = 'tick "Go on" under "Needs a decision" on the dashboard issue';
  return halt.type === "failed"
    ? `Look at the failed jobs on the service's dashboard. Then ${box}, or raise \`max-failures\`.`
    : `Read why on the dashboard issue, and correct the task file. Then ${box}.`;
}
