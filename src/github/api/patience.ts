import { loggedSleep } from "../../runtime/clock.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { duration } from "../../text/markdown.ts";

/** Waits for a rate limit to end. */
export interface LimitWaiter {
  /** @returns whether the request is made again */
  wait(milliseconds: number): Promise<boolean>;
}

/** How long a run waits for GitHub's rate limits if somebody waits for its result, in milliseconds. */
const LIMIT = 60_000;
/** After how long a changed deadline is noticed, in milliseconds. */
const STEP = 1_000;

/**
 * How long a run waits for GitHub's rate limits: a minute before its job is started, any
 * time while it waits for the job, and a minute at its end.
 */
export class Patience {
  readonly #dependencies: Dependencies;
  /** In milliseconds on the clock. */
  #deadline: number;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#deadline = dependencies.clock.now() + LIMIT;
  }

  /** From now on, the run waits as long as GitHub asks. */
  withoutEnd(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** From now on, the run waits for a minute at most. */
  forAMinute(): void {
    this.#deadline = this.#dependencies.clock.now() + LIMIT;
  }

  /** Waits as long as GitHub asks, but not past the deadline. @returns whether the request is made again */
  async wait(milliseconds: number): Promise<boolean> {
    const { clock, log, cancellation } = this.#dependencies;
    const { stop } = cancellation;
    const due = clock.now() + milliseconds;
    if (stop.aborted || this.#deadline <= clock.now()) return false;
    const remaining = () => Math.min(due, this.#deadline) - clock.now();
    const logDelay = () => {
      log.info(`GitHub's rate limit is reached. Trying again in ${duration(remaining())}.`);
    };
    const sleep = loggedSleep(clock, logDelay);
    logDelay();
    // The deadline may change meanwhile.
    while (remaining() > 0 && !stop.aborted) await sleep(Math.min(STEP, remaining()), stop);
    return true;
  }
}

/**
 * How long a run that nobody waits for waits for limits, in milliseconds: a minute, and a bit for requests side by
 * side.
 */
const BRIEF_LIMIT = 70_000;

/**
 * How long a run that nobody waits for, such as a scheduled one, waits for GitHub's rate limits: about a minute in all,
 * from the first one on. It does not wait for a limit that lasts longer: a later run continues.
 */
export class BriefPatience implements LimitWaiter {
  readonly #dependencies;
  /** In milliseconds on the clock; null before the first limit. */
  #deadline: number | null = null;

  constructor(dependencies: Pick<Dependencies, "clock" | "log" | "cancellation">) {
    this.#dependencies = dependencies;
  }

  /** Waits as long as GitHub asks, if there is time for it. @returns whether the request is made again */
  async wait(milliseconds: number): Promise<boolean> {
    const { clock, log, cancellation } = this.#dependencies;
    this.#deadline ??= clock.now() + BRIEF_LIMIT;
    if (cancellation.stop.aborted || clock.now() + milliseconds > this.#deadline) return false;
    log.info(`GitHub's rate limit is reached. Trying again in ${duration(milliseconds)}.`);
    await clock.sleep(milliseconds, cancellation.stop);
    return true;
  }
}
