/** What a run reads of batches and docs pull requests before it decides, and what that changes in the ledger. */

import type { PullEnd, PullState } from "../github/changes/pull-state.ts";
import { HOUR } from "../runtime/clock.ts";
import { spellOut } from "./dashboard/boxes.ts";
import { type Polled, takePoll } from "./model/batches.ts";
import {
  applyDecision,
  type Decision,
  type Documented,
  endedUnmerged,
  takeReopened,
  takeReview,
  undecidedEntries,
} from "./model/decisions.ts";
import { liftHalt } from "./model/failures.ts";
import type { Ledger, RunningBatch } from "./model/ledger.ts";
import type { BatchRevision } from "./model/revision.ts";

const SECOND = 1000;
/** Maximum number of docs pull requests that a run reads. */
const MOST_REVIEWS = 10;

/** What a run reads for each decision. */
export interface BatchFacts {
  /** By batch or draft. */
  polls: ReadonlyMap<string, Polled>;
  /** The states of docs pull requests that were open, by link. */
  reviews: ReadonlyMap<string, PullState>;
  /** A docs pull request that had ended, and is open again or was merged after all; null for none. */
  reopened: Reopened | null;
}

interface Reopened extends Documented {
  prLink: string;
  state: "open" | "merged";
}

/** What reads the facts. */
export interface Readers {
  /** @returns null if nothing could be read */
  poll(batch: RunningBatch): Promise<Polled | null>;
  readPullState(link: string): Promise<PullState>;
  readPullEnd(link: string): Promise<PullEnd>;
  /** @returns null if the history does not know it */
  readDocumented(link: string): Promise<Documented | null>;
}

/** Readers that ask each question once about a batch or a docs pull request, however often a run decides. */
export function askingOnce(readers: Readers): Readers {
  return {
    poll: oncePer(
      ({ id }) => id,
      (batch) => readers.poll(batch),
    ),
    readPullState: oncePer(same, (link) => readers.readPullState(link)),
    readPullEnd: oncePer(same, (link) => readers.readPullEnd(link)),
    readDocumented: (link) => readers.readDocumented(link),
  };
}

function oncePer<T, R>(keyOf: (value: T) => string, read: (value: T) => Promise<R>) {
  const known = new Map<string, Promise<R>>();
  return (value: T): Promise<R> => {
    const key = keyOf(value);
    const reading = known.get(key) ?? read(value);
    known.set(key, reading);
    return reading;
  };
}

const same = (link: string): string => link;

/**
 * Polls each running batch and draft once, and reads docs pull requests that were open.
 *
 * @param now GitHub's time, in milliseconds since 1970
 */
export async function readBatchFacts(
  ledger: Ledger,
  now: number,
  readers: Readers,
): Promise<BatchFacts> {
  const polls = new Map<string, Polled>();
  const reviews = new Map<string, PullState>();
  const readEnd = async (link: string) => {
    const pull = await readers.readPullEnd(link);
    reviews.set(link, pull.state);
    return pull;
  };
  const poll = async (batch: RunningBatch, isDraft: boolean) => {
    const polled = await readers.poll(batch);
    if (polled === null) return;
    const inReview = ledger.reviews.find(({ jobId }) => jobId === batch.job.id);
    const link = polled.prLink ?? inReview?.prLink;
    const isOver = polled.type === "done" && link !== undefined && !isDraft;
    polls.set(batch.id, isOver ? { ...polled, pull: await readEnd(link) } : polled);
  };
  for (const batch of ledger.batches) if (batch.state === "running") await poll(batch, false);
  for (const draft of ledger.drafts) if (draft.state === "running") await poll(draft, true);
  for (const link of linksToRead(ledger, now)) {
    if (!reviews.has(link)) reviews.set(link, await readers.readPullState(link));
  }
  return { polls, reviews, reopened: await readReopened(ledger, now, readers) };
}

/** Reads one of the docs pull requests that ended without being merged: by the second, so that each has its turn. */
async function readReopened(
  ledger: Ledger,
  now: number,
  readers: Pick<Readers, "readPullState" | "readDocumented">,
): Promise<Reopened | null> {
  const links = endedUnmerged(ledger);
  const prLink = links[Math.floor(now / SECOND) % links.length];
  if (prLink === undefined) return null;
  const state = await readers.readPullState(prLink);
  if (state !== "open" && state !== "merged") return null;
  const documented = await readers.readDocumented(prLink);
  return documented === null ? null : { ...documented, prLink, state };
}

/** The last one decides where the next batch goes. Which of the others are read changes every hour. */
function linksToRead({ reviews }: Ledger, now: number): string[] {
  const links = reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const first = others.length < MOST_REVIEWS ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(first), ...others.slice(0, first)];
  return [...links.slice(-1), ...turned.slice(0, MOST_REVIEWS - 1)];
}

/** Applies the facts and people's decisions to the ledger. @param ticks of the dashboard */
export function settle(
  revision: BatchRevision,
  { polls, reviews, reopened }: BatchFacts,
  ticks: readonly Decision[],
): BatchRevision {
  let settled = revision;
  for (const [id, polled] of polls) settled = takePoll(settled, id, polled);
  for (const [link, state] of reviews) settled = takeReview(settled, link, state);
  if (reopened !== null) {
    settled = takeReopened(settled, reopened.prLink, reopened.state, reopened);
  }
  settled = liftHalt(settled);
  const decisions = spellOut(ticks, undecidedEntries(settled));
  for (const decision of decisions) settled = applyDecision(settled, decision);
  return settled;
}
