import type { Http } from "../net/http.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { StepOutputs } from "./step-outputs.ts";

/** Everything outside of the action that it uses. Passed down from the entrypoint, so that tests can replace it. */
export interface Dependencies {
  /** The action's name in headings and annotations. */
  title: string;
  outputs: StepOutputs;
  log: Log;
  clock: Clock;
  /** A number from 0 to 1. */
  random: () => number;
  http: Http;
  /** Removed from all input from outside, and again from all output. */
  secrets: Secrets;
  cancellation: Cancellation;
}

/** A random name of about 20 letters and digits, from 104 bits: no other run draws the same. */
export function drawName({ random }: { random(): number }): string {
  return [0, 1].map(() => Math.floor(random() * 2 ** 52).toString(36)).join("");
}

/** Calls a function on first use, and keeps its result. */
export function once<T extends object>(make: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

/** Processes the items in order, at most `limit` at a time. @returns the results, in the same order */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  perform: (item: T) => Promise<R>,
): Promise<R[]> {
  const remaining = items.entries();
  const results: R[] = [];
  const work = async () => {
    for (const [index, item] of remaining) results[index] = await perform(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
