import {
  type EndedJob,
  hasPullRequest,
  type Job,
  type JobReply,
  type PolledJob,
} from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import { isWithoutPull, LINK_DELAY } from "./doubt.ts";
import {
  ANSWERED_AGAIN,
  decideAfterFailure,
  type FailingPolls,
  type Notice,
  type PollDecision,
} from "./failed-polls.ts";
import { POLL } from "./failures.ts";

/** The delays between polls, in milliseconds. */
export interface PollPace {
  /** Delay before the first poll. */
  initial: number;
  /** Largest delay between two polls. */
  max: number;
}

/**
 * Factor from one delay to the next. With the defaults of 3 s and 15 s, a short job is noticed within seconds, and one
 * of ten minutes is polled fewer than 50 times.
 */
const GROWTH = 1.5;
/** Maximum random change of a delay, as a fraction of it, so that many runs do not poll at once. */
const SPREAD = 0.2;

/**
 * The delay before a poll: `min(max, initial × 1.5^(poll-1))`, times a factor from 0.8 to 1.2.
 *
 * @param poll number of the poll, from 1
 * @param random a number from 0 to 1
 */
export function delayBefore(poll: number, { initial, max }: PollPace, random: number): number {
  // The exponent is bounded so that a long wait does not multiply infinity by zero.
  const grown = initial * GROWTH ** Math.min(poll - 1, 100);
  return Math.min(max, grown) * (1 - SPREAD + 2 * SPREAD * random);
}

/**
 * The delay after a poll. `Retry-After` replaces it where it is longer.
 *
 * @param polls how many polls there were
 * @param random a number from 0 to 1
 */
export function delayAfter(
  { retryAfter }: { retryAfter: number | null },
  polls: number,
  pace: PollPace,
  random: number,
): number {
  return Math.max(retryAfter ?? 0, delayBefore(polls + 1, pace, random));
}

/** How long an end after a follow-up may still be the one from before it, in milliseconds. After it, it counts. */
export const STALE_LIMIT = 120_000;

const ENDS: readonly (string | null)[] = ["completed", "archived", "failed"];

/** Whether a job has ended. */
export function hasEnded(job: Job): job is EndedJob {
  return ENDS.includes(job.status);
}

/** Whether the link to its pull request may still come: one poll alone does not prove that there is none. */
export function mayGetLink(job: EndedJob): boolean {
  return job.status === "completed" && !hasPullRequest(job);
}

/** Whether a status is one of those that the service documents. */
export function isKnown(status: string): boolean {
  return status === "active" || ENDS.includes(status);
}

/** The state between two polls. Times are milliseconds on the run's clock. */
export interface PollState {
  /** The job's ID. */
  readonly id: string;
  readonly polls: number;
  /** The newest record, if any; its status is null while that may be from before the follow-up, to report none. */
  readonly job: Job | null;
  /** Whether the log warns of an unknown status. */
  readonly isWarned: boolean;
  /** The failures since the last answer; null if the last poll was answered. */
  readonly failing: FailingPolls | null;
  /** Since when no poll has found the job; null if the last answer was its record. */
  readonly missingSince: number | null;
  /** Whether this run created the job. */
  readonly isNew: boolean;
  /** After a follow-up, while an end may be the old one: its time, and the last record. Otherwise null. */
  readonly stale: { readonly since: number; readonly record: Job["record"] } | null;
  /** Since when polls find it completed without a pull request, which may come late; null if the last one did not. */
  readonly withoutPullSince: number | null;
}

/** The state for a job that existed before this run. */
export function pollExisting(id: string): PollState {
  return {
    id,
    polls: 0,
    job: null,
    isWarned: false,
    failing: null,
    missingSince: null,
    isNew: false,
    stale: null,
    withoutPullSince: null,
  };
}

/** The state for a job that this run created. */
export function pollCreated(job: Job): PollState {
  return { ...pollExisting(job.id), job, isNew: true };
}

/** The state for a job that was sent a follow-up `now`; `answer` is the service's response. */
export function pollContinued(answer: Job, now: number): PollState {
  const existing = pollExisting(answer.id);
  // The job is already at work, so its next end is a new one.
  if (answer.status === "active") return { ...existing, job: answer };
  const stale = { since: now, record: answer.record };
  if (answer.status === null) return { ...existing, stale };
  return { ...existing, job: hasEnded(answer) ? { ...answer, status: null } : answer, stale };
}

/**
 * Decides after a poll: the job has ended, polling is given up, or it continues.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1, for the next delay
 */
export function decideAfterPoll(
  previous: PollState,
  polled: JobReply | ServiceError,
  pace: PollPace,
  now: number,
  random: number,
): PollDecision<PollState, EndedJob> {
  const state = { ...previous, polls: previous.polls + 1 };
  const delay = delayAfter(polled, state.polls, pace, random);
  return polled instanceof ServiceError
    ? decideAfterFailure(state, polled, POLL, delay, now)
    : decideOnRecord(state, polled, delay, now);
}

function decideOnRecord(
  state: PollState,
  { job, retryAfter }: JobReply,
  delay: number,
  now: number,
): PollDecision<PollState, EndedJob> {
  const { status, record } = job;
  const { stale, withoutPullSince } = state;
  const notices: Notice[] = [];
  if (state.failing !== null) {
    notices.push(ANSWERED_AGAIN);
  }
  const pending = (change: Partial<PollState>) => {
    const seen = { job, failing: null, missingSince: null, withoutPullSince: null };
    const next = { ...state, ...seen, ...change };
    return { type: "pending", state: next, delay, notices } as const;
  };
  // An end counts once the record differs from the one before the follow-up, or enough time has passed.
  if (hasEnded(job) && stale !== null && mayBeStale(stale, record, now)) {
    return pending({ job: { ...job, status: null }, stale: { ...stale, record } });
  }
  if (isKnown(status) && status !== state.job?.status) {
    notices.push(["info", `Job ${job.id} is ${status}.`]);
  } else if (!isKnown(status) && !state.isWarned) {
    notices.push(["warning", unknownStatusText(job, "The action continues to poll.")]);
  }
  if (hasEnded(job)) {
    const since = withoutPullSince ?? now;
    if (!mayGetLink(job) || isWithoutPull(since, now)) return { type: "ended", end: job, notices };
    if (withoutPullSince === null) notices.push(["info", POLLED_AGAIN]);
    const rest = since + LINK_DELAY - now;
    return { ...pending({ withoutPullSince: since }), delay: Math.max(rest, retryAfter ?? 0) };
  }
  return pending(isKnown(status) ? { stale: null } : { isWarned: true });
}

/** Whether an end counts only because enough time has passed since the follow-up. @param last the state before it */
export function isUnseen({ stale }: PollState, end: Job): boolean {
  return stale !== null && !differs(stale.record, end.record);
}

const POLLED_AGAIN =
  "It has no pull request. The link may come late, so the job is polled once more, in a minute.";

/** @param next what becomes of the job: a sentence */
export function unknownStatusText({ id, status }: PolledJob, next: string): string {
  return `Job ${id} has the status ${JSON.stringify(status)}, which this version of the action does not know. ${next}`;
}

function mayBeStale(
  stale: NonNullable<PollState["stale"]>,
  record: Job["record"],
  now: number,
): boolean {
  return now - stale.since < STALE_LIMIT && !differs(stale.record, record);
}

/** Compares the fields that both records have. The answer to a message may have fewer than a poll. */
function differs(before: Job["record"], after: Job["record"]): boolean {
  if (before === null || after === null) return false;
  return Object.keys(before).some(
    (name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
