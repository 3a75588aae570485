import { LONGEST_TIMER } from "../net/exchange.ts";

/** In milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Watch {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  now(): number;
  /** Milliseconds since 1970. */
  timeOfDay(): number;
}

/** The clock of the action. It is passed in, so that tests need not wait. */
export interface Clock extends Watch {
  /** Returns after so many milliseconds, at most 24 days, or at once when the signal is aborted. Never throws. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  // The global `performance` would load more of Node.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  timeOfDay: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timeout);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timeout = setTimeout(done, Math.min(milliseconds, LONGEST_TIMER));
      signal?.addEventListener("abort", done, { once: true });
      if (signal?.aborted) done();
    }),
};

/**
 * Sleeps like the clock, and logs a line once a minute, also over several sleeps.
 *
 * @param logLine gets the milliseconds that remain of the current sleep
 */
export function loggedSleep(clock: Clock, logLine: (remaining: number) => void): Clock["sleep"] {
  let lastLine = clock.now();
  return async (milliseconds, signal) => {
    for (let remaining = milliseconds; remaining > 0 && !signal?.aborted; ) {
      const silent = clock.now() - lastLine;
      if (silent >= MINUTE) {
        lastLine = clock.now();
        logLine(remaining);
        continue;
      }
      const step = Math.min(remaining, MINUTE - silent);
      await clock.sleep(step, signal);
      remaining -= step;
    }
  };
}
