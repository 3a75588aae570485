import type { ActionError } from "../errors.ts";
import type { Job, Reply } from "../service/agent.ts";
import { isPassing, isStatus, type ServiceError } from "../service/errors.ts";
import { explain, explainUnwell } from "./failures.ts";
import { delayBefore, type Pace } from "./schedule.ts";

/** A job that was just created may not be found yet: how long that is tolerated, in milliseconds. */
const NOT_FOUND_GRACE = 30_000;
/** How long the service may go without one good answer, in milliseconds. */
const UNWELL_LIMIT = 5 * 60_000;
/** How long a status after a follow-up may still be the one from before it, in milliseconds. */
const STALE_LIMIT = 20_000;

const ENDS = ["completed", "archived", "failed"];
const STATUSES = ["active", ...ENDS];

/** Whether a job in this status is done with its work. */
export function isEnd(status: string): boolean {
  return ENDS.includes(status);
}

/** All that is remembered from one look to the next. Times are milliseconds on the run's clock. */
export interface Watch {
  readonly looks: number;
  /** The newest record, if one has been seen. */
  readonly job: Job | null;
  /** When the last good answer came. */
  readonly goodAt: number;
  /** Whether the service has stopped giving good answers. */
  readonly unwell: boolean;
  /** When this run created the job; undefined for a job that was there before. */
  readonly createdAt: number | undefined;
  /** After a follow-up: the record as last seen, for as long as its end may be the old one. */
  readonly stale: { readonly since: number; readonly record: Job["record"] } | undefined;
  /** Statuses nobody knows that were warned of. */
  readonly unknown: readonly string[];
}

/** What one look saw. */
export type Sight = { reply: Reply } | { error: ServiceError };

/** Something to tell about the wait as it goes on. */
export type Remark =
  | { type: "status"; job: Job }
  | { type: "unknown-status"; status: string }
  | { type: "unwell"; error: ServiceError }
  | { type: "well-again" };

export type Decision =
  | { type: "ended"; job: Job; remarks: Remark[] }
  | { type: "given-up"; error: ActionError; remarks: Remark[] }
  | { type: "pending"; watch: Watch; delay: number; remarks: Remark[] };

/** The watch over a job that was created `now`. */
export function watchCreated(job: Job, now: number): Watch {
  return { ...fresh(now), job, createdAt: now };
}

/** The watch over a job that got a follow-up `now`; `answer` is what the service said to it. */
export function watchContinued(answer: Job, now: number): Watch {
  // An answer that says `active` has seen the job at work: the end that comes is a new one.
  const stale = answer.status === "active" ? undefined : { since: now, record: answer.record };
  return { ...fresh(now), job: answer.status === "" ? null : answer, stale };
}

/** The watch over a job that was there before this run. */
export function watchTakenUp(now: number): Watch {
  return fresh(now);
}

function fresh(now: number): Watch {
  return {
    looks: 0,
    job: null,
    goodAt: now,
    unwell: false,
    createdAt: undefined,
    stale: undefined,
    unknown: [],
  };
}

/**
 * What follows from a look at the job: it has ended, there is no point in looking on, or look again.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1, for the next delay
 */
export function decide(
  watch: Watch,
  sight: Sight,
  pace: Pace,
  now: number,
  random: number,
): Decision {
  const looks = watch.looks + 1;
  const scheduled = delayBefore(looks + 1, pace, random);
  const seen = { ...watch, looks };
  return "reply" in sight
    ? decideOnRecord(seen, sight.reply, scheduled, now, pace)
    : decideOnFailure(seen, sight.error, scheduled, now, pace);
}

/** The delay before the first look. */
export function firstDelay(pace: Pace, random: number): number {
  return delayBefore(1, pace, random);
}

function decideOnRecord(
  watch: Watch,
  { job, retryAfter }: Reply,
  scheduled: number,
  now: number,
  pace: Pace,
): Decision {
  const remarks: Remark[] = [];
  if (watch.unwell) remarks.push({ type: "well-again" });
  if (job.status !== watch.job?.status) remarks.push({ type: "status", job });
  const isUnknown = !STATUSES.includes(job.status);
  if (isUnknown && !watch.unknown.includes(job.status)) {
    remarks.push({ type: "unknown-status", status: job.status });
  }

  const atEnd = isEnd(job.status);
  const stale = atEnd ? staleAfter(watch.stale, job, now) : staleUnlessActive(watch.stale, job);
  if (atEnd && stale === undefined) return { type: "ended", job, remarks };

  const unknown = isUnknown ? [...new Set([...watch.unknown, job.status])] : watch.unknown;
  return {
    type: "pending",
    watch: { ...watch, job, goodAt: now, unwell: false, stale, unknown },
    delay: politely(retryAfter, scheduled, pace),
    remarks,
  };
}

/** An end counts once the record differs from the one before the follow-up, or enough time has passed. */
function staleAfter(stale: Watch["stale"], job: Job, now: number): Watch["stale"] {
  if (stale === undefined || now - stale.since >= STALE_LIMIT) return undefined;
  return differs(stale.record, job.record) ? undefined : { ...stale, record: job.record };
}

function staleUnlessActive(stale: Watch["stale"], job: Job): Watch["stale"] {
  return job.status === "active" ? undefined : stale;
}

/** Compares what both records tell: the answer to a message may tell less than a look. */
function differs(before: Job["record"], after: Job["record"]): boolean {
  return Object.keys(before).some(
    (name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

function decideOnFailure(
  watch: Watch,
  error: ServiceError,
  scheduled: number,
  now: number,
  pace: Pace,
): Decision {
  const delay = politely(error.retryAfter, scheduled, pace);
  if (isStatus(error.failure, 404) && isYoung(watch, now)) {
    return { type: "pending", watch, delay, remarks: [] };
  }
  if (!isPassing(error)) return { type: "given-up", error: explain(error, "look"), remarks: [] };
  if (now - watch.goodAt >= UNWELL_LIMIT) {
    return { type: "given-up", error: explainUnwell(error), remarks: [] };
  }
  const remarks: Remark[] = watch.unwell ? [] : [{ type: "unwell", error }];
  return { type: "pending", watch: { ...watch, unwell: true }, delay, remarks };
}

function isYoung(watch: Watch, now: number): boolean {
  return watch.createdAt !== undefined && now - watch.createdAt < NOT_FOUND_GRACE;
}

/** `Retry-After` replaces the delay, but a zero does not make the wait a busy loop. */
function politely(retryAfter: number | undefined, scheduled: number, pace: Pace): number {
  return retryAfter === undefined ? scheduled : Math.max(retryAfter, Math.min(pace.initial, 1000));
}
