import type { Failed } from "../../github/refusal.ts";
import { type BatchSent, recordSent, takePoll } from "../model/batch-events.ts";
import type { Batch, HistoryLine } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { type ClockRead, hasFailed, io, type RunMemory, type Steps } from "./port.ts";
import {
  type BatchSettings,
  type Head,
  record,
  recordOnNewest,
  type Unusable,
} from "./write-ledger.ts";

/** After how many requests their results are recorded. */
const RECORDED_TOGETHER = 5;

/**
 * How long after the writing of its intent began a request may go out, in milliseconds: half of the time after
 * which others take the intent for that of a dead run.
 */
const FRESH = 5 * 60_000;

/** A batch that a run handed over, or tried to. */
export interface Handed {
  batch: Batch;
  sent: BatchSent;
}

/** How the requests of a run came out. */
export interface SentBatches {
  head: Head;
  /** By batch: what was not sent is withdrawn. */
  sent: ReadonlyMap<string, BatchSent>;
  /** Why the results could not be recorded; empty if they are. */
  unrecorded: string;
  /** The service has refused the key or the project. */
  isRefused: boolean;
}

export const UNSENT: BatchSent = { type: "withdrawn" };
const ON_ITS_WAY: BatchSent = {
  type: "uncertain",
  why: "The run ended while the request was being sent",
};

/** Leaves to the post step what it has to write down should the run be killed. */
export function rememberBatches(
  batches: readonly Pick<Batch, "id">[],
  sent: ReadonlyMap<string, BatchSent>,
): Steps<void> {
  return io.remember({ batches: batches.map(({ id }) => ({ id, sent: sent.get(id) ?? UNSENT })) });
}

/**
 * Sends one batch after the other, and records the results.
 *
 * @param begun when the run began to write its intent
 */
export function* sendBatches(
  settings: BatchSettings,
  from: Head,
  batches: readonly Pick<Batch, "id" | "changes">[],
  begun: ClockRead,
): Steps<SentBatches> {
  const sent = new Map<string, BatchSent>();
  let head = from;
  let isRefused = false;
  if (batches.length === 0) return { head, sent, unrecorded: "", isRefused };
  for (const batch of batches) {
    if (!isFresh(begun, yield* io.readClock())) break;
    sent.set(batch.id, ON_ITS_WAY);
    yield* rememberBatches(batches, sent);
    const delivery = yield* io.send(batch);
    sent.set(batch.id, delivery.sent);
    yield* rememberBatches(batches, sent);
    isRefused ||= delivery.isRefused;
    if (delivery.isLast) break;
    if (sent.size % RECORDED_TOGETHER > 0 || batch === batches.at(-1)) continue;
    const written = yield* record(settings, head, (edit) => recordAll(edit, sent));
    if (hasFailed(written)) break;
    head = written;
  }
  for (const { id } of batches) if (!sent.has(id)) sent.set(id, UNSENT);
  const recorded = yield* record(settings, head, (edit) => recordAll(edit, sent));
  // What cannot be written down stays in the memory: the post step tries again.
  if (hasFailed(recorded)) return { head, sent, unrecorded: recorded.failed, isRefused };
  yield* io.remember(null);
  return { head: recorded, sent, unrecorded: "", isRefused };
}

/** Waits for the jobs that took the batches, if the workflow wants that. @returns those that came to their end, too */
export function* waitForBatches(
  settings: BatchSettings,
  from: Head,
  handed: readonly Handed[],
): Steps<{ head: Head; finished: HistoryLine[] }> {
  let head = from;
  const finished: HistoryLine[] = [];
  for (const { batch, sent } of handed) {
    if (sent.type !== "accepted") continue;
    const polled = yield* io.wait({ ...batch, jobId: sent.jobId });
    if (polled === null) continue;
    let lines: HistoryLine[] = [];
    const recorded = yield* record(settings, head, (edit) => {
      takePoll(edit, batch.id, polled, null);
      lines = edit.history;
    });
    if (hasFailed(recorded)) continue;
    head = recorded;
    finished.push(...lines);
  }
  return { head, finished };
}

/** The post step of a run that was killed: writes down what it has left in its memory. */
export function recordKilled(
  settings: BatchSettings,
  { batches }: RunMemory,
): Steps<Head | Failed | Unusable> {
  const outcomes = batches.map(({ id, sent }): [string, BatchSent] => [id, sent]);
  return recordOnNewest(settings, (edit) => recordAll(edit, outcomes));
}

/** For a message: the jobs that took batches; empty for none. */
export function startedText(handed: readonly { sent: BatchSent }[]): string {
  const jobs = handed.flatMap(({ sent }) => (sent.type === "accepted" ? [sent.jobId] : []));
  return jobs.length === 0 ? "" : ` Jobs that were started: ${jobs.join(", ")}.`;
}

function recordAll(edit: LedgerEdit, outcomes: Iterable<[string, BatchSent]>): void {
  for (const [id, sent] of outcomes) recordSent(edit, id, sent);
}

/** A machine that was suspended notices it by one of its clocks. */
function isFresh(begun: ClockRead, now: ClockRead): boolean {
  return Math.max(now.monotonic - begun.monotonic, now.wall - begun.wall) < FRESH;
}
