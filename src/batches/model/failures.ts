/** What comes to nothing in a row: after too much of it, nothing more is handed over until a person goes on. */

import { withFields } from "../../ledger/file.ts";
import { counted } from "../../text/sentence.ts";
import type { Draft, Halt, Ledger } from "./ledger.ts";
import { type BatchRevision, openBatches } from "./revision.ts";

export const NO_FAILURES: Ledger["failures"] = { inRow: [], halt: null };

export function isHalted({ failures }: Ledger): boolean {
  return failures.halt !== null;
}

/** How many more failures there may be before nothing more is handed over. */
export function failuresLeft({ ledger, rules }: BatchRevision): number {
  return Math.max(0, rules.maxFailures - ledger.failures.inRow.length);
}

/**
 * Counts that a batch came to nothing. All that comes of one batch counts once, when its last part is at its end, and
 * not at all if a part succeeded. A batch of one change has no parts: it counts when it first fails.
 *
 * @param batch as it was, before its changes were given back
 * @param cause what counts once; default: the batch that its changes are from
 */
export function noteFailure(
  revision: BatchRevision,
  { id, changes, origin }: Draft,
  how: Ledger["failures"]["inRow"][number]["how"],
  jobId: string | null,
  cause = origin.id,
): BatchRevision {
  const { failures, waiting } = revision.ledger;
  const isOfSame = (part: { origin: Draft["origin"] | null }) => part.origin?.id === origin.id;
  const hasParts = changes.length > 1 || id !== origin.id;
  const isOpen = hasParts && (waiting.some(isOfSame) || openBatches(revision).some(isOfSame));
  const isCounted = failures.inRow.some((failure) => failure.cause === cause);
  if (origin.hasSucceeded || isOpen || isCounted) return revision;
  const inRow = [...failures.inRow, { cause, how, jobId }];
  const counting = withFailures(revision, { ...failures, inRow });
  if (isHalted(revision.ledger) || inRow.length < revision.rules.maxFailures) return counting;
  const halt = { id: `halt ${cause}`, inRow };
  return withFields(
    counting,
    { failures: { inRow, halt } },
    `Stop after ${haltName(halt)} in a row`,
  );
}

/** A part of a batch has come to a good end, so that nothing is wrong for all. A halt stays until a person goes on. */
export function noteSuccess(revision: BatchRevision, { origin }: Draft): BatchRevision {
  const { failures, waiting, batches } = revision.ledger;
  const mark = <T extends { origin: Draft["origin"] | null }>(part: T): T =>
    part.origin?.id === origin.id
      ? { ...part, origin: { ...part.origin, hasSucceeded: true } }
      : part;
  const marked = withFields(revision, { waiting: waiting.map(mark), batches: batches.map(mark) });
  return failures.inRow.length === 0 ? marked : withFailures(marked, { ...failures, inRow: [] });
}

/** The service has accepted a request: neither its refusals nor lost answers are those of all. */
export function noteAccepted(revision: BatchRevision): BatchRevision {
  const { failures } = revision.ledger;
  const inRow = failures.inRow.filter(({ jobId }) => jobId !== null);
  if (inRow.length === failures.inRow.length) return revision;
  return withFailures(revision, { ...failures, inRow });
}

/** What became of a batch is known after all. What one run has lost counts as long as a part of it is not known. */
export function noteKnown(revision: BatchRevision, batch: Draft): BatchRevision {
  const { failures, batches, drafts } = revision.ledger;
  const unknown = [...batches, ...drafts].filter((it) => it.id !== batch.id && isUnknown(it));
  const others = new Set(unknown.flatMap(causesOf));
  const known = causesOf(batch).filter((cause) => !others.has(cause));
  const inRow = failures.inRow.filter(
    ({ cause, how }) => how !== "unknown" || !known.includes(cause),
  );
  if (inRow.length === failures.inRow.length) return revision;
  return withFailures(revision, { ...failures, inRow });
}

function isUnknown(batch: Draft): boolean {
  if (batch.state === "failed") return batch.reason.code === "job-unknown";
  return batch.state === "uncertain";
}

/** By what it may count that nobody knows what became of a batch. */
function causesOf({ id, origin }: Draft): string[] {
  return [origin.id, runOf(id)];
}

/** The name of the run whose decision made a batch: what it has lost counts once. */
export function runOf(id: string): string {
  return id.split(".").slice(0, -2).join(".") || id;
}

/** A person goes on. @param id of the halt that they were shown */
export function goOn(revision: BatchRevision, id: string): BatchRevision {
  const { halt } = revision.ledger.failures;
  if (halt?.id !== id) return revision;
  return withFields(revision, { failures: NO_FAILURES }, `Go on after ${haltName(halt)}`);
}

/** Goes on if `max-failures` was raised. */
export function liftHalt(revision: BatchRevision): BatchRevision {
  const { failures } = revision.ledger;
  const { halt } = failures;
  if (halt === null || halt.inRow.length >= revision.rules.maxFailures) return revision;
  const event = `Go on after ${haltName(halt)}, which \`max-failures\` allows now`;
  return withFields(revision, { failures: { ...failures, halt: null } }, event);
}

/** For example `3 failures`. */
function haltName({ inRow }: Halt): string {
  return counted(inRow.length, "failure");
}

function withFailures(revision: BatchRevision, failures: Ledger["failures"]): BatchRevision {
  return withFields(revision, { failures });
}
