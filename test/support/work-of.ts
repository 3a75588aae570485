import { expect } from "vitest";
import { isExhaustive } from "./sample.ts";

/** The part of the given size that is tested. */
const SHARE = isExhaustive ? 1 : 1 / 4;
/** Quadratic work on texts of the given sizes takes longer than this, in milliseconds. */
const LITTLE = 250;
/** The work for the whole is compared with the work for this number of parts. */
const PARTS = 4;
/** Maximum ratio of whole to parts. It is about 1 for linear work, and 4 for quadratic work. */
const MOST = 2.5;
/** How often each is measured. The minimum counts, because other work in this thread only adds to it. */
const TRIES = 3;

/** CPU time of this thread for some work, in milliseconds, independent of other load on the machine. */
async function workOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Fails if work grows with the square of its size, or faster. The speed of the machine does not matter: work that takes
 * more than a moment is compared with the work for four quarters of the size. A sample tests a quarter of the size: if
 * work grows with the square of it, this is noticed at any size.
 *
 * @param work does the work for a size
 * @param share the part of the size that is tested
 * @param measure the milliseconds that some work takes
 * @returns the result of the work for the whole size that was tested
 */
export async function expectNoSquare<T>(
  work: (size: number) => T | Promise<T>,
  size: number,
  name = "it",
  share = SHARE,
  measure = workOf,
): Promise<T> {
  const tested = Math.ceil(size * share);
  const ofParts = async () => {
    for (let part = 0; part < PARTS; part++) await work(Math.ceil(tested / PARTS));
  };
  const result = Promise.withResolvers<T>();
  let whole = await measure(async () => result.resolve(await work(tested)));
  let parts = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < TRIES; nth++) {
    if (whole < LITTLE * share ** 2) return await result.promise;
    parts = Math.min(parts, await measure(ofParts));
    if (whole < MOST * parts) return await result.promise;
    whole = Math.min(whole, await measure(() => work(tested)));
  }
  const message = `${name} took ${whole} ms at once, and ${parts} ms in ${PARTS} parts`;
  expect(whole / parts, message).toBeLessThan(MOST);
  return await result.promise;
}
