/** What a run finds out about batches, drafts and docs pull requests before it decides. */

import { MOST_POLLS } from "../job/wait.ts";
import { HOUR } from "../runtime/clock.ts";
import { inParallel } from "../runtime/dependencies.ts";
import { type Fact, known, valueOrNull } from "../runtime/fact.ts";
import type { BatchReads } from "./batch-reads.ts";
import { liftHalt } from "./model/failures.ts";
import { expireFollowed, takeFollowed } from "./model/followed.ts";
import type { RunningBatch } from "./model/ledger.ts";
import { type Polled, polledBatches, takePoll } from "./model/polls.ts";
import { endedUnmerged, takeReopened, takeReview } from "./model/reviews.ts";
import { type BatchRevision, isDraft } from "./model/revision.ts";

const SECOND = 1000;
/** Maximum number of docs pull requests that a run reads. */
const MOST_REVIEWS = 10;

/** Records what became of batches, drafts and docs pull requests: polls each that is not at its end, once. */
export async function applyFacts(
  from: BatchRevision,
  reads: BatchReads,
): Promise<{
  readonly revision: BatchRevision;
  /** What polls said, by batch; without those that could not be made. */
  readonly polls: ReadonlyMap<string, Fact<Polled>>;
  /** Whether the service knows none of the jobs that were polled, although one of them should have been found. */
  readonly isNoneFound: boolean;
}> {
  const begun = expireFollowed(from);
  const batches = polledBatches(begun);
  const { followed } = begun.ledger;
  const answers = await inParallel([...batches, ...followed], MOST_POLLS, async (batch) => {
    return [batch.id, await reads.poll(batch)] as const;
  });
  const polls = new Map(answers.filter(([, { type }]) => type !== "unread"));
  const isAnyFound = [...polls.values()].some(({ type }) => type === "known");
  const links: string[] = [];
  let revision = begun;
  for (const batch of batches) {
    const poll = polls.get(batch.id);
    if (poll === undefined) continue;
    links.push(...endedLinks(revision, batch, poll));
    revision = await takePolled(revision, batch, poll, reads, { isAnyFound });
  }
  for (const { id } of followed) {
    const poll = polls.get(id);
    if (poll !== undefined) revision = takeFollowed(revision, id, poll);
  }
  const isNoneFound = polls.size > 0 && !isAnyFound && isMissingAny(revision);
  return {
    revision: liftHalt(await takeReviews(revision, begun, links, reads)),
    polls,
    isNoneFound,
  };
}

function isMissingAny({ ledger: { batches, drafts } }: BatchRevision): boolean {
  return [...batches, ...drafts].some(
    (batch) => batch.state === "running" && batch.job.missingSince !== null,
  );
}

/**
 * Records what a poll says. Whether a follow-up came too late for its docs pull request decides what became of it: if
 * that cannot be read in passing, a later run records the end.
 */
export async function takePolled(
  revision: BatchRevision,
  batch: RunningBatch,
  poll: Fact<Polled>,
  reads: Pick<BatchReads, "pullEnd">,
  context: Pick<NonNullable<Parameters<typeof takePoll>[3]>, "isAnyFound" | "isPolledTwice">,
): Promise<BatchRevision> {
  const [link = null] = batch.job.isFollowUp ? endedLinks(revision, batch, poll) : [];
  const end = link === null ? null : await reads.pullEnd(link);
  if (end?.type === "unread" && end.isPassing) return revision;
  return takePoll(revision, batch.id, poll, { ...context, pull: valueOrNull(end) });
}

/** The docs pull request of a batch whose job has come to its end; none for a draft. */
function endedLinks(
  revision: BatchRevision,
  { id, job }: RunningBatch,
  poll: Fact<Polled>,
): string[] {
  const type = poll.type === "known" ? poll.value.type : null;
  const isEnded = type === "completed" || type === "archived";
  if (poll.type !== "known" || !isEnded || isDraft(revision, id)) return [];
  const inReview = revision.ledger.reviews.find(({ jobId }) => jobId === job.id);
  const link = poll.value.prLink ?? inReview?.prLink ?? null;
  return link === null ? [] : [link];
}

/** Reads docs pull requests, at most ten. @param links those of jobs whose end this run found */
async function takeReviews(
  polled: BatchRevision,
  begun: BatchRevision,
  links: readonly string[],
  reads: BatchReads,
): Promise<BatchRevision> {
  let revision = polled;
  for (const link of linksToRead(begun, links)) {
    const state = await reads.pullState(link);
    const isClosed = state.type === "known" && state.value === "closed";
    const closedBy = isClosed ? await reads.closedBy(link) : known(null);
    // Who closed it decides what became of it: it is read as long as that is not known.
    const read = closedBy.type === "known" ? state : closedBy;
    revision = takeReview(revision, link, read, valueOrNull(closedBy));
  }
  return await takeOneReopened(revision, begun, reads);
}

/** The last one decides where the next batch goes. Which of the others are read changes every hour. */
function linksToRead({ ledger, now }: BatchRevision, first: readonly string[]): string[] {
  const most = endedUnmerged(ledger).length > 0 ? MOST_REVIEWS - 1 : MOST_REVIEWS;
  const links = ledger.reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const from = others.length < most ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(from), ...others.slice(0, from)];
  return [...new Set([...first, ...links.slice(-1), ...turned])].slice(0, most);
}

/** Reads one of the docs pull requests that ended without being merged: by the second, so that each has its turn. */
async function takeOneReopened(
  revision: BatchRevision,
  { ledger, now }: BatchRevision,
  reads: BatchReads,
): Promise<BatchRevision> {
  const links = endedUnmerged(ledger);
  const prLink = links[Math.floor(now / SECOND) % links.length];
  if (prLink === undefined) return revision;
  const read = await reads.pullState(prLink);
  if (read.type !== "known" || read.value === "closed") return revision;
  const documented = await reads.documented(prLink);
  if (documented.type !== "known") return revision;
  return takeReopened(revision, prLink, read.value, documented.value);
}
