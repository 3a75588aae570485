import type { MergedChange } from "../../github/change-details.ts";
import type { Clock } from "../../runtime/clock.ts";
import {
  type BatchSent,
  draftOf,
  intendDraft,
  isHandedOver,
  recordSent,
} from "../model/batch-requests.ts";
import type { Batch, Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { openLedger } from "./dashboard-issue.ts";
import type { LedgerPort, RunMemory } from "./port.ts";
import { type Head, Unavailable } from "./store.ts";

/** After how many requests their results are recorded. */
const RECORDED_TOGETHER = 5;

/**
 * How long after reading the ledger a run may send requests, in milliseconds: half of the time after which other runs
 * treat its intent as that of a dead run.
 */
const FRESH = 5 * 60_000;

/** Maximum number of times that a run decides on a draft if others write first. */
const DECISIONS = 5;

const NOTHING_SET = { dashboard: null, isDryRun: false, editedIssue: null };

/** A batch that a run handed over, or tried to. */
export interface Handed {
  batch: Batch;
  sent: BatchSent;
}

export const UNSENT: BatchSent = { type: "withdrawn" };
const ON_ITS_WAY: BatchSent = {
  type: "uncertain",
  why: "The run ended while the request was being sent",
};

/** Starts a timer. @returns whether the run may still send requests */
export function freshness(clock: Pick<Clock, "now" | "timeOfDay">): () => boolean {
  const [monotonic, wall] = [clock.now(), clock.timeOfDay()];
  // If the machine was suspended, only one of its clocks may show that.
  return () => Math.max(clock.now() - monotonic, clock.timeOfDay() - wall) < FRESH;
}

/** What the post step records if the run is killed. */
export function memoryOf(handed: readonly Handed[]): RunMemory {
  return handed.map(({ batch: { id }, sent }) => ({ id, sent }));
}

/**
 * Sends one batch after the other, and records the results. What was not sent is withdrawn.
 *
 * @returns `unrecorded`: why the results could not be recorded; empty if they are
 */
export async function sendBatches(
  { store, action, remember }: LedgerPort,
  from: Head<Ledger>,
  batches: readonly Batch[],
  isFresh: () => boolean,
) {
  const handed = batches.map((batch): Handed => ({ batch, sent: UNSENT }));
  const result = { head: from, handed, unrecorded: "", isKeyRefused: false };
  if (batches.length === 0) return result;
  const record = async (sent: Handed[]) => {
    result.head = await store.record(result.head, (edit) => recordAll(edit, memoryOf(sent)));
  };
  try {
    for (const [nth, one] of handed.entries()) {
      if (!isFresh()) break;
      one.sent = ON_ITS_WAY;
      remember(memoryOf(handed));
      const { sent, isLast, isKeyRefused } = await action.send(one.batch);
      one.sent = sent;
      remember(memoryOf(handed));
      result.isKeyRefused ||= isKeyRefused;
      if (isLast) break;
      if ((nth + 1) % RECORDED_TOGETHER === 0) await record(handed.slice(0, nth + 1));
    }
    await record(handed);
    remember(null);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // The memory stays, and the post step tries again.
    result.unrecorded = error.why;
  }
  return result;
}

/** Records the results of requests. */
export function recordAll(edit: LedgerEdit, memory: RunMemory): void {
  for (const { id, sent } of memory) recordSent(edit, id, sent);
}

/** A sentence that names the started jobs; empty for none. */
export function startedText(handed: readonly { sent: BatchSent }[]): string {
  const jobs = handed.flatMap(({ sent }) => (sent.type === "accepted" ? [sent.jobId] : []));
  return jobs.length === 0 ? "" : ` Jobs that were started: ${jobs.join(", ")}.`;
}

/**
 * Requests the documentation of an open pull request, once, even if many runs try: intent, request, record, as for a
 * batch. It may be stopped between any two calls of the port.
 *
 * @param change the pull request, with its head as `sha`
 * @returns the result; the existing draft, if another run requested it; or why nothing was sent, as the rest of a
 *   sentence. `unrecorded`: as for batches
 * @throws ActionError: nothing was sent
 */
export async function sendDraft(
  port: LedgerPort,
  change: MergedChange,
): Promise<{ sent: BatchSent; unrecorded: string } | { existing: Batch } | { why: string }> {
  const { store, clock, remember } = port;
  const id = `${store.options.runName}.1.0`;
  for (let time = 1; time <= DECISIONS; time++) {
    const { head, issue } = await openLedger(port, NOTHING_SET);
    if (issue?.isClosed) return { why: "the dashboard is closed" };
    const isFresh = freshness(clock);
    const edit = store.options.editOf(head);
    const existing = draftOf(edit, change.key);
    if (existing !== undefined && existing.id !== id) return { existing };
    if (isHandedOver(edit, change.key)) return { why: "it was merged meanwhile" };
    // A write that seemed to be lost has succeeded.
    const batch = existing ?? intendDraft(edit, id, change);
    if (existing === undefined) remember(memoryOf([{ batch, sent: UNSENT }]));
    const after = existing === undefined ? await store.write(head, edit) : head;
    if (after === null) continue;
    const { handed, unrecorded } = await sendBatches(port, after, [batch], isFresh);
    return { sent: handed[0]?.sent ?? UNSENT, unrecorded };
  }
  return { why: "other runs were faster" };
}
