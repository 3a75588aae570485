/** How often a job is polled: both in milliseconds. */
export interface PollPace {
  /** Delay before the first poll. */
  initial: number;
  /** Largest delay between two polls. */
  max: number;
}

/**
 * Each delay is half as long again as the one before. With the defaults of 3 s and 15 s a short job is
 * noticed within seconds, and one of ten minutes is polled fewer than 50 times.
 */
const GROWTH = 1.5;
/** Every delay is stretched or shortened by up to a fifth, so that many runs do not poll in step. */
const SPREAD = 0.2;

/**
 * The delay before a poll.
 *
 * @param poll number of the poll, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds: `min(max, initial × 1.5^(poll-1))`, times a factor from 0.8 to 1.2
 */
export function delayBefore(poll: number, { initial, max }: PollPace, random: number): number {
  // The exponent is bounded so that a long wait does not multiply infinity by zero.
  const grown = initial * GROWTH ** Math.min(poll - 1, 100);
  return Math.min(max, grown) * (1 - SPREAD + 2 * SPREAD * random);
}
