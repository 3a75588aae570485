import type { Http } from "../net/http.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { StepOutputs } from "./step-outputs.ts";

/** All that an action reaches out to; handed down from the entrypoint, so that a test can replace it. */
export interface Dependencies {
  /** The action's name in headings and annotations, such as `Docs upkeep`. */
  title: string;
  outputs: StepOutputs;
  log: Log;
  clock: Clock;
  /** A number from 0 to 1. */
  random: () => number;
  http: Http;
  /** Taken out of everything that comes from outside, and once more of everything that is told. */
  secrets: Secrets;
  cancellation: Cancellation;
}

/** A name that no other run draws: 20 letters and digits or so, made of 104 bits. */
export function drawName({ random }: Pick<Dependencies, "random">): string {
  return [0, 1].map(() => Math.floor(random() * 2 ** 52).toString(36)).join("");
}

/** Does something when it is asked for first, and keeps what came of it. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
