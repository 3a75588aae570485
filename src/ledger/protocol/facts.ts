import { type Polled, type PullRequest, takePoll, takeReview } from "../model/batch-events.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { io, type Steps } from "./port.ts";
import type { Head } from "./write-ledger.ts";

/** How many docs pull requests are read in a run. */
const MOST_REVIEWS = 10;
const HOUR = 60 * 60_000;

/** What a run finds out once, however often it decides. */
export interface Facts {
  /** By batch, or draft. */
  polls: Map<string, Polled>;
  /** By batch, for follow-ups at their end. */
  followedUp: Map<string, PullRequest>;
  /** By link. */
  reviews: Map<string, PullRequest>;
}

/** Polls each running batch and draft once, and reads docs pull requests that were open. */
export function* findFacts({ ledger, now }: Head): Steps<Facts> {
  const facts: Facts = { polls: new Map(), followedUp: new Map(), reviews: new Map() };
  for (const batch of ledger.batches) {
    const polled = batch.state === "running" ? yield* io.poll(batch) : null;
    if (polled === null) continue;
    facts.polls.set(batch.id, polled);
    const known = ledger.reviews.find(({ jobId }) => jobId === batch.jobId)?.prLink;
    const link = polled.prLink ?? known;
    if (polled.type !== "done" || link === undefined) continue;
    const pull = yield* readOnce(facts, link);
    if (batch.isFollowUp && link === known) facts.followedUp.set(batch.id, pull);
  }
  for (const { id, state, jobId, acceptedAt } of ledger.drafts) {
    const asked = { jobId, acceptedAt, isFollowUp: false };
    const polled = state === "running" ? yield* io.poll(asked) : null;
    if (polled !== null) facts.polls.set(id, polled);
  }
  // The last one says where the next batch goes; of the others, each hour some.
  const links = ledger.reviews.map(({ prLink }) => prLink);
  const others = links.slice(0, -1);
  const first = others.length < MOST_REVIEWS ? 0 : Math.floor(now / HOUR) % others.length;
  const turned = [...others.slice(first), ...others.slice(0, first)].slice(0, MOST_REVIEWS - 1);
  for (const link of [...links.slice(-1), ...turned]) yield* readOnce(facts, link);
  return facts;
}

function* readOnce({ reviews }: Facts, link: string): Steps<PullRequest> {
  const pull = reviews.get(link) ?? (yield* io.readPullRequest(link));
  reviews.set(link, pull);
  return pull;
}

/** Writes down what was found out. */
export function takeFacts(edit: LedgerEdit, { polls, followedUp, reviews }: Facts): void {
  for (const [id, polled] of polls) takePoll(edit, id, polled, followedUp.get(id) ?? null);
  for (const [link, pull] of reviews) takeReview(edit, link, pull);
}
