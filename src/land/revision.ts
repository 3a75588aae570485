/** What happens to docs pull requests in land's ledger. Pure. */

import { UNKNOWN_GRACE } from "../batches/model/batches.ts";
import { isNews, timeText, withFields } from "../ledger/file.ts";
import { DAY, MINUTE } from "../runtime/clock.ts";
import type { AskedJobFacts, BuildFacts, OtherLedger, PullReading, Sources } from "./facts.ts";
import {
  type AskedJob,
  type Ended,
  type Entry,
  type FoundPull,
  type LandLedger,
  type LandRevision,
  newEntry,
  type Preview,
} from "./ledger.ts";

/** How far the reads of two runs overlap, in milliseconds: GitHub's lists show comments late. */
const OVERLAP = 10 * MINUTE;
/** How far back a first run reads comments, in milliseconds. */
const FIRST_COMMENTS = 30 * DAY;
/** After how long the time of the last read of comments is recorded, even if nothing else is, in milliseconds. */
const COMMENTS_KEPT = DAY;
/** How long ended docs pull requests are kept, in milliseconds, and how many at least. */
const ENDED_KEPT = 31 * DAY;
const LEAST_ENDED = 10;
/** How long an unreadable docs pull request is kept, in milliseconds. */
const UNREAD_KEPT = 30 * DAY;

/** Replaces the entry of the same docs pull request. */
export function withEntry(
  from: LandRevision,
  entry: Entry,
  event: string | null = null,
): LandRevision {
  const open = from.ledger.open.map((pull) => (pull.url === entry.url ? entry : pull));
  return withFields(from, { open }, event);
}

/** The time from which status comments are read, in milliseconds since 1970. */
export function commentsSince({ commentsFrom }: LandLedger, readAt: number): number {
  return commentsFrom === null ? readAt - FIRST_COMMENTS : Date.parse(commentsFrom) - OVERLAP;
}

/** Adds the docs pull requests of ledgers and status comments. @param now GitHub's time, in milliseconds since 1970 */
export function addFromSources(from: LandRevision, sources: Sources, now: number): LandRevision {
  const { readAt, ledgers, jobs } = sources;
  const known = addFromJobs(addFromLedgers(from, ledgers, now), jobs, readAt, now);
  // This alone causes at most one write a day.
  const isDue = readAt - commentsSince(from.ledger, readAt) - OVERLAP > COMMENTS_KEPT;
  if (!isDue && !isNews(known, from.ledger)) return known;
  return withFields(known, { commentsFrom: timeText(readAt) });
}

export function addFromLedgers(
  from: LandRevision,
  ledgers: readonly OtherLedger[],
  now: number,
): LandRevision {
  return ledgers.reduce((before, { ref, sha, pulls, requests }) => {
    const revision = pulls.reduce((known, pull) => addFound(known, pull, now), before);
    return withFields(revision, {
      ledgers: { ...revision.ledger.ledgers, [ref]: sha },
      requests: { ...revision.ledger.requests, [ref]: requests },
    });
  }, from);
}

function addFromJobs(
  from: LandRevision,
  polled: readonly AskedJobFacts[],
  readAt: number,
  now: number,
): LandRevision {
  const revision = polled.reduce((before, { job, poll }) => {
    if (poll.prLink === null) return before;
    const { id: jobId, askedAt } = job;
    const pull = { url: poll.prLink, jobId, changes: [], askedAt, codePull: null };
    return addFound(before, pull, now);
  }, from);
  const jobs = polled.filter((job) => isAwaited(job, readAt)).map(({ job }) => job);
  return withFields(revision, { jobs });
}

function isAwaited({ job, poll }: AskedJobFacts, readAt: number): boolean {
  if (poll.prLink !== null) return false;
  const mayBeYoung = poll.state === "unknown" && readAt - Date.parse(job.at) < UNKNOWN_GRACE;
  return poll.state === "active" || poll.state === "unread" || mayBeYoung;
}

/** Jobs that are polled because no docs pull request of theirs is known. */
export function jobsToPoll(ledger: LandLedger, commented: readonly AskedJob[]): AskedJob[] {
  const known = new Set(ledger.open.map(({ jobId }) => jobId));
  const jobs = new Map([...ledger.jobs, ...commented].map((job) => [job.id, job]));
  return [...jobs.values()].filter(({ id }) => !known.has(id));
}

/** Adds a docs pull request, unless it has ended. A ledger's facts about it take precedence. */
export function addFound(from: LandRevision, added: FoundPull, now: number): LandRevision {
  const { open, ended } = from.ledger;
  const { url, jobId, changes, codePull } = added;
  const known = open.find((pull) => pull.url === url);
  if (known !== undefined) {
    return changes.length === 0 ? from : withEntry(from, { ...known, jobId, changes, codePull });
  }
  if (ended.some((pull) => pull.url === url)) return from;
  return withFields(from, { open: [...open, newEntry(added, now)] }, `Found ${url}`);
}

/** An entry with what was read about it; null if it could not be read for so long that it is given up. */
export function afterReading(entry: Entry, reading: PullReading, now: number): Entry | null {
  const time = timeText(now);
  if (reading.type === "unread") {
    const unreadFrom = entry.unreadFrom ?? time;
    return now - Date.parse(unreadFrom) >= UNREAD_KEPT ? null : { ...entry, unreadFrom };
  }
  const { head, createdAt, firstAuthor, isEditedByOthers, repositoryId, isLocked } =
    reading.facts.pull;
  return {
    ...entry,
    repositoryId: entry.repositoryId ?? repositoryId,
    lastRead: { openedAt: createdAt, head },
    headAt: entry.lastRead?.head === head ? entry.headAt : time,
    unreadFrom: null,
    agent: entry.agent ?? firstAuthor,
    // If the first commit has another author now, the branch was force-pushed.
    isEditedByOthers: isEditedByOthers || (entry.agent !== null && entry.agent !== firstAuthor),
    isClosedToComments: entry.isClosedToComments && isLocked,
    preview: entry.preview && afterBuild(entry.preview, reading.build),
  };
}

function afterBuild(preview: Preview, build: BuildFacts | null): Preview {
  if (build === null || preview.state !== "building") return preview;
  const { head, statusId, url } = preview;
  switch (build.type) {
    case "building":
      return preview;
    case "built":
      return { head, state: "built", statusId, url };
    case "failed":
      return { head, state: "failed", statusId, url };
    case "forgotten":
      return { head, state: "refused", reason: "The service has forgotten its build." };
  }
}

export function giveUp(from: LandRevision, { url }: Entry): LandRevision {
  const open = from.ledger.open.filter((pull) => pull.url !== url);
  return withFields(from, { open }, `Stop tracking ${url}, which cannot be read`);
}

/** Moves a docs pull request that was merged or closed to the ended ones. */
export function endPull(
  from: LandRevision,
  entry: Entry,
  state: Ended["state"],
  endedAt: string,
  now: number,
): LandRevision {
  const { url, lastRead, isEditedByOthers, changes, followUps } = entry;
  const line: Ended = {
    url,
    state,
    openedAt: lastRead?.openedAt ?? null,
    endedAt,
    isEditedByOthers,
    changes: changes.length,
    followUps: followUps.map(({ at }) => at),
  };
  const all = [...from.ledger.ended.filter((pull) => pull.url !== url), line];
  const ended = all.filter(
    (pull, nth) => now - Date.parse(pull.endedAt) < ENDED_KEPT || nth >= all.length - LEAST_ENDED,
  );
  const open = from.ledger.open.filter((pull) => pull.url !== url);
  const event = `${state === "merged" ? "Merged" : "Closed"}: ${url}`;
  return {
    ...withFields(from, { open, ended }, event),
    history: [...from.history, line],
  };
}
