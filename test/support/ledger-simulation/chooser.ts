/** Draws what happens next from a list of numbers; when it is used up, always the first possibility. */
export class Chooser {
  readonly #numbers: readonly number[];
  #used = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get isUsedUp(): boolean {
    return this.#used >= this.#numbers.length;
  }

  /** A whole number from 0 to `below - 1`. */
  number(below: number): number {
    const drawn = this.#numbers[this.#used++] ?? 0;
    return below <= 1 ? 0 : drawn % below;
  }

  /** True in `percent` of a hundred cases, never when the numbers are used up. */
  chance(percent: number): boolean {
    return this.number(100) >= 100 - percent;
  }

  /** One of some, null if there are none. */
  one<T>(items: readonly T[]): T | null {
    return items[this.number(items.length)] ?? null;
  }

  /** One of some possibilities, each as likely as its weight says. */
  weighted<T extends string>(weights: Partial<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.number(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [possibility, weight] of entries) {
      if (left < weight) return possibility;
      left -= weight;
    }
    throw new Error("the weights are more than their sum");
  }
}
