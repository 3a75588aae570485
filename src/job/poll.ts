import type { ActionError } from "../runtime/errors.ts";
import type { Job, Reply } from "../service/agent.ts";
import { isPassing, isStatus, type ServiceError } from "../service/errors.ts";
import { explain, explainUnavailable } from "./failures.ts";
import { delayBefore, type PollPace } from "./schedule.ts";

/** A job that was just created may not be found yet: how long that is tolerated, in milliseconds. */
const NOT_FOUND_GRACE = 30_000;
/** How long polls may fail, in milliseconds. */
const FAILING_LIMIT = 5 * 60_000;
/** How long a status after a follow-up may still be the one from before it, in milliseconds. */
const STALE_LIMIT = 20_000;

const ENDS = ["completed", "archived", "failed"];
const STATUSES = ["active", ...ENDS];

/** Whether a job in this status is done with its work. */
export function isEnd(status: string): boolean {
  return ENDS.includes(status);
}

/** All that is kept from one poll to the next. Times are milliseconds on the run's clock. */
export interface PollState {
  readonly polls: number;
  /** The newest record, if one has been seen. */
  readonly job: Job | null;
  /** When the last good answer came. */
  readonly goodAt: number;
  /** Whether polls fail at present. */
  readonly failing: boolean;
  /** When this run created the job; undefined for a job that was there before. */
  readonly createdAt: number | undefined;
  /** After a follow-up: the record as last seen, for as long as its end may be the old one. */
  readonly stale: { readonly since: number; readonly record: Job["record"] } | undefined;
  /** Unknown statuses that were warned of. */
  readonly unknown: readonly string[];
}

/** What one poll brought. */
export type PollResult = { reply: Reply } | { error: ServiceError };

/** Something to log while waiting. */
export type PollNotice =
  | { type: "status"; job: Job }
  | { type: "unknown-status"; status: string }
  | { type: "failing"; error: ServiceError }
  | { type: "recovered" };

export type Decision =
  | { type: "ended"; job: Job; notices: PollNotice[] }
  | { type: "given-up"; error: ActionError; notices: PollNotice[] }
  | { type: "pending"; state: PollState; delay: number; notices: PollNotice[] };

/** The state for a job that was created `now`. */
export function pollCreated(job: Job, now: number): PollState {
  return { ...fresh(now), job, createdAt: now };
}

/** The state for a job that was sent a follow-up `now`; `answer` is what the service said to it. */
export function pollContinued(answer: Job, now: number): PollState {
  // An answer that says `active` has seen the job at work: the end that comes is a new one.
  const stale = answer.status === "active" ? undefined : { since: now, record: answer.record };
  return { ...fresh(now), job: answer.status === "" ? null : answer, stale };
}

/** The state for a job that was there before this run. */
export function pollTakenUp(now: number): PollState {
  return fresh(now);
}

function fresh(now: number): PollState {
  return {
    polls: 0,
    job: null,
    goodAt: now,
    failing: false,
    createdAt: undefined,
    stale: undefined,
    unknown: [],
  };
}

/**
 * What follows from a poll: the job has ended, polling on is pointless, or poll again.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1, for the next delay
 */
export function decide(
  state: PollState,
  result: PollResult,
  pace: PollPace,
  now: number,
  random: number,
): Decision {
  const polls = state.polls + 1;
  const scheduled = delayBefore(polls + 1, pace, random);
  const seen = { ...state, polls };
  return "reply" in result
    ? decideOnRecord(seen, result.reply, scheduled, now, pace)
    : decideOnFailure(seen, result.error, scheduled, now, pace);
}

/** The delay before the first poll. */
export function firstDelay(pace: PollPace, random: number): number {
  return delayBefore(1, pace, random);
}

function decideOnRecord(
  state: PollState,
  { job, retryAfter }: Reply,
  scheduled: number,
  now: number,
  pace: PollPace,
): Decision {
  const notices: PollNotice[] = [];
  if (state.failing) notices.push({ type: "recovered" });
  if (job.status !== state.job?.status) notices.push({ type: "status", job });
  const isUnknown = !STATUSES.includes(job.status);
  if (isUnknown && !state.unknown.includes(job.status)) {
    notices.push({ type: "unknown-status", status: job.status });
  }

  const atEnd = isEnd(job.status);
  const stale = atEnd ? staleAfter(state.stale, job, now) : staleUnlessActive(state.stale, job);
  if (atEnd && stale === undefined) return { type: "ended", job, notices };

  const unknown = isUnknown ? [...new Set([...state.unknown, job.status])] : state.unknown;
  return {
    type: "pending",
    state: { ...state, job, goodAt: now, failing: false, stale, unknown },
    delay: delayAfter(retryAfter, scheduled, pace),
    notices,
  };
}

/** An end counts once the record differs from the one before the follow-up, or enough time has passed. */
function staleAfter(stale: PollState["stale"], job: Job, now: number): PollState["stale"] {
  if (stale === undefined || now - stale.since >= STALE_LIMIT) return undefined;
  return differs(stale.record, job.record) ? undefined : { ...stale, record: job.record };
}

function staleUnlessActive(stale: PollState["stale"], job: Job): PollState["stale"] {
  return job.status === "active" ? undefined : stale;
}

/** Compares what both records tell: the answer to a message may tell less than a poll. */
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
): Decision {
  const delay = delayAfter(error.retryAfter, scheduled, pace);
  if (isStatus(error.failure, 404) && isYoung(state, now)) {
    return { type: "pending", state, delay, notices: [] };
  }
  if (!isPassing(error)) return { type: "given-up", error: explain(error, "poll"), notices: [] };
  if (now - state.goodAt >= FAILING_LIMIT) {
    return { type: "given-up", error: explainUnavailable(error), notices: [] };
  }
  const notices: PollNotice[] = state.failing ? [] : [{ type: "failing", error }];
  return { type: "pending", state: { ...state, failing: true }, delay, notices };
}

function isYoung(state: PollState, now: number): boolean {
  return state.createdAt !== undefined && now - state.createdAt < NOT_FOUND_GRACE;
}

/** `Retry-After` replaces the delay, but a zero does not make the wait a busy loop. */
function delayAfter(retryAfter: number | undefined, scheduled: number, pace: PollPace): number {
  return retryAfter === undefined ? scheduled : Math.max(retryAfter, Math.min(pace.initial, 1000));
}
