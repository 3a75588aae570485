import { toldSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { duration } from "../text/markdown.ts";

/** How long GitHub's rate limits are waited out where somebody waits for the answer, in milliseconds. */
const LIMIT = 60_000;
/** Least delay, whatever GitHub says, in milliseconds. */
const LEAST_DELAY = 1_000;

/**
 * How long a run waits when GitHub takes no more requests for now: a minute before its job is started, any
 * time while it waits for the job, and a minute at its end.
 */
export class Patience {
  readonly #clock: Dependencies["clock"];
  readonly #log: Dependencies["log"];
  readonly #stop: AbortSignal;
  /** How many requests wait: one of them tells. */
  #waiting = 0;
  /** In milliseconds on the clock. */
  #deadline: number;
  #isChanged = new AbortController();

  constructor({ clock, log, cancellation }: Dependencies) {
    this.#clock = clock;
    this.#log = log;
    this.#stop = cancellation.stop;
    this.#deadline = clock.now() + LIMIT;
  }

  /** From now on, GitHub has all the time that it asks for. */
  withoutEnd(): void {
    this.#set(Number.POSITIVE_INFINITY);
  }

  /** From now on, it has a minute. */
  forAMinute(): void {
    this.#set(this.#clock.now() + LIMIT);
  }

  /**
   * Waits as long as GitHub asks, or as long as there is time. A cancelled run has none.
   *
   * @returns whether the request is made again
   */
  async wait(milliseconds: number): Promise<boolean> {
    const due = this.#clock.now() + Math.max(LEAST_DELAY, milliseconds);
    if (this.#stop.aborted || this.#deadline <= this.#clock.now()) return false;
    const isTold = this.#waiting === 0;
    const tell = (left: number) => {
      if (isTold)
        this.#log.info(`GitHub's rate limit is reached. Trying again in ${duration(left)}.`);
    };
    const sleep = toldSleep(this.#clock, tell);
    tell(Math.min(due, this.#deadline) - this.#clock.now());
    this.#waiting += 1;
    for (;;) {
      const changed = this.#isChanged.signal;
      const left = Math.min(due, this.#deadline) - this.#clock.now();
      await sleep(Math.max(0, left), AbortSignal.any([changed, this.#stop]));
      if (changed.aborted && !this.#stop.aborted) continue;
      this.#waiting -= 1;
      return true;
    }
  }

  #set(deadline: number): void {
    this.#deadline = deadline;
    this.#isChanged.abort();
    this.#isChanged = new AbortController();
  }
}
