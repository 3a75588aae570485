/** How often a job is looked at: both in milliseconds. */
export interface Pace {
  /** Delay before the first look. */
  initial: number;
  /** Largest delay between two looks. */
  max: number;
}

/**
 * Each delay is half as long again as the one before. With the defaults of 3 s and 15 s a short job is
 * noticed within seconds, and one of ten minutes is looked at fewer than 50 times.
 */
const GROWTH = 1.5;
/** Every delay is stretched or shortened by up to a fifth, so that many runs do not look in step. */
const SPREAD = 0.2;

/**
 * The delay before a look.
 *
 * @param look number of the look, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds: `min(max, initial × 1.5^(look-1))`, times a factor from 0.8 to 1.2
 */
export function delayBefore(look: number, { initial, max }: Pace, random: number): number {
  // The exponent is bounded so that a long wait does not multiply infinity by zero.
  const grown = initial * GROWTH ** Math.min(look - 1, 100);
  return Math.min(max, grown) * (1 - SPREAD + 2 * SPREAD * random);
}
