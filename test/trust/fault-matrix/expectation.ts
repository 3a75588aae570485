import type { Times } from "./cell-setup.ts";
import type { Fault, Nature } from "./fault.ts";

/** What a run's comment says at the end. */
export type CommentState =
  | "none"
  /** That the agent is at work. */
  | "working"
  /** How the job ended. */
  | "ended"
  /** What went wrong. */
  | "error";

/** From the fewest to the most. */
export type Range = readonly [least: number, most: number];

/** What has to come of a cell. */
export interface Expectation {
  /** Any of these; empty means that the step succeeds. */
  errorKind: readonly string[];
  /** Any of these for the output `status`; empty means that it is not told. */
  status: readonly string[];
  /** How often the request may arrive. */
  arrives: Range;
  /** How many requests for a new job may arrive, those that were refused not counted. */
  creates: Range;
  comments: readonly CommentState[];
  warnings: Range;
  /** What a warning, or the error, has to mention. */
  mentions: readonly string[];
  /** `timeout-minutes`, in milliseconds of the step's own clock. */
  timeout: number;
  /** Real milliseconds after which the run must be over. */
  within: number;
}

/** No limit. */
export const MANY = Number.POSITIVE_INFINITY;
/** What a run may take on a busy machine besides the time that it is told to wait, in real milliseconds. */
export const WORK = 27_000;

/** What a rule has to go by. */
export interface Case {
  nature: Nature;
  fault: Fault;
  times: Times;
  /** What is expected when everything goes well in spite of the fault. */
  ok: Expectation;
}

/** What the design says about the requests of one purpose. */
export type Rule = (it: Case) => Expectation;
