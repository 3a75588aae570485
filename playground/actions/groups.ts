/** Concurrency groups of workflows: one run of a group runs, and one waits. */

interface Waiting {
  start: () => void;
  replace: () => void;
}

export class Groups {
  /** The runs that wait, by the names of the groups of which one runs. */
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * Carries a run out when its turn comes. A newer run replaces the oldest one that waits if as many wait as may.
   *
   * @param name of the group, in any case
   * @param most maximum number of runs that wait
   * @param replace called in place of `carryOut` if the run is replaced
   * @returns resolves when the run has ended, or is replaced
   */
  enter(
    name: string,
    most: number,
    carryOut: () => Promise<void>,
    replace: () => void,
  ): Promise<void> {
    const group = name.toLowerCase();
    const waiting = this.#waiting.get(group);
    if (waiting === undefined) {
      this.#waiting.set(group, []);
      return this.#run(group, carryOut);
    }
    if (waiting.length >= most) waiting.shift()?.replace();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({
      start: () => resolve(this.#run(group, carryOut)),
      replace: () => {
        replace();
        resolve();
      },
    });
    return promise;
  }

  async #run(group: string, carryOut: () => Promise<void>): Promise<void> {
    try {
      await carryOut();
    } finally {
      const next = this.#waiting.get(group)?.shift();
      if (next === undefined) this.#waiting.delete(group);
      else next.start();
    }
  }
}
