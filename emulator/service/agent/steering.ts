/**
 * Steering: how an emulated job goes.
 *
 * The real agent reads a prompt and does what it can; the emulated one does what its steering says. The
 * defaults come from the seed (`steering`), and a prompt or a follow-up overrides them with lines
 * that begin with `emulate:`, each holding options separated by spaces:
 *
 *     Describe the new endpoint.
 *     emulate: outcome=failed duration=200ms
 *
 * | option               | what it does                                                           |
 * |----------------------|------------------------------------------------------------------------|
 * | `outcome=…`          | `completed` (default), `no-changes`, `failed` or `archived`            |
 * | `duration=…`         | how long the agent works: `200ms`, `4s`, `1m`, or `never` for no end   |
 * | `status=WORD`        | this word in place of `active` while the agent works                   |
 * | `busy`               | a follow-up to the working job is answered with 409                    |
 * | `forget`             | once a client has read its outcome, the job is unknown: 404            |
 * | `forget=over`        | the job is unknown once its turn is over                               |
 * | `forget=DURATION`    | the job is unknown from this long after its creation                   |
 * | `lag=DURATION`       | the job is unknown for this long after its creation                    |
 * | `stale=DURATION`     | after this follow-up, polls show the record from before it for so long |
 * | `other-job=DURATION` | polls show the record of another job for so long after this prompt     |
 * | `pr=none`            | files were not changed: `prLink` stays null                            |
 * | `pr=URL`             | this text as `prLink`; nothing is opened                               |
 * | `pr=open`            | a real pull request on the emulated GitHub (default)                   |
 * | `branch=none`        | the record shows no branch: `source.ref`, or `branch` in version 1,    |
 * |                      | is null                                                                |
 * | `reason=WORD`        | version 1: this word as `haultReason` at the end                       |
 * | `stream=KIND`        | version 1: `steps` (default), `break` half-way, `endless`, or a size   |
 * |                      | such as `50MiB`                                                        |
 * | `checks=KIND`        | what `ci[bot]` says of the new head: `none` (default), `green`, `red`  |
 * |                      | until a follow-up, or `stuck`: red whatever follow-ups say             |
 * | `conflict`           | the base gets the same page with other lines; a follow-up merges them  |
 * | `build=KIND`         | how a preview of its branch is built: `green` (default), `red` until a |
 * |                      | follow-up, or `stuck`                                                  |
 * | `build-time=…`       | how long that takes                                                    |
 *
 * A flag is switched off with `busy=off` or `forget=never`. Options count for the turn that the
 * prompt starts, so a follow-up starts from the defaults again, but for what becomes of checks and builds. The
 * last of two equal options wins.
 * A misspelt option is refused with 400.
 */

import { duration, type Options, oneOf, steered, text } from "../steering-options.ts";

/** How one turn of a job goes. Durations are in milliseconds. */
export interface Steering {
  outcome: Outcome;
  /** Time from the prompt to the end; null: the agent works for ever. Default: 4000. */
  durationMs: number | null;
  /** Shown in place of `active`; null: `active` itself. */
  workingStatus: string | null;
  /** Whether a follow-up to the working job is refused with 409. */
  busy: boolean;
  /** `never`, `once-read`, when its last turn is `over`, or a time after the creation in milliseconds. */
  forget: (typeof FORGETTING)[number] | number;
  /** Time after the creation for which the job is not found. */
  lagMs: number;
  /** Time after a follow-up for which the record from before it is shown. */
  staleMs: number;
  /** Time after the prompt for which polls are answered with the record of another job. */
  otherJobMs: number;
  /** `open`, `none`, or the text to show as the link. */
  pr: string;
  /** Whether the record shows the branch. */
  showsBranch: boolean;
  /** Version 1: the reason for the end; null: the one that fits the outcome. */
  reason: string | null;
  /** Version 1: what is streamed while the agent works; a number is a size in bytes. */
  stream: "steps" | "break" | "endless" | number;
  /** What is reported on the head that the turn pushes. */
  checks: "none" | Quality;
  /** Whether somebody writes the same page on the base. */
  conflict: boolean;
  /** How previews of the branch are built, and how long that takes. */
  build: Quality;
  buildMs: number;
}

/** `stuck`: red, and no follow-up helps. */
export type Quality = (typeof QUALITIES)[number];

const QUALITIES = ["green", "red", "stuck"] as const;

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
  otherJobMs: 0,
  pr: "open",
  showsBranch: true,
  reason: null,
  stream: "steps",
  checks: "none",
  conflict: false,
  build: "green",
  buildMs: 2000,
};

/** The defaults of a follow-up: the agent mends what was red. */
export function mended(defaults: Steering, { checks, build }: Steering): Steering {
  const mend = <K extends Steering["checks"]>(was: K) => (was === "red" ? "green" : was);
  return { ...defaults, checks: mend(checks), build: mend(build) };
}

/** The defaults, changed by the `emulate:` lines of a prompt. @throws HttpError 400 */
export function steer(prompt: string, defaults: Steering): Steering {
  return steered(prompt, defaults, OPTIONS);
}

const OPTIONS: Options<Steering> = {
  outcome: (value) => ({ outcome: oneOf(OUTCOMES, value) }),
  duration: (value) => ({ durationMs: value === "never" ? null : duration(value) }),
  status: (value) => ({ workingStatus: text(value) }),
  busy: (value) => ({ busy: oneOf(["on", "off"], value ?? "on") === "on" }),
  forget: (value = "once-read") => ({
    forget: FORGETTING.find((word) => word === value) ?? duration(value),
  }),
  lag: (value) => ({ lagMs: duration(value) }),
  stale: (value) => ({ staleMs: duration(value) }),
  "other-job": (value) => ({ otherJobMs: duration(value) }),
  pr: (value) => ({ pr: text(value) }),
  branch: (value) => ({ showsBranch: oneOf(["none", "shown"], value) === "shown" }),
  reason: (value) => ({ reason: text(value) }),
  stream: (value) => ({ stream: stream(value) }),
  checks: (value) => ({ checks: oneOf(["none", ...QUALITIES], value) }),
  conflict: (value) => ({ conflict: oneOf(["on", "off"], value ?? "on") === "on" }),
  build: (value) => ({ build: oneOf(QUALITIES, value) }),
  "build-time": (value) => ({ buildMs: duration(value) }),
};

const FORGETTING = ["never", "once-read", "over"] as const;
const STREAMS = ["steps", "break", "endless"] as const;
const BYTES: Record<string, number> = { KiB: 1024, MiB: 1024 * 1024 };

function stream(value: string | undefined): Steering["stream"] {
  const [, amount, unit = ""] = /^(\d+)(KiB|MiB)$/.exec(value ?? "") ?? [];
  return amount === undefined ? oneOf(STREAMS, value) : Number(amount) * (BYTES[unit] ?? 1);
}
