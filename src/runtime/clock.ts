import { LONGEST_TIMER, now } from "../net/exchange.ts";

/** Time as the action knows it; passed in, so that tests need not wait. */
export interface Clock {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  now(): number;
  /** Milliseconds since 1970. */
  timeOfDay(): number;
  /** Returns after so many milliseconds, at most 24 days, or at once when the signal is aborted. Never throws. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now,
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

const MINUTE = 60_000;

/**
 * Sleeps as the clock does, and tells of it once a minute, in whatever number of sleeps.
 *
 * @param tell gets the milliseconds that are left of the current sleep
 */
export function toldSleep(
  clock: Pick<Clock, "now" | "sleep">,
  tell: (left: number) => void,
): Clock["sleep"] {
  let told = clock.now();
  return async (milliseconds, signal) => {
    for (let left = milliseconds; left > 0 && !signal?.aborted; ) {
      const silent = clock.now() - told;
      if (silent >= MINUTE) {
        told = clock.now();
        tell(left);
        continue;
      }
      const step = Math.min(left, MINUTE - silent);
      await clock.sleep(step, signal);
      left -= step;
    }
  };
}
