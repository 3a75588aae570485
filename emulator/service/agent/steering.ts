/**
 * Steering: how an emulated job goes.
 *
 * The real agent does what a prompt asks for; the emulated one does what its steering says. The
 * defaults come from the seed (`steering`), and a prompt or a follow-up overrides them with lines
 * that begin with `emulate:`, each holding options separated by spaces:
 *
 *     Describe the new endpoint.
 *     emulate: outcome=failed duration=200ms
 *
 * Options apply to the turn that the prompt starts, so that a follow-up starts from the defaults again, except for
 * checks and builds. The last of two equal options wins. A misspelt option is refused with 400.
 */

import { HttpError } from "../../http/http-error.ts";

/** How one turn of a job goes. Durations are in milliseconds. */
export interface Steering {
  /** `outcome=…`. */
  outcome: Outcome;
  /** `answer=…`: what the request is answered with. */
  answer: Answer;
  /** `duration=…`: time from the prompt to the end. Null (`duration=never`): the agent works for ever. */
  durationMs: number | null;
  /** `busy`: a follow-up to the working job is answered with 409. */
  busy: boolean;
  /** Whether the job is unknown once its turn is over. */
  isForgotten: boolean;
  /** `stale=…`: time after a follow-up for which the record from before it is shown. */
  staleMs: number;
  /** `missing=…`: time from the prompt for which the job is unknown. */
  missingMs: number;
  /** `link=…`: time after the end for which the record has no pull request. */
  linkMs: number;
  /** `hang`: a poll gets no answer. */
  hangs: boolean;
  /** `pr=…`: `open` for a real pull request, or the text to show as the link. */
  pr: string;
  /** `checks=…`: the result that `ci[bot]` reports for the head that the turn pushes. */
  checks: "none" | Quality;
  /** `conflict`: somebody writes the same page on the base; a follow-up merges it. */
  conflict: boolean;
  /** `build=…`: how previews of the branch are built. */
  build: Quality;
  /** `build-time=…`: how long that takes. */
  buildMs: number;
}

/** `red` is green after a follow-up; `stuck` is red, and no follow-up helps. */
export type Quality = (typeof QUALITIES)[number];

const QUALITIES = ["green", "red", "stuck"] as const;

const OUTCOMES = ["completed", "no-changes", "failed", "archived"] as const;

/**
 * `accepted`, as it should be. A status refuses the text; `firewall`: a page of something between refuses it. `credits`:
 * no credits are left, as with 402, but with 429. `lost`: accepted, and the answer is lost.
 */
export const ANSWERS = [
  "accepted",
  "400",
  "402",
  "413",
  "422",
  "credits",
  "firewall",
  "lost",
] as const;

export type Answer = (typeof ANSWERS)[number];

export type Outcome = (typeof OUTCOMES)[number];

/** Long enough for a person to see a running job, and short enough to wait for. */
export const DEFAULT_STEERING: Steering = {
  outcome: "completed",
  answer: "accepted",
  durationMs: 4000,
  busy: false,
  isForgotten: false,
  staleMs: 0,
  missingMs: 0,
  linkMs: 0,
  hangs: false,
  pr: "open",
  checks: "none",
  conflict: false,
  build: "green",
  buildMs: 2000,
};

/** The defaults of a follow-up: the agent repairs what was red. */
export function mended(defaults: Steering, { checks, build }: Steering): Steering {
  const repaired = <K extends Steering["checks"]>(was: K) => (was === "red" ? "green" : was);
  return { ...defaults, checks: repaired(checks), build: repaired(build) };
}

const LINE = /^[ \t]*emulate:[ \t]*(.*)$/gim;

/** The text without its `emulate:` lines: what the agent writes about. */
export function withoutOptions(text: string): string {
  return text.replaceAll(LINE, "").trim();
}

/** The defaults, changed by the `emulate:` lines of a prompt, in order. @throws HttpError 400 */
export function steer(prompt: string, defaults: Steering): Steering {
  const options = [...prompt.matchAll(LINE)].flatMap(([, line = ""]) => line.match(/\S+/g) ?? []);
  let steering = defaults;
  for (const option of options) steering = { ...steering, ...changeOf(option) };
  return steering;
}

/** @throws HttpError 400 */
function changeOf(option: string): Partial<Steering> {
  const [, name = "", value = ""] = /^([^=]*)(?:=(.*))?$/.exec(option) ?? [];
  try {
    const read = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (read === undefined) throw new Error("unknown option");
    return read(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HttpError(400, `emulate: '${option}': ${reason}`);
  }
}

/** The change that each option makes. @throws an error that says what was expected */
const OPTIONS: Record<string, (value: string) => Partial<Steering>> = {
  outcome: (value) => ({ outcome: oneOf(OUTCOMES, value) }),
  answer: (value) => ({ answer: oneOf(ANSWERS, value) }),
  duration: (value) => ({ durationMs: value === "never" ? null : duration(value) }),
  busy: () => ({ busy: true }),
  stale: (value) => ({ staleMs: duration(value) }),
  missing: (value) => ({ missingMs: duration(value) }),
  link: (value) => ({ linkMs: duration(value) }),
  hang: () => ({ hangs: true }),
  pr: (value) => ({ pr: value }),
  checks: (value) => ({ checks: oneOf(["none", ...QUALITIES], value) }),
  conflict: () => ({ conflict: true }),
  build: (value) => ({ build: oneOf(QUALITIES, value) }),
  "build-time": (value) => ({ buildMs: duration(value) }),
};

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

function duration(value: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
  if (amount === undefined) throw new Error("expected a duration such as 200ms, 4s or 1m");
  return Number(amount) * (UNITS[unit] ?? 1);
}

function oneOf<T extends string>(allowed: readonly T[], value: string): T {
  const choice = allowed.find((candidate) => candidate === value);
  if (choice === undefined) throw new Error(`expected one of ${allowed.join(", ")}`);
  return choice;
}
