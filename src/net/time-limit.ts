/** The longest time that Node's timers hold, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

type Expiry = "time-limit" | "idle-limit";

/** A time limit that can be set anew, joined with the caller's own signal. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stop = () => {
    // A body that nobody reads to its end would leave its timer behind.
    clearTimeout(this.#timer);
    this.#controller.abort(new Error("stopped"));
  };
  #timer: NodeJS.Timeout | undefined;
  #milliseconds = 0;
  #expired: Expiry | undefined;

  /**
   * @param milliseconds until the signal is aborted
   * @param caller aborts it too
   */
  constructor(milliseconds: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.restart(milliseconds);
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Aborted when the time is over, or the caller stops. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit as messages name it. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Whether the caller has stopped. */
  get stopped(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** Which kind of limit ran out, once one has. */
  get expired(): Expiry | undefined {
    return this.#expired;
  }

  /** @param told milliseconds that a message names, where these are but the rest of them */
  restart(milliseconds: number, kind: Expiry = "time-limit", told = milliseconds): void {
    clearTimeout(this.#timer);
    this.#milliseconds = told;
    this.#timer = setTimeout(
      () => {
        this.#expired = kind;
        this.#controller.abort(new Error("time limit"));
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  /** Waits for something, but no longer than the limit lasts: then throws what the signal was aborted with. */
  async within<T>(awaited: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(this.signal.reason as Error);
    if (this.signal.aborted) end();
    this.signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([awaited, promise]);
    } finally {
      this.signal.removeEventListener("abort", end);
    }
  }

  /** Ends the limit: nothing is aborted from here on. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }
}
