/**
 * Why changes and tasks wait, are passed over or need a person, in upkeep and the queue: codes, and what each means.
 * Decisions return codes, the ledger holds codes; a sentence is made where it is shown.
 */

import { SERVICE_LIMIT } from "../job/send.ts";
import { HOUR, MINUTE } from "../runtime/clock.ts";
import type { AnyReason, ReasonEntry, ReasonTable } from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";
import type { FailedBatch, Halt, PassedOver, UncertainBatch } from "./model/ledger.ts";

/** The output `result` of a run that handed over nothing. */
export type WaitResult = "idle" | "busy" | "held" | "limited" | "paused" | "finished";

/** Why a run hands over no more, in any action with batches. */
export type SharedReason =
  /** The event is about another issue, or needs no run. */
  | { readonly code: "other-issue" }
  /** Somebody closed the dashboard; null if it is not known who, or when. */
  | { readonly code: "paused"; readonly by: string | null; readonly at: string | null }
  /** Another run is about to send something, or wrote to the ledger first, each time. */
  | { readonly code: "other-run" }
  /** Too much failed in a row. */
  | { readonly code: "halted"; readonly halt: Halt };

/** What there is to say besides. */
type SharedWarning =
  /** `reason`: the end of a sentence. */
  | { readonly code: "dashboard-unread"; readonly reason: string }
  | { readonly code: "service-limit" };

/** Why an entry of the ledger is not handed over by itself. */
export type EntryReason = UncertainBatch["reason"] | FailedBatch["reason"] | PassedOver["reason"];

/** What a reason of a run means. */
interface RunEntry<R> extends ReasonEntry<R> {
  readonly result: WaitResult;
}

export type RunTable<R extends AnyReason> = {
  readonly [Code in R["code"]]: RunEntry<Extract<R, { readonly code: Code }>>;
};

const BOXES = 'the boxes "Hand over again" and "Leave it" on the dashboard';

export const SHARED_REASONS: RunTable<SharedReason> = {
  "other-issue": {
    result: "idle",
    waitsFor: "nobody",
    longest: null,
    text: () => "The issue that was edited is not the dashboard.",
    wayOut: "none is needed",
  },
  paused: {
    result: "paused",
    waitsFor: "person",
    longest: null,
    text: ({ by, at }) => {
      const who = by === null ? "" : ` by ${inlineCode(by, 60)}`;
      const when = at === null ? "" : ` on ${at}`;
      return `The dashboard was closed${who}${when}, so nothing is handed over. Reopen it to continue.`;
    },
    wayOut: "reopen the dashboard",
  },
  "other-run": {
    result: "busy",
    waitsFor: "github",
    longest: 10 * MINUTE,
    text: () => "Another run is active. The next run continues.",
    wayOut: "the next run",
  },
  halted: {
    result: "held",
    waitsFor: "person",
    longest: null,
    text: ({ halt }) => `${haltText(halt).problem} ${goOnAdvice(halt)}`,
    wayOut: 'the box "Go on" on the dashboard, or a higher `max-failures`',
  },
};

const WARNINGS: ReasonTable<SharedWarning> = {
  "dashboard-unread": {
    waitsFor: "person",
    longest: null,
    text: ({ reason }) => `The dashboard cannot be read: ${reason}.`,
    wayOut: "the token's permission `issues: write`",
  },
  "service-limit": {
    waitsFor: "limit",
    longest: HOUR,
    text: () => SERVICE_LIMIT,
    wayOut: "the next hour",
  },
};

/** Each text is the end of a sentence. */
export const ENTRY_REASONS: ReasonTable<EntryReason> = {
  unanswered: undecided(({ words }) => words),
  "run-ended": undecided(() => "The run ended before it could record the service's answer"),
  "job-failed": undecided(({ jobId }) => `Job ${jobId} failed`),
  "job-unknown": undecided(({ jobId }) => `Job ${jobId} is unknown to the service`),
  "ended-early": undecided(
    ({ jobId }) =>
      `Job ${jobId}: the docs pull request was merged or closed before the agent was done`,
  ),
  refused: undecided(({ words }) => words),
  label: excluded(({ label }) => `label ${label}`, "`ignore-labels`"),
  author: excluded(({ author }) => `author ${author}`, "`ignore-authors`"),
  "no-files": excluded(() => "changes no files", "none: there is nothing to document"),
  "no-path": excluded(() => "no file matches paths", "`paths`"),
  "by-agent": excluded(() => "opened by the documentation agent", "none: it is documentation"),
  "same-commit": excluded(
    ({ sha }) => `same as ${sha.slice(0, 7)} from before the branch was rewritten`,
    "none: it was handed over before",
  ),
  rewritten: excluded(
    ({ branch }) => `no longer in ${branch}, which was rewritten`,
    "it counts as new if it lands again",
  ),
};

function undecided<R>(text: (reason: R) => string): ReasonEntry<R> {
  return { waitsFor: "person", longest: null, text, wayOut: BOXES };
}

function excluded<R>(text: (reason: R) => string, wayOut: string): ReasonEntry<R> {
  return { waitsFor: "nobody", longest: null, text, wayOut };
}

/** Why an entry of the ledger is not handed over by itself, as the end of a sentence. */
export function entryText(reason: EntryReason): string {
  const entry: ReasonEntry<EntryReason> = ENTRY_REASONS[reason.code];
  return entry.text(reason);
}

export function sharedText(reason: SharedReason): string {
  const entry: ReasonEntry<SharedReason> = SHARED_REASONS[reason.code];
  return entry.text(reason);
}

export function warningText(reason: SharedWarning): string {
  const entry: ReasonEntry<SharedWarning> = WARNINGS[reason.code];
  return entry.text(reason);
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
