import { deflateRawSync } from "node:zlib";

/**
 * Measures what values take in a marker, which is compressed as a whole: each counts behind the one
 * before it, whose wording it repeats. A sum of such measures is never less than what they take together.
 */
export class MarkerSize {
  #before = "";

  /** Characters of a marker for one more value. */
  add(value: unknown): number {
    const text = JSON.stringify(value) ?? "";
    const dictionary = Buffer.from(this.#before);
    const bytes = deflateRawSync(text, dictionary.length > 0 ? { dictionary } : {}).length;
    this.#before = text;
    return Math.ceil((bytes * 4) / 3);
  }
}
