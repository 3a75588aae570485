/** What can be handed over: a merged pull request, a commit, a task. Actions add what they show of it. */
export interface Change {
  /** Names the change for good: `owner/name#12`, `owner/name@SHA`, or the id of a task. */
  key: string;
  /** When it landed, in milliseconds since 1970, as GitHub tells it; 0 for a task. */
  landedAt: number;
}

/** A change as part of a batch. */
export interface Handed<C extends Change> {
  change: C;
  /** How often it has been handed over, this time included. */
  attempt: number;
  /** The batch that handed it over before, which failed or is uncertain; null the first time. */
  after: string | null;
}

/**
 * - `intended`: the request has not gone out, or nothing is known of it yet
 * - `running`: the service took the request
 * - `done`: the job is at an end, with a pull request or without
 * - `failed`: the job failed, is unknown to the service, or the request was rejected for its content
 * - `withdrawn`: nothing was started
 * - `uncertain`: the service may have received the request
 * - `unreported`: its run ended without a word, so another took it as uncertain. No comment says this of
 *   its own batches
 */
export type BatchState =
  | "intended"
  | "withdrawn"
  | "unreported"
  | "uncertain"
  | "running"
  | "failed"
  | "done";

/** The changes that one request hands over, and what became of it. */
export interface Batch<C extends Change> {
  state: BatchState;
  handed: Handed<C>[];
  /**
   * For each source of changes (`owner/name@branch`) the commit up to which every change is in this
   * batch, in an earlier one, or passed over.
   */
  cursors: Record<string, string>;
  jobId: string | null;
  prLink: string | null;
  /** Why it failed, was withdrawn or is uncertain; else empty. */
  reason: string;
  /** Whether the changes of a failed batch are handed over again without a person's decision. */
  retry: boolean;
}

/** What the marker of a ledger comment holds: what one run hands over, in one or several batches. */
export interface Claim<C extends Change> {
  kind: "claim";
  /** Drawn at random by the run. */
  id: string;
  /** One more than the highest number that its run saw in the ledger. */
  number: number;
  /**
   * The comment that the marker stands in; null in the first write, when it is not known yet. Requests
   * go out only after the second write, so an intent that names no comment cannot have been sent.
   */
  comment: number | null;
  /**
   * Claims without an end that this run took as uncertain and went on from, as it took them. Should one
   * of them be withdrawn late, nobody would look for its changes again: so uncertain it stays.
   */
  takenAsUncertain: DatedClaim<C>[];
  batches: Batch<C>[];
}

/** Up to where the changes of a source are decided. */
export interface Cursor {
  sha: string;
  /** Number of the claim that set it; 0 for where a first run began. */
  number: number;
  /** Comment of the claim or the beginning; null where that comment itself says so. */
  comment: number | null;
  /** How often it was moved on over changes that do not count, since it was set. */
  moved: number;
}

/** One request that went out, or may have. */
export interface Start {
  batch: string;
  /** When its comment was created, by GitHub's clock, in milliseconds since 1970. */
  at: number;
}

/** A claim with the times of its comment, by GitHub's clock in milliseconds since 1970. */
export interface DatedClaim<C extends Change> {
  claim: Claim<C>;
  createdAt: number;
  updatedAt: number;
}

/** What {@link KnownKeys} become in a checkpoint. */
export interface EncodedKeys {
  /** By what stands before `#`: gaps between the numbers, in base 36. */
  numbers: Record<string, string>;
  /** Of other keys: seven characters of a hash each, in the order of their coming. */
  prints: string;
  /** Their days of landing (days since 1970): `20454*3 20455`. */
  days: string;
  /** Numbers up to these were forgotten, by what stands before `#`. */
  forgottenNumbers: Record<string, number>;
  /** Of forgotten other keys: the latest day of landing, in days since 1970. */
  forgottenDay: number | null;
}

/**
 * What a run knows of the ledger, for the next run to begin with. It stands in the dashboard's body. In
 * a comment it says where a first run began, or signs anew what counts after the key was rotated.
 */
export interface Checkpoint<C extends Change> {
  kind: "checkpoint";
  /** Comments written at this time or later are to be read too. Milliseconds since 1970. */
  since: number;
  /** Highest number of a claim that may have sent something, or that can no longer do so. */
  highest: number;
  cursors: Record<string, Cursor>;
  /**
   * Claims that are not at their end or need a person, and the newest that are done. Those without an
   * end whose run is not alive are taken as uncertain.
   */
  claims: DatedClaim<C>[];
  /** Requests that still count against a limit. */
  starts: Start[];
  /** Keys of all changes whose batch is done. */
  known: EncodedKeys;
  /** How many changes that landed on a day (days since 1970) are done, for the last month. */
  doneByDay: Record<string, number>;
}

export type LedgerRecord<C extends Change> = Claim<C> | Checkpoint<C>;

/** A comment of the dashboard's issue. Times are GitHub's, in milliseconds since 1970. */
export interface LedgerComment<C extends Change> {
  id: number;
  createdAt: number;
  updatedAt: number;
  /** What its marker holds, if the signature is right and names this issue; else null. */
  record: LedgerRecord<C> | null;
}

/** Names one batch of a claim. */
export function batchId(claimId: string, index: number): string {
  return `${claimId}.${index}`;
}

/** Names the box that hands a change of a batch over again. */
export function tickId(batch: string, key: string): string {
  return `${batch}/${key}`;
}

/** The checkpoint of a dashboard that has just been opened. */
export const EMPTY_CHECKPOINT: Checkpoint<never> = {
  kind: "checkpoint",
  since: 0,
  highest: 0,
  cursors: {},
  claims: [],
  starts: [],
  known: { numbers: {}, prints: "", days: "", forgottenNumbers: {}, forgottenDay: null },
  doneByDay: {},
};

/** Whole days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / 86_400_000);
}
