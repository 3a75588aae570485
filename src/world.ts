import type { Cancellation } from "./cancellation.ts";
import type { Clock } from "./clock.ts";
import type { Desk } from "./github/teller.ts";
import type { Log } from "./log.ts";
import type { Http } from "./net/http.ts";

/** All that a run reaches out to. */
export interface World {
  desk: Desk;
  log: Log;
  clock: Clock;
  /** A number from 0 to 1. */
  random: () => number;
  http: Http;
  cancellation: Cancellation;
}
