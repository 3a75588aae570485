import type { ActionError } from "../runtime/errors.ts";
import type { Job, Reply } from "../service/agent.ts";
import { isPassing, isStatus, type ServiceError } from "../service/errors.ts";
import { explain, explainUnavailable } from "./failures.ts";
import { delayBefore, type PollPace } from "./schedule.ts";

/** A job that was just created may not be found yet: how long that is tolerated, in milliseconds. */
export const NOT_FOUND_GRACE = 30_000;
/**
 * Give up when polls have failed for this many milliseconds, counted from the first failure, and at least this
 * many times.
 */
const FAILING_LIMIT = 5 * 60_000;
const FAILING_POLLS = 3;
/** How long a status after a follow-up may still be the one from before it, in milliseconds. */
export const STALE_LIMIT = 20_000;

const ENDS = ["completed", "archived", "failed"];
const STATUSES = ["active", ...ENDS];

/** Whether a job in this status is done with its work. */
export function isEnd(status: string): boolean {
  return ENDS.includes(status);
}

/** All that is kept from one poll to the next. Times are milliseconds on the run's clock. */
export interface PollState {
  readonly polls: number;
  /** The newest record, if one has been seen; without a status while its end may be the old one. */
  readonly job: Job | null;
  /** While polls fail: since when, and how many have. */
  readonly failing: { readonly since: number; readonly polls: number } | undefined;
  /** When this run created the job; undefined for a job that was there before. */
  readonly createdAt: number | undefined;
  /** After a follow-up: the record as last seen, for as long as its end may be the old one. */
  readonly stale: Stale | undefined;
  /** Unknown statuses that were warned of. */
  readonly unknown: readonly string[];
}

interface Stale {
  /** When the follow-up was sent. */
  readonly since: number;
  readonly record: Job["record"];
  /** Whether the log explains why the wait continues. */
  readonly isTold: boolean;
}

/** The result of one poll. */
export type PollResult = { reply: Reply } | { error: ServiceError };

/** Something to log while waiting. */
export type PollNotice =
  | { type: "status"; job: Job }
  /** The job is at an end that may be the one from before the follow-up. */
  | { type: "old-end"; status: string; limit: number }
  | { type: "unknown-status"; status: string }
  | { type: "failing"; error: ServiceError }
  | { type: "recovered" };

export type PollDecision =
  | { type: "ended"; job: Job; notices: PollNotice[] }
  | { type: "given-up"; error: ActionError; notices: PollNotice[] }
  | { type: "pending"; state: PollState; delay: number; notices: PollNotice[] };

/** The state for a job that was created `now`. */
export function pollCreated(job: Job, now: number): PollState {
  return { ...TAKEN_UP, job, createdAt: now };
}

/** The state for a job that was sent a follow-up `now`; `answer` is what the service said to it. */
export function pollContinued(answer: Job, now: number): PollState {
  // An answer that says `active` has seen the job at work: the end that comes is a new one.
  if (answer.status === "active") return { ...TAKEN_UP, job: answer };
  const stale = { since: now, record: answer.record, isTold: false };
  if (answer.status === "") return { ...TAKEN_UP, stale };
  return { ...TAKEN_UP, job: isEnd(answer.status) ? withoutStatus(answer) : answer, stale };
}

/** The state for a job that was there before this run. */
export const TAKEN_UP: PollState = {
  polls: 0,
  job: null,
  failing: undefined,
  createdAt: undefined,
  stale: undefined,
  unknown: [],
};

/** A status that may be from before the follow-up must not be reported. */
function withoutStatus(job: Job): Job {
  return { ...job, status: "" };
}

/** What is known about a job that has not ended. */
export type Known = "running" | "old-end" | "nothing";

export function knownOf({ job, failing }: PollState): Known {
  if (job === null || failing !== undefined) return "nothing";
  return job.status === "" ? "old-end" : "running";
}

/**
 * What follows from a poll: the job has ended, polling on is pointless, or poll again.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1, for the next delay
 */
export function decideAfterPoll(
  state: PollState,
  result: PollResult,
  pace: PollPace,
  now: number,
  random: number,
): PollDecision {
  const polls = state.polls + 1;
  const scheduled = delayBefore(polls + 1, pace, random);
  const seen = { ...state, polls };
  return "reply" in result
    ? decideOnRecord(seen, result.reply, scheduled, now, pace)
    : decideOnFailure(seen, result.error, scheduled, now, pace);
}

function decideOnRecord(
  state: PollState,
  { job, retryAfter }: Reply,
  scheduled: number,
  now: number,
  pace: PollPace,
): PollDecision {
  const atEnd = isEnd(job.status);
  const stale = atEnd ? staleAfter(state.stale, job, now) : staleUnlessActive(state.stale, job);
  const isOld = atEnd && stale !== undefined;
  const notices = noticesOf(state, job, isOld);
  if (atEnd && !isOld) return { type: "ended", job, notices };

  const isUnknown = !STATUSES.includes(job.status);
  const unknown = isUnknown ? [...new Set([...state.unknown, job.status])] : state.unknown;
  const seen = isOld ? withoutStatus(job) : job;
  return {
    type: "pending",
    state: { ...state, job: seen, failing: undefined, stale, unknown },
    delay: delayAfter(retryAfter, scheduled, pace),
    notices,
  };
}

function noticesOf(state: PollState, job: Job, isOld: boolean): PollNotice[] {
  const { status } = job;
  const notices: PollNotice[] = [];
  if (state.failing !== undefined) notices.push({ type: "recovered" });
  if (isOld) {
    const isTold = state.stale?.isTold ?? false;
    if (!isTold) notices.push({ type: "old-end", status, limit: STALE_LIMIT });
  } else if (status !== state.job?.status) notices.push({ type: "status", job });
  if (!STATUSES.includes(status) && !state.unknown.includes(status)) {
    notices.push({ type: "unknown-status", status });
  }
  return notices;
}

/** Accepts an end once the record differs from the one before the follow-up, or enough time has passed. */
function staleAfter(stale: Stale | undefined, job: Job, now: number): Stale | undefined {
  if (stale === undefined || now - stale.since >= STALE_LIMIT) return undefined;
  if (differs(stale.record, job.record)) return undefined;
  return { ...stale, record: job.record, isTold: true };
}

function staleUnlessActive(stale: Stale | undefined, job: Job): Stale | undefined {
  return job.status === "active" ? undefined : stale;
}

/** Compares the fields that both records have. The answer to a message may have fewer than a poll. */
function differs(before: Job["record"], after: Job["record"]): boolean {
  return Object.keys(before).some(
    (name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

function decideOnFailure(
  state: PollState,
  error: ServiceError,
  scheduled: number,
  now: number,
  pace: PollPace,
): PollDecision {
  const delay = delayAfter(error.retryAfter, scheduled, pace);
  if (isStatus(error.failure, 404) && isYoung(state, now)) {
    return { type: "pending", state, delay, notices: [] };
  }
  if (!isPassing(error)) return { type: "given-up", error: explain(error, "poll"), notices: [] };
  const { since, polls } = state.failing ?? { since: now, polls: 0 };
  const failing = { since, polls: polls + 1 };
  if (now - since >= FAILING_LIMIT && failing.polls >= FAILING_POLLS) {
    return { type: "given-up", error: explainUnavailable(error, now - since), notices: [] };
  }
  const notices: PollNotice[] = state.failing === undefined ? [{ type: "failing", error }] : [];
  return { type: "pending", state: { ...state, failing }, delay, notices };
}

function isYoung(state: PollState, now: number): boolean {
  return state.createdAt !== undefined && now - state.createdAt < NOT_FOUND_GRACE;
}

/** `Retry-After` replaces the delay, but a zero does not make the wait a busy loop. */
function delayAfter(retryAfter: number | undefined, scheduled: number, pace: PollPace): number {
  return retryAfter === undefined ? scheduled : Math.max(retryAfter, Math.min(pace.initial, 1000));
}
