import { expect } from "vitest";

/** What no quadratic work on a text of the sizes here keeps below, in milliseconds. */
const LITTLE = 250;
/** A part is compared with the whole, of which there are so many in it. */
const PARTS = 4;
/** Work that grows with the size takes as long for the whole as for its parts; with its square, 4 times as long. */
const MOST = 2.5;
/** How often each is measured: whatever else happens in this thread only adds to the work. */
const TRIES = 3;

/** Milliseconds of this thread's work, however much else the machine has to do. */
export async function workOf(what: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await what();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Fails if work grows with the square of its size, or worse. How fast the machine is makes no difference:
 * what takes more than a moment is compared with the work for four quarters of the size.
 *
 * @param work does the work for a size, given in whatever it grows with
 * @returns what the work for the whole size gave
 */
export async function expectNoSquare<T>(
  work: (size: number) => T | Promise<T>,
  size: number,
  name = "it",
): Promise<T> {
  const ofParts = async () => {
    for (let part = 0; part < PARTS; part++) await work(Math.ceil(size / PARTS));
  };
  const result = Promise.withResolvers<T>();
  let whole = await workOf(async () => result.resolve(await work(size)));
  let parts = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < TRIES; nth++) {
    if (whole < LITTLE) return await result.promise;
    parts = Math.min(parts, await workOf(ofParts));
    if (whole < MOST * parts) return await result.promise;
    whole = Math.min(whole, await workOf(() => work(size)));
  }
  const told = `${name} took ${whole} ms at once, and ${parts} ms in ${PARTS} parts`;
  expect(whole / parts, told).toBeLessThan(MOST);
  return await result.promise;
}
