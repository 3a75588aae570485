import type { MergedChange } from "../../github/changes/change-details.ts";
import type { Clock } from "../../runtime/clock.ts";
import { draftOf, intendDraft, recordSent } from "../model/batches.ts";
import type { Batch } from "../model/ledger.ts";
import { INTENT_LIFETIME, type LedgerEdit } from "../model/ledger-edit.ts";
import { Dashboard } from "./dashboard-issue.ts";
import type { Handed, LedgerAction, LedgerPort } from "./port.ts";
import { DECISIONS } from "./store.ts";
import { Unavailable } from "./unavailable.ts";

/** After how many requests their results are recorded. */
const RECORDED_TOGETHER = 5;

/** How long after reading the ledger a run may send requests, in milliseconds. */
const FRESH = INTENT_LIFETIME / 2;

/** Starts a timer. @returns whether the run may still send requests */
export function freshness(clock: Pick<Clock, "now" | "timeOfDay">): () => boolean {
  const [monotonic, wall] = [clock.now(), clock.timeOfDay()];
  // If the machine was suspended, only one of its clocks may show that.
  return () => Math.max(clock.now() - monotonic, clock.timeOfDay() - wall) < FRESH;
}

/** Batches before anything is sent. */
export function unsent(batches: readonly Pick<Batch, "id" | "changes">[]): Handed[] {
  return batches.map(({ id, changes }) => ({ id, changes, sent: { type: "withdrawn" } }));
}

/**
 * Sends one batch after the other, and records the results. What was not sent is withdrawn.
 *
 * @returns `unrecorded`: why the results could not be recorded; empty if they are
 */
export async function sendBatches(
  port: LedgerPort,
  action: Pick<LedgerAction, "send">,
  batches: readonly Batch[],
  isFresh: () => boolean,
) {
  const handed = unsent(batches);
  const result = { handed, unrecorded: "", isKeyRefused: false };
  if (handed.length === 0) return result;
  const record = (sent: readonly Handed[]) => port.store.record((edit) => recordAll(edit, sent));
  try {
    for (const [nth, one] of handed.entries()) {
      if (!isFresh()) break;
      one.sent = { type: "uncertain", why: "The run ended while the request was being sent" };
      port.remember(handed);
      const { sent, isLast, isKeyRefused } = await action.send(one);
      one.sent = sent;
      port.remember(handed);
      result.isKeyRefused ||= isKeyRefused;
      if (isLast) break;
      if ((nth + 1) % RECORDED_TOGETHER === 0) await record(handed.slice(0, nth + 1));
    }
    await record(handed);
    port.remember(null);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // What was saved stays, and the post step tries again.
    result.unrecorded = error.why;
  }
  return result;
}

/** Records the results of requests. */
export function recordAll(edit: LedgerEdit, handed: readonly Pick<Handed, "id" | "sent">[]): void {
  for (const { id, sent } of handed) recordSent(edit, id, sent);
}

/** A sentence that names the started jobs; empty for none. */
export function startedText(handed: readonly Pick<Handed, "sent">[]): string {
  const jobs = handed.flatMap(({ sent }) => (sent.type === "accepted" ? [sent.jobId] : []));
  return jobs.length === 0 ? "" : ` Jobs that were started: ${jobs.join(", ")}.`;
}

/**
 * Requests the documentation of an open pull request, once, even if many runs try: intent, request, record, as for a
 * batch. It may be stopped between any two calls of the port.
 *
 * @param change the pull request, with its head as `sha`
 * @returns the result, as for batches; the existing draft, if another run requested it; or why nothing was sent, as the
 *   rest of a sentence
 * @throws ActionError: nothing was sent
 */
export async function sendDraft(
  port: LedgerPort,
  action: Pick<LedgerAction, "send">,
  change: MergedChange,
): Promise<{ handed: Handed[]; unrecorded: string } | { existing: Batch } | { why: string }> {
  const { store } = port;
  const id = `${store.options.runName}.1.0`;
  const dashboard = new Dashboard(port);
  for (let time = 1; time <= DECISIONS; time++) {
    await dashboard.read();
    if (dashboard.issue?.isClosed) return { why: "the dashboard is closed" };
    const isFresh = freshness(port.dependencies.clock);
    const edit = store.edit();
    const existing = draftOf(edit, change.key);
    if (existing !== undefined && existing.id !== id) return { existing };
    const { waiting, batches, reviews } = edit.ledger;
    const held = [...waiting, ...batches, ...reviews].flatMap(({ changes }) => changes);
    if (held.some(({ key }) => key === change.key)) return { why: "it was merged meanwhile" };
    // If there is one, a write that seemed to be lost has succeeded.
    const batch = existing ?? intendDraft(edit, id, change);
    if (existing === undefined) {
      port.remember(unsent([batch]));
      if ((await store.write(edit)) === null) continue;
    }
    return await sendBatches(port, action, [batch], isFresh);
  }
  return { why: "other runs were faster" };
}
