import type { Clock } from "../../runtime/clock.ts";
import { takePoll } from "../model/batch-ends.ts";
import { type BatchSent, recordSent } from "../model/batch-requests.ts";
import type { Batch, HistoryLine, Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { LedgerPort, RunMemory } from "./port.ts";
import { type Head, Unavailable } from "./store.ts";

/** After how many requests their results are recorded. */
const RECORDED_TOGETHER = 5;

/**
 * How long after it read the ledger a run may begin something, in milliseconds: half of the time after which
 * others take its intent for that of a dead run.
 */
const FRESH = 5 * 60_000;

/** A batch that a run handed over, or tried to. */
export interface Handed<B = Batch> {
  batch: B;
  sent: BatchSent;
}

/** How the requests of a run came out. */
export interface SentBatches<B> {
  head: Head<Ledger>;
  /** What was not sent is withdrawn. */
  handed: Handed<B>[];
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

/** Starts to count. @returns whether the run may still begin something */
export function freshness(clock: Pick<Clock, "now" | "timeOfDay">): () => boolean {
  const [monotonic, wall] = [clock.now(), clock.timeOfDay()];
  // A machine that was suspended notices it by one of its clocks.
  return () => Math.max(clock.now() - monotonic, clock.timeOfDay() - wall) < FRESH;
}

/** What the post step has to write down should the run be killed. */
export function memoryOf(handed: readonly Handed<Pick<Batch, "id">>[]): RunMemory {
  return { batches: handed.map(({ batch: { id }, sent }) => ({ id, sent })) };
}

/** Sends one batch after the other, and records the results. */
export async function sendBatches<B extends Pick<Batch, "id" | "changes">>(
  { store, action, remember }: LedgerPort,
  from: Head<Ledger>,
  batches: readonly B[],
  isFresh: () => boolean,
): Promise<SentBatches<B>> {
  const handed = batches.map((batch): Handed<B> => ({ batch, sent: UNSENT }));
  const result = { head: from, handed, unrecorded: "", isRefused: false };
  if (batches.length === 0) return result;
  try {
    for (const [nth, one] of handed.entries()) {
      if (!isFresh()) break;
      one.sent = ON_ITS_WAY;
      remember(memoryOf(handed));
      const { sent, isLast, isRefused } = await action.send(one.batch);
      one.sent = sent;
      remember(memoryOf(handed));
      result.isRefused ||= isRefused;
      if (isLast) break;
      if ((nth + 1) % RECORDED_TOGETHER > 0) continue;
      const { batches: tried } = memoryOf(handed.slice(0, nth + 1));
      result.head = await store.record(result.head, (edit) => recordAll(edit, tried));
    }
    const { batches: all } = memoryOf(handed);
    result.head = await store.record(result.head, (edit) => recordAll(edit, all));
    remember(null);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // It stays in the memory: the post step tries again.
    result.unrecorded = error.why;
  }
  return result;
}

/** Waits for the jobs that took the batches, if the workflow wants that. @returns those that came to their end, too */
export async function waitForBatches(
  { store, action }: LedgerPort,
  from: Head<Ledger>,
  handed: readonly Handed[],
): Promise<{ head: Head<Ledger>; finished: HistoryLine[] }> {
  let head = from;
  const finished: HistoryLine[] = [];
  for (const { batch, sent } of handed) {
    if (sent.type !== "accepted") continue;
    const polled = (await action.wait?.({ ...batch, jobId: sent.jobId })) ?? null;
    if (polled === null) continue;
    let lines: HistoryLine[] = [];
    const after = await store.tryToRecord(head, (edit) => {
      takePoll(edit, batch.id, polled);
      lines = edit.history;
    });
    if (after !== head) finished.push(...lines);
    head = after;
  }
  return { head, finished };
}

/** Writes down how requests came out. */
export function recordAll(edit: LedgerEdit, batches: RunMemory["batches"]): void {
  for (const { id, sent } of batches) recordSent(edit, id, sent);
}

/** For a message: the jobs that took batches; empty for none. */
export function startedText(handed: readonly { sent: BatchSent }[]): string {
  const jobs = handed.flatMap(({ sent }) => (sent.type === "accepted" ? [sent.jobId] : []));
  return jobs.length === 0 ? "" : ` Jobs that were started: ${jobs.join(", ")}.`;
}
