import { joinClaims } from "./join-claims.ts";
import type { Change, Checkpoint, Claim, DatedClaim, LedgerComment } from "./record.ts";

/** A claim, and the comment it was found in. */
export interface FoundClaim<C extends Change> extends DatedClaim<C> {
  /** For a claim that names no comment yet, the oldest one with it. */
  commentId: number;
}

interface Sources<C extends Change> {
  checkpoints: Checkpoint<C>[];
  comments: LedgerComment<C>[];
  own: DatedClaim<C>[];
  without?: string | null;
}

interface Found<C extends Change> {
  /** Each claim once, oldest first. */
  claims: FoundClaim<C>[];
  /** Highest number in a checkpoint. */
  highest: number;
}

/**
 * Finds each claim once: a claim that names its comment counts there and nowhere else. One that names
 * none yet counts in the oldest comment with it, and only if its number is new: otherwise it is a copy,
 * or its run has been overtaken and will notice.
 */
export function collectClaims<C extends Change>(sources: Sources<C>): Found<C> {
  const named = namedClaims(sources);
  const highest = Math.max(0, ...sources.checkpoints.map((checkpoint) => checkpoint.highest));
  const numbers = [...named.values()].map(({ claim }) => claim.number);
  const newest = Math.max(highest, ...numbers);
  const claims = [...named.values()];
  for (const found of unnamedClaims(sources.comments).values()) {
    const isNew = found.claim.number > newest && !named.has(found.claim.id);
    if (isNew && found.claim.id !== sources.without) claims.push(found);
  }
  claims.sort((a, b) => a.claim.number - b.claim.number || a.commentId - b.commentId);
  return { claims, highest };
}

function namedClaims<C extends Change>(sources: Sources<C>): Map<string, FoundClaim<C>> {
  const named = new Map<string, FoundClaim<C>>();
  const add = (dated: DatedClaim<C>): void => {
    const { id, comment } = dated.claim;
    if (comment === null || id === sources.without) return;
    const known = named.get(id);
    const joined = known === undefined ? dated : joinClaims(known, dated);
    named.set(id, { ...joined, commentId: comment });
  };
  for (const checkpoint of sources.checkpoints) checkpoint.claims.forEach(add);
  for (const comment of sources.comments) {
    const claim = claimIn(comment);
    if (claim?.comment === comment.id) add({ ...comment, claim });
  }
  sources.own.forEach(add);
  for (const { claim } of [...named.values()]) claim.takenAsUncertain.forEach(add);
  return named;
}

function unnamedClaims<C extends Change>(comments: LedgerComment<C>[]): Map<string, FoundClaim<C>> {
  const unnamed = new Map<string, FoundClaim<C>>();
  for (const comment of [...comments].sort((a, b) => a.id - b.id)) {
    const claim = claimIn(comment);
    if (claim === null || claim.comment !== null || unnamed.has(claim.id)) continue;
    const { createdAt, updatedAt } = comment;
    unnamed.set(claim.id, { claim, createdAt, updatedAt, commentId: comment.id });
  }
  return unnamed;
}

function claimIn<C extends Change>({ record }: LedgerComment<C>): Claim<C> | null {
  return record?.kind === "claim" ? record : null;
}
