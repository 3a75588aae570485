import type { Sent, Unaccepted } from "../github/api/explain.ts";
import { mayPass } from "../github/api/sent.ts";

/**
 * Keeps something on GitHub at the newest of several values, which are not compared. One request at a time: a
 * value never overtakes another one, and one that is not the newest when its turn comes is left out. After a refusal
 * or a mistake, nothing more is written.
 */
export class LatestWrite<T> {
  readonly #options: ConstructorParameters<typeof LatestWrite<T>>[0];
  #writes: Promise<void> = Promise.resolve();
  /** How many values there were. */
  #count = 0;
  #state: { type: "open" } | { type: "refused" } | { type: "mistaken"; error: unknown } = {
    type: "open",
  };

  constructor(options: {
    /** Writes a value. @throws a mistake of the action */
    write(value: T): Promise<Sent<unknown>>;
    /** Aborted when the run is cancelled. */
    stop: AbortSignal;
    /** Called for what was not accepted, and no other attempt follows. */
    onRefused(sent: Unaccepted): void;
    /** Waits before the last value is tried once more, if it failed in passing; null if it is not tried again. */
    pause: (() => Promise<void>) | null;
  }) {
    this.#options = options;
  }

  /** Writes a value, unless there is a newer one by then. The next one makes up for what failed in passing. */
  set(value: T): void {
    this.#count += 1;
    const turn = this.#count;
    this.#writes = this.#writes.then(async () => {
      if (turn === this.#count) await this.#attempt(value, false);
    });
  }

  /**
   * Writes the last value.
   *
   * @returns what came of it: `later` if it failed in passing, so that the post step can try again
   * @throws a mistake of the action, in this write or an earlier one
   */
  async finish(value: T): Promise<"written" | "refused" | "later"> {
    this.#count += 1;
    await this.#writes;
    const isWritten = await this.#attempt(value, true);
    if (this.#state.type === "mistaken") throw this.#state.error;
    if (isWritten) return "written";
    return this.#state.type === "refused" ? "refused" : "later";
  }

  /** @returns whether the value was written */
  async #attempt(value: T, isLast: boolean): Promise<boolean> {
    if (this.#state.type !== "open") return false;
    const { write, stop, onRefused, pause } = this.#options;
    try {
      let sent = await write(value);
      const isWorthMore = sent.type !== "accepted" && mayPass(sent);
      if (isWorthMore && isLast && pause !== null && !stop.aborted) {
        await pause();
        sent = await write(value);
      }
      if (sent.type === "accepted") return true;
      // A request that a signal stopped was not refused: the post step tries again.
      const isPassing = mayPass(sent) || stop.aborted;
      if (!isPassing) this.#state = { type: "refused" };
      if (isLast || !isPassing) onRefused(sent);
    } catch (error) {
      this.#state = { type: "mistaken", error };
    }
    return false;
  }
}
