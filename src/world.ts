import type { Cancellation } from "./cancellation.ts";
import type { Clock } from "./clock.ts";
import type { Connect } from "./github/connect.ts";
import type { Given } from "./github/given.ts";
import type { Desk, Teller } from "./github/teller.ts";
import type { Request } from "./github/trigger.ts";
import type { Inputs } from "./inputs/inputs.ts";
import type { Log } from "./log.ts";
import type { Http } from "./net/http.ts";
import type { Agent } from "./service/agent.ts";

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

/** One run of a job: what it was given, and whom it works with. */
export interface Run {
  inputs: Inputs;
  given: Given;
  /** What was asked for by phrase; null for a run that was not. */
  request: Request | null;
  connect: Connect;
  agent: Agent;
  teller: Teller;
  /** When waiting ends, in milliseconds on the clock. */
  deadline: number;
  world: World;
}
