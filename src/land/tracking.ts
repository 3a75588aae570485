/** What happens to docs pull requests in land's ledger. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { afterMissing, isWithoutPull, USUAL_DEADLINE } from "../job/doubt.ts";
import { isNews, type Revision, timeText, withFields } from "../ledger/file.ts";
import { DAY, MINUTE } from "../runtime/clock.ts";
import type { Fact } from "../runtime/fact.ts";
import {
  type AskedJob,
  type Ended,
  type FoundPull,
  type LandLedger,
  newEntry,
  type Preview,
  type PullEntry,
} from "./ledger.ts";
import type { OtherLedger } from "./read-sources.ts";
import type { DocsJobPoll, PreviewBuild } from "./reads.ts";

/** How far the reads of two runs overlap, in milliseconds: GitHub's lists show comments late. */
const OVERLAP = 10 * MINUTE;
/** How far back a first run reads comments, in milliseconds. */
const FIRST_COMMENTS = 30 * DAY;
/** After how long the time of the last read of comments is recorded, even if nothing else is, in milliseconds. */
const COMMENTS_KEPT = DAY;
/** How long ended docs pull requests are kept, in milliseconds, and how many at least. */
const ENDED_KEPT = 31 * DAY;
const LEAST_ENDED = 10;
/** How many closed ones may be reopened: eight cost one request in each run. */
const MOST_CLOSED = 16;
/** How long an unreadable docs pull request is kept, in milliseconds. */
const UNREAD_KEPT = 30 * DAY;

/** Where docs pull requests were found. */
export interface Sources {
  /** GitHub's time when the reading began, in milliseconds since 1970. Later comments are left to the next run. */
  readonly readAt: number;
  /** The ledgers that have changed. */
  readonly ledgers: readonly OtherLedger[];
  /** The jobs of status comments without a known docs pull request, which were polled. */
  readonly jobs: readonly { readonly job: AskedJob; readonly poll: Fact<DocsJobPoll> }[];
}

/** Replaces the entry of the same docs pull request. */
export function withEntry(
  from: Revision<LandLedger>,
  entry: PullEntry,
  event: string | null = null,
): Revision<LandLedger> {
  const open = from.ledger.open.map((pull) => (pull.url === entry.url ? entry : pull));
  return withFields(from, { open }, event);
}

/** The time from which status comments are read, in milliseconds since 1970. */
export function commentsSince({ commentsFrom }: LandLedger, readAt: number): number {
  return commentsFrom === null ? readAt - FIRST_COMMENTS : Date.parse(commentsFrom) - OVERLAP;
}

/** Adds the docs pull requests of ledgers and status comments. @param now GitHub's time, in milliseconds since 1970 */
export function addFromSources(
  from: Revision<LandLedger>,
  sources: Sources,
  now: number,
): Revision<LandLedger> {
  const { readAt, ledgers, jobs } = sources;
  const known = addFromJobs(addFromLedgers(from, ledgers, now), jobs, readAt, now);
  // This alone causes at most one write a day.
  const isDue = readAt - commentsSince(from.ledger, readAt) - OVERLAP > COMMENTS_KEPT;
  if (!isDue && !isNews(known, from.ledger)) return known;
  // Another run may have read them later.
  const { commentsFrom } = known.ledger;
  const until = commentsFrom === null ? readAt : Math.max(readAt, Date.parse(commentsFrom));
  return withFields(known, { commentsFrom: timeText(until) });
}

export function addFromLedgers(
  from: Revision<LandLedger>,
  ledgers: readonly OtherLedger[],
  now: number,
): Revision<LandLedger> {
  return ledgers.reduce((before, { ref, sha, pulls, requests }) => {
    const revision = pulls.reduce((known, pull) => addFound(known, pull, now), before);
    return withFields(revision, {
      ledgers: { ...revision.ledger.ledgers, [ref]: sha },
      requests: { ...revision.ledger.requests, [ref]: requests },
    });
  }, from);
}

function addFromJobs(
  from: Revision<LandLedger>,
  polled: Sources["jobs"],
  readAt: number,
  now: number,
): Revision<LandLedger> {
  const revision = polled.reduce((before, { job, poll }) => {
    const url = pullIn(poll);
    if (url === null) return before;
    const { id: jobId, askedAt } = job;
    return addFound(before, { url, jobId, changes: [], askedAt, codePull: null }, now);
  }, from);
  const isAnyFound = polled.some(({ poll }) => poll.type === "known");
  const jobs = polled.flatMap((job) => awaited(job, readAt, isAnyFound) ?? []);
  return withFields(revision, { jobs });
}

function pullIn(poll: Fact<DocsJobPoll>): string | null {
  return poll.type === "known" ? poll.value.prLink : null;
}

/** A job that is polled again, with what one poll alone does not prove; null if it needs none. */
function awaited(
  { job, poll }: Sources["jobs"][number],
  now: number,
  isAnyFound: boolean,
): AskedJob | null {
  switch (poll.type) {
    case "known": {
      if (poll.value.prLink !== null) return null;
      if (poll.value.isActive) return { ...job, missingSince: null, withoutPullSince: null };
      if (isWithoutPull(timeIn(job.withoutPullSince), now)) return null;
      return {
        ...job,
        missingSince: null,
        withoutPullSince: job.withoutPullSince ?? timeText(now),
      };
    }
    case "absent": {
      const dates = { acceptedAt: Date.parse(job.at), missingSince: timeIn(job.missingSince) };
      const after = afterMissing(dates, now, { isAnyFound, deadline: USUAL_DEADLINE });
      const missingSince = after.missingSince === null ? null : timeText(after.missingSince);
      return after.isUnknown ? null : { ...job, missingSince };
    }
    case "unread":
      return job;
  }
}

function timeIn(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/** Jobs that are polled because no docs pull request of theirs is known. */
export function jobsToPoll(ledger: LandLedger, commented: readonly AskedJob[]): AskedJob[] {
  const known = new Set(ledger.open.map(({ jobId }) => jobId));
  const before = new Map(ledger.jobs.map((job) => [job.id, job]));
  const edited = commented.map((job) => {
    const { missingSince = null, withoutPullSince = null } = before.get(job.id) ?? {};
    return { ...job, missingSince, withoutPullSince };
  });
  const jobs = new Map([...ledger.jobs, ...edited].map((job) => [job.id, job]));
  return [...jobs.values()].filter(({ id }) => !known.has(id));
}

/** Adds a docs pull request, unless it has ended. A ledger's facts about it take precedence. */
export function addFound(
  from: Revision<LandLedger>,
  added: FoundPull,
  now: number,
): Revision<LandLedger> {
  const { open, ended } = from.ledger;
  const { url, jobId, changes, codePull } = added;
  const known = open.find((pull) => pull.url === url);
  if (known !== undefined) {
    return changes.length === 0 ? from : withEntry(from, { ...known, jobId, changes, codePull });
  }
  if (ended.some((pull) => pull.url === url)) return from;
  return withFields(from, { open: [...open, newEntry(added, now)] }, `Found ${url}`);
}

/** An entry with what was read about it. @param build of its preview; null if that is not being built */
export function afterReading(
  entry: PullEntry,
  pull: DocsPull,
  build: Fact<PreviewBuild> | null,
  now: number,
): PullEntry {
  const { head, createdAt, firstAuthor, isEditedByOthers, repositoryId, isLocked } = pull;
  return {
    ...entry,
    repositoryId: entry.repositoryId ?? repositoryId,
    lastRead: { openedAt: createdAt, head },
    headAt: entry.lastRead?.head === head ? entry.headAt : timeText(now),
    agent: entry.agent ?? firstAuthor,
    // If the first commit has another author now, the branch was force-pushed.
    isEditedByOthers: isEditedByOthers || (entry.agent !== null && entry.agent !== firstAuthor),
    isClosedToComments: entry.isClosedToComments && isLocked,
    preview: entry.preview && afterBuild(entry.preview, build),
    // One that is open was not closed, or was reopened at once.
    closing: pull.state.type === "closed" ? entry.closing : null,
  };
}

function afterBuild(preview: Preview, build: Fact<PreviewBuild> | null): Preview {
  if (build === null || preview.state !== "building") return preview;
  const { head, statusId, url } = preview;
  if (build.type === "absent") return { head, state: "forgotten" };
  return build.type === "known" ? { head, state: build.value.state, statusId, url } : preview;
}

/** Whether one that cannot be read, or is not land's to look after, is given up. */
export function isGivenUp({ waiting }: PullEntry, now: number): boolean {
  if (waiting === null || waiting.code === "unread-for-now") return false;
  return now - Date.parse(waiting.from) >= UNREAD_KEPT;
}

export function giveUp(from: Revision<LandLedger>, { url }: PullEntry): Revision<LandLedger> {
  const open = from.ledger.open.filter((pull) => pull.url !== url);
  return withFields(from, { open }, `Stop tracking ${url}, which cannot be read`);
}

/** Moves a docs pull request that was merged or closed to the ended ones. */
export function endPull(
  from: Revision<LandLedger>,
  entry: PullEntry,
  { state, isByLand, endedAt }: Pick<Ended, "state" | "isByLand" | "endedAt">,
  now: number,
): Revision<LandLedger> {
  const { url, lastRead, isEditedByOthers, changes, followUps } = entry;
  const line: Ended = {
    url,
    state,
    isByLand,
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
  const others = from.ledger.closed.filter(
    ({ at, entry: { url: other } }) => other !== url && now - Date.parse(at) < ENDED_KEPT,
  );
  const last = { at: endedAt, entry: { ...entry, intent: null, closing: null } };
  const closed = state === "closed" ? [...others, last].slice(-MOST_CLOSED) : others;
  return {
    ...withFields(from, { open, ended, closed }, event),
    history: [...from.history, line],
  };
}

/** Looks after one again that was closed. It begins to wait for people now. */
export function reopenPull(
  from: Revision<LandLedger>,
  entry: PullEntry,
  now: number,
): Revision<LandLedger> {
  const { url } = entry;
  const reopened: PullEntry = {
    ...entry,
    isReopened: true,
    isReminded: false,
    refused: null,
    waiting: null,
    idleFrom: timeText(now),
    needs: null,
  };
  const open = [...from.ledger.open, reopened];
  const ended = from.ledger.ended.filter((pull) => pull.url !== url);
  const closed = from.ledger.closed.filter((pull) => pull.entry.url !== url);
  return withFields(from, { open, ended, closed }, `Reopened: ${url}`);
}
