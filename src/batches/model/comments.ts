/**
 * Comments on merged pull requests: each is claimed in the ledger before it is written, so that no two runs write it.
 */

import { withFields } from "../../ledger/file.ts";
import type { Delivery } from "../../runtime/delivery.ts";
import type { PendingComment } from "./ledger.ts";
import { namesOf } from "./names.ts";
import type { BatchRevision } from "./revision.ts";
import { timeOf } from "./revision.ts";

/** In so many runs, GitHub may refuse a comment for a reason that can be mended. */
const MOST_REFUSED_WRITES = 3;
/** In so many runs, a comment may be written without an answer from GitHub: a day of runs every hour. */
const MOST_TRIES = 24;

/** Claims comments that no run has claimed. @param nameOf the ID of a claim */
export function claimComments(
  revision: BatchRevision,
  most: number,
  nameOf: (nth: number) => string,
): { revision: BatchRevision; claimed: (PendingComment & { id: string })[] } {
  const { pendingComments } = revision.ledger;
  const at = timeOf(revision);
  const free = pendingComments.filter(({ claim }) => claim === null).slice(0, most);
  if (free.length === 0) return { revision, claimed: [] };
  const after = pendingComments.map((entry) => {
    const nth = free.indexOf(entry);
    return nth < 0 ? entry : { ...entry, claim: { id: nameOf(nth), at } };
  });
  const event = `Claim the comments on ${namesOf(free.map(({ change }) => change))}`;
  const claimed = free.map((entry, nth) => ({ ...entry, id: nameOf(nth) }));
  return { revision: withFields(revision, { pendingComments: after }, event), claimed };
}

/**
 * Records what became of a claimed comment; nothing if the claim is over. One that the pull request does not take is
 * settled, one that the token may not write is tried in two later runs, and one that may have been written for about a
 * day.
 *
 * @param event for a comment that is settled; null for none
 */
export function recordComment(
  revision: BatchRevision,
  id: string,
  delivery: Delivery<unknown>,
  event: string | null,
): BatchRevision {
  const { pendingComments } = revision.ledger;
  const entry = pendingComments.find(({ claim }) => claim?.id === id);
  if (entry === undefined) return revision;
  const others = pendingComments.filter((other) => other !== entry);
  const free = { ...entry, claim: null };
  switch (delivery.type) {
    case "accepted":
      return withFields(revision, { pendingComments: others }, event);
    case "limited":
    case "busy":
    case "not-sent":
      return withFields(revision, {
        pendingComments: pendingComments.map((other) => (other === entry ? free : other)),
      });
    case "refused":
      if (delivery.by !== "right") return withFields(revision, { pendingComments: others }, event);
      return afterFailure(revision, entry, "refused");
    case "uncertain":
      return afterFailure(revision, entry, "uncertain");
  }
}

/** Tries a comment again in a later run, after the others, so that one which is refused holds none of them up. */
function afterFailure(
  revision: BatchRevision,
  entry: PendingComment,
  failed: "refused" | "uncertain",
) {
  const others = revision.ledger.pendingComments.filter((other) => other !== entry);
  if (isLastTry(entry, failed)) {
    return withFields(revision, { pendingComments: others }, givenUpEvent([entry]));
  }
  const again = triedAgain({ ...entry, claim: null }, failed);
  return withFields(revision, { pendingComments: [...others, again] });
}

/**
 * Whether a comment that a run could not write is given up.
 *
 * @param failed `refused`: the token may not write it. `uncertain`: it may have been written
 */
export function isLastTry(
  { tries, refusals }: PendingComment,
  failed: "refused" | "uncertain",
): boolean {
  return failed === "refused" ? refusals + 1 >= MOST_REFUSED_WRITES : tries + 1 >= MOST_TRIES;
}

function triedAgain(entry: PendingComment, failed: "refused" | "uncertain"): PendingComment {
  if (failed === "refused") return { ...entry, refusals: entry.refusals + 1 };
  return { ...entry, tries: entry.tries + 1 };
}

/** Gives up the claims of dead runs, which may have written their comments. @param isDead by the time of a claim */
export function expireClaims(
  revision: BatchRevision,
  isDead: (writtenAt: string) => boolean,
): BatchRevision {
  const { pendingComments } = revision.ledger;
  const isOver = ({ claim }: PendingComment) => claim !== null && isDead(claim.at);
  if (!pendingComments.some(isOver)) return revision;
  const givenUp = pendingComments.filter((entry) => isOver(entry) && isLastTry(entry, "uncertain"));
  const after = pendingComments
    .filter((entry) => !givenUp.includes(entry))
    .map((entry) => (isOver(entry) ? triedAgain({ ...entry, claim: null }, "uncertain") : entry));
  const event = givenUp.length === 0 ? null : givenUpEvent(givenUp);
  return withFields(revision, { pendingComments: after }, event);
}

function givenUpEvent(entries: readonly PendingComment[]): string {
  return `Give up the comments on ${namesOf(entries.map(({ change }) => change))}`;
}
