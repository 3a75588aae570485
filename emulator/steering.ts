/**
 * Steering: what an emulated job does with its life.
 *
 * The real agent reads a prompt and does what it can; the emulated one does as it is told. The
 * defaults come from the seed (`steering`), and a prompt or a follow-up overrides them with lines
 * that begin with `emulate:`, each holding options separated by spaces:
 *
 *     Describe the new endpoint.
 *     emulate: outcome=failed duration=200ms
 *
 * | option            | what it does                                                              |
 * |-------------------|---------------------------------------------------------------------------|
 * | `outcome=…`       | `completed` (default), `no-changes`, `failed` or `archived`               |
 * | `duration=…`      | how long the agent works: `200ms`, `4s`, `1m`, or `never` for no end      |
 * | `status=WORD`     | this word in place of `active` while the agent works                      |
 * | `busy`            | a follow-up to the working job is answered with 409                       |
 * | `forget`          | once its end has been told, the job is unknown: 404 to everything         |
 * | `forget=DURATION` | the job is unknown from this long after its creation                      |
 * | `lag=DURATION`    | the job is unknown for this long after its creation                       |
 * | `stale=DURATION`  | after this follow-up, the record from before it is shown for this long    |
 * | `pr=none`         | files were not changed: `prLink` stays null                               |
 * | `pr=URL`          | this text as `prLink`; nothing is opened                                  |
 * | `pr=open`         | a real pull request on the emulated GitHub (default)                      |
 * | `branch=none`     | the record tells no branch: `source.ref`, `branch` in version 1, is null  |
 * | `reason=WORD`     | version 1: this word as `haultReason` at the end                          |
 * | `stream=KIND`     | version 1: `steps` (default), `break` half-way, `endless`, or a size such |
 * |                   | as `50MiB`                                                                |
 *
 * A flag is switched off with `busy=off` or `forget=never`. Options count for the life that the
 * prompt begins, so a follow-up starts from the defaults again. The last of two equal options wins.
 * A misspelt option is refused with 400, so that nobody waits for what was never asked.
 */

import { ServiceError } from "./errors.ts";

/** How one life of a job goes. Durations are in milliseconds. */
export interface Steering {
  outcome: Outcome;
  /** Time from the prompt to the end; null: the agent works for ever. Default: 4000. */
  durationMs: number | null;
  /** Shown in place of `active`; null: `active` itself. */
  workingStatus: string | null;
  /** Whether a follow-up to the working job is refused with 409. */
  busy: boolean;
  /** `never`, `once-told`, or a time after the creation in milliseconds. */
  forget: "never" | "once-told" | number;
  /** Time after the creation for which the job is not found. */
  lagMs: number;
  /** Time after a follow-up for which the record from before it is shown. */
  staleMs: number;
  /** `open`, `none`, or the text to tell as the link. */
  pr: string;
  /** Whether the record tells the branch. */
  tellsBranch: boolean;
  /** Version 1: the reason for the end; null: the one that fits the outcome. */
  reason: string | null;
  /** Version 1: what is streamed while the agent works; a number is a size in bytes. */
  stream: "steps" | "break" | "endless" | number;
}

const OUTCOMES = ["completed", "no-changes", "failed", "archived"] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Long enough for a person to see a job at work, short enough to wait for. */
export const DEFAULT_STEERING: Steering = {
  outcome: "completed",
  durationMs: 4000,
  workingStatus: null,
  busy: false,
  forget: "never",
  lagMs: 0,
  staleMs: 0,
  pr: "open",
  tellsBranch: true,
  reason: null,
  stream: "steps",
};

/** The defaults, changed by the `emulate:` lines of a prompt. */
export function steer(prompt: string, defaults: Steering): Steering {
  const steering = { ...defaults };
  for (const option of optionsIn(prompt)) apply(option, steering);
  return steering;
}

/** The options of all `emulate:` lines, in order. */
export function optionsIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*emulate:[ \t]*(.*)$/gim)].flatMap(([, options]) =>
    (options ?? "").split(/\s+/).filter(Boolean),
  );
}

/** The name of an option and what it is set to, if to anything. */
export function splitOption(option: string): [name: string, value: string | undefined] {
  const equals = option.indexOf("=");
  return equals < 0 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}

/** The words of a prompt without its `emulate:` lines: what the agent is told to write about. */
export function withoutSteering(prompt: string): string {
  return prompt.replaceAll(/^[ \t]*emulate:.*$/gim, "").trim();
}

function apply(option: string, steering: Steering): void {
  const [name, value] = splitOption(option);
  switch (name) {
    case "outcome":
      steering.outcome = oneOf(OUTCOMES, value, option);
      return;
    case "duration":
      steering.durationMs = value === "never" ? null : duration(value, option);
      return;
    case "status":
      steering.workingStatus = text(value, option);
      return;
    case "busy":
      steering.busy = oneOf(["on", "off"], value ?? "on", option) === "on";
      return;
    case "forget":
      steering.forget =
        value === undefined ? "once-told" : value === "never" ? "never" : duration(value, option);
      return;
    case "lag":
      steering.lagMs = duration(value, option);
      return;
    case "stale":
      steering.staleMs = duration(value, option);
      return;
    case "pr":
      steering.pr = text(value, option);
      return;
    case "branch":
      steering.tellsBranch = oneOf(["none", "told"], value, option) === "told";
      return;
    case "reason":
      steering.reason = text(value, option);
      return;
    case "stream":
      steering.stream = stream(value, option);
      return;
    default:
      throw misspelt(option, "unknown option");
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** @throws ServiceError 400 for what is no duration; the result is in milliseconds. */
export function duration(value: string | undefined, option: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value ?? "") ?? [];
  if (amount === undefined || unit === undefined) {
    throw misspelt(option, "expected a duration such as 200ms, 4s or 1m");
  }
  return Number(amount) * (UNITS[unit] ?? 1);
}

const STREAMS = ["steps", "break", "endless"] as const;
const BYTES: Record<string, number> = { KiB: 1024, MiB: 1024 * 1024 };

function stream(value: string | undefined, option: string): Steering["stream"] {
  const [, amount, unit] = /^(\d+)(KiB|MiB)$/.exec(value ?? "") ?? [];
  if (amount !== undefined && unit !== undefined) return Number(amount) * (BYTES[unit] ?? 1);
  return oneOf(STREAMS, value, option);
}

/** @throws ServiceError 400 for what is not among the words allowed. */
export function oneOf<T extends string>(
  allowed: readonly T[],
  value: string | undefined,
  option: string,
): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw misspelt(option, `expected one of ${allowed.join(", ")}`);
  return found;
}

function text(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw misspelt(option, "expected a value after '='");
  return value;
}

/** The refusal of an option that makes no sense. */
export function misspelt(option: string, why: string): ServiceError {
  return new ServiceError(400, `emulate: '${option}': ${why}`);
}
