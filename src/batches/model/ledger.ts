/** What the next run of upkeep or a queue needs to know. Times are ISO 8601, by GitHub's clock. */

import type { AgentTraces, MergedChange } from "../../github/changes/change-details.ts";
import type { LedgerFile } from "../../ledger/file.ts";
import type { FailedReason, PassedReason, UncertainReason } from "./schema.ts";

/** A task of a queue. */
export interface Task {
  kind: "task";
  /** Its ID. */
  key: string;
  /** The first line of its prompt. */
  title: string;
  /** Its ID is only a hash of its prompt. */
  isPlain: boolean;
}

/** What is handed over. */
export type Change = MergedChange | Task;

/** The job for a follow-up, and its docs pull request; null if it opened none. */
export interface FollowUpTarget {
  jobId: string;
  prLink: string | null;
}

/** Changes that wait to be handed over together. */
export interface Group {
  changes: readonly Change[];
  /** For a change that has a draft, if another head was merged; otherwise null. */
  followUp: FollowUpTarget | null;
  /** The number of earlier attempts. */
  attempts: number;
  /** Key of the source that they come from; null for none. */
  source: string | null;
  /** Whether a release contains them; counts only with `after: release`. */
  isReleased: boolean;
}

/** A job that accepted a batch. */
export interface BatchJob {
  id: string;
  acceptedAt: string;
  /** Whether the batch is a follow-up to an existing job. */
  isFollowUp: boolean;
  /** Only for a draft, as soon as it is known. */
  prLink: string | null;
  /** The number of consecutive runs in which the service did not know the job. */
  unknownRuns: number;
  /** Of a follow-up: the docs pull request was merged or closed while the job was running. */
  isTooLate: boolean;
}

interface AnyBatch {
  id: string;
  changes: readonly Change[];
  /** From its group. */
  followUp: FollowUpTarget | null;
  /** Whether the job drafted another head than the one that was merged. */
  isOutdated: boolean;
  /** The number of attempts for its changes, including this one. */
  attempt: number;
  /** When its intent was written. */
  at: string;
}

/** Written before the request goes out. */
export interface IntendedBatch extends AnyBatch {
  state: "intended";
}

/** The service accepted the request. */
export interface RunningBatch extends AnyBatch {
  state: "running";
  job: BatchJob;
}

/** The service may have received the request. */
export interface UncertainBatch extends AnyBatch {
  state: "uncertain";
  reason: UncertainReason;
}

/** It is not handed over again automatically. */
export interface FailedBatch extends AnyBatch {
  state: "failed";
  reason: FailedReason;
  /** Null if the service refused the request. */
  job: BatchJob | null;
}

/** A draft whose job is done. Other batches are removed then. */
export interface DoneDraft extends AnyBatch {
  state: "done";
  job: BatchJob;
}

/** The changes that one request hands to the agent. */
export type Batch = IntendedBatch | RunningBatch | UncertainBatch | FailedBatch;
/** The same for an open pull request, with the drafted head as `sha` of its only change. */
export type Draft = Batch | DoneDraft;

/** A docs pull request that is open, and the changes that it documents. */
export interface InReview {
  prLink: string;
  jobId: string;
  changes: readonly Change[];
  /** The number of consecutive runs in which it could not be read. */
  unread: number;
  /** Whether its job failed on a follow-up, so that the next batch starts another job. */
  isClosedToBatches: boolean;
}

/** How a docs pull request ended. `unread`: it could not be read. */
export interface ReviewEnd {
  result: "merged" | "closed" | "unread";
  prLink: string;
}

/** How a batch without a docs pull request ended. `none`: nothing had to change. `left`: a person left it. */
export interface OtherEnd {
  result: "none" | "left";
  prLink: null;
}

interface FinishedChanges {
  changes: readonly Change[];
  /** The number of its other changes. */
  more: number;
}

/** Changes whose docs pull request has ended, as the dashboard shows them. */
export type Reviewed = ReviewEnd & FinishedChanges;
/** A finished batch, as the dashboard shows it. */
export type Finished = Reviewed | (OtherEnd & FinishedChanges);

/** A branch in which changes are found. */
export interface Source {
  /** Of the repository. */
  id: number;
  repository: string;
  branch: string;
  /** Everything up to this commit is decided; null if nothing is. */
  sha: string | null;
  /** Where to continue if GitHub no longer has the commit. */
  date: string;
  /** The commit up to which it is read, while it has more than one run can read; null for its tip. */
  target: string | null;
  /** The time of the last read, if runs cannot read all sources; otherwise null. */
  readAt: string | null;
  /** Whether its history was ever rewritten, so that any merge can bring old commits back. */
  wasRewritten: boolean;
  /** The newest release, and the branch's tip, that its waiting changes were compared with; null for none. */
  release: string | null;
}

export interface PassedOver {
  change: MergedChange;
  reason: PassedReason;
}

/** Whose ledger it is. */
export interface Keeper {
  /** Path of the workflow file; null if it is not known. */
  workflow: string | null;
  /** The ID of the run that took the ledger over; null if it is not known. */
  run: string | null;
  /** A hash of the filters. */
  filters: string;
}

export type DashboardState =
  | { type: "none" }
  /** Before this time, only the run that claimed it opens it. */
  | { type: "claimed"; by: string; until: string }
  /** GitHub refused it; before this time, no run tries again. */
  | { type: "refused"; until: string }
  | { type: "open"; number: number };

/** A merged pull request that needs a comment about its docs pull request; null if none was needed. */
export interface PendingComment {
  change: Change;
  prLink: string | null;
  job: string;
  /** The run that is about to write it, and since when; null for none. */
  claim: { id: string; at: string } | null;
  /** How many earlier runs may have written it. */
  tries: number;
  /** In how many runs the token was not allowed to write it. */
  refusals: number;
}

/** Why nothing more is handed over until a person goes on. `id`: for the box that does so. */
export type Halt =
  | { type: "failed"; id: string; count: number; jobId: string }
  | { type: "refused"; id: string; count: number };

/** What has failed in a row. */
export interface Failures {
  /** The jobs that failed since one completed. */
  jobs: number;
  /** The tasks that the service refused since it accepted one. */
  refusals: number;
  /** Null if nothing holds the changes back. */
  halt: Halt | null;
}

/** The ledger of changes and batches that upkeep and the queue keep. */
export interface Ledger extends LedgerFile {
  keeper: Keeper | null;
  dashboard: DashboardState;
  sources: readonly Source[];
  waiting: readonly Group[];
  /** Open batches, oldest first. */
  batches: readonly Batch[];
  reviews: readonly InReview[];
  /** The drafts of open pull requests, oldest first. The merge turns a draft into a batch, unless it failed. */
  drafts: readonly Draft[];
  /** The newest first. */
  done: readonly Finished[];
  /** The newest first. */
  passedOver: readonly PassedOver[];
  /** How many changes were finished, and how, by the day on which they landed (`2026-11-22`). */
  days: Readonly<Record<string, { documented: number; not: number }>>;
  /** When requests went out, or may have, in the last 24 hours. */
  starts: readonly { batch: string; at: string }[];
  /** How many requests went out, or may have, by day, for the cost of 30 days. */
  requests: Readonly<Record<string, number>>;
  failures: Failures;
  untold: readonly PendingComment[];
  /** Pull requests and branches of the agent, the newest last. */
  agent: AgentTraces;
  /** Hashes of the keys of all finished tasks. */
  ended: readonly string[];
}

/** A line of a history file: a finished batch. */
export interface HistoryLine {
  batch: string;
  at: string;
  /** `again`: a person had its changes handed over again. `left`: a person decided to leave it. */
  state: "done" | "failed" | "again" | "left";
  jobId: string | null;
  prLink: string | null;
  attempt: number;
  changes: readonly Change[];
}

/** The ID of a batch's job; null if none has accepted it. */
export function jobIdOf(batch: Draft): string | null {
  return "job" in batch ? (batch.job?.id ?? null) : null;
}
