import type * as z from "zod/mini";
import type { RunContext } from "../github/trigger/run-context.ts";
import { ActionError } from "../runtime/errors.ts";
import { isId } from "../service/agent.ts";
import { isLoopback } from "../text/link.ts";
import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { linesOf, quote } from "../text/sentence.ts";

/** Reads an input by its name, exactly as in the workflow; empty if it is not set. */
export type ReadInput = (name: string) => string;

/** What is wrong with an input. */
export class Problem extends Error {
  readonly ends: string[];

  /** @param ends the ends of sentences that begin with the name of the input */
  constructor(...ends: string[]) {
    super(ends.join("\n"));
    this.ends = ends;
  }
}

/**
 * A check of one input. Throws {@link Problem}.
 *
 * @param text the unchanged value
 * @param read for a check that depends on other inputs
 */
export type Check<T> = (text: string, read: ReadInput, context: RunContext) => T;

/** Checks of inputs, by their names in `action.yml`. */
type Shape = Readonly<Record<string, Check<unknown>>>;

/**
 * `max-changes` becomes `maxChanges`, and `timeout-minutes` becomes `timeout`: durations are in milliseconds.
 * `previous-api-key` becomes `keys`, which contains both keys.
 */
type Field<Name> = Name extends "previous-api-key"
  ? "keys"
  : Name extends `${infer Rest}-${"seconds" | "minutes" | "hours" | "days"}`
    ? Camel<Rest>
    : Camel<Name>;
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest> & string>}`
  : Name;

/** The values of the inputs of a shape. */
export type ValuesOf<S extends Shape> = {
  [Name in keyof S as Field<Name> & string]: ReturnType<S[Name]>;
};

/**
 * Reads and checks the inputs of a shape.
 *
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseInputs<S extends Shape>(
  shape: S,
  read: ReadInput,
  context: RunContext,
): ValuesOf<S> {
  try {
    const values = checkEach(
      Object.entries(shape),
      ([name, check]) => [fieldOf(name), check(read(name), read, context)] as const,
      ([name]) => `${name}: `,
    );
    return Object.fromEntries(values) as ValuesOf<S>;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { ends } = error;
    const list = `${ends.length} inputs are invalid:\n${ends.map((end) => `- ${end}`).join("\n")}`;
    throw new ActionError("invalid-input", ends.length === 1 ? error.message : list);
  }
}

/** Checks every item. @throws Problem with what is wrong with all of them, after the name of each */
export function checkEach<T, R>(
  items: readonly T[],
  check: (item: T, index: number) => R,
  nameOf: (item: T, index: number) => string = () => "",
): R[] {
  const ends: string[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [check(item, index)];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      ends.push(...error.ends.map((end) => nameOf(item, index) + end));
      return [];
    }
  });
  if (ends.length > 0) throw new Problem(...ends);
  return results;
}

function fieldOf(name: string): string {
  if (name === "previous-api-key") return "keys";
  return name
    .replace(/-(?:seconds|minutes|hours|days)$/, "")
    .replace(/-[a-z]/g, ([, letter = ""]) => letter.toUpperCase());
}

/** @param allowed completes "it must be …" */
export function notAllowed(shown: string, allowed: string): Problem {
  return new Problem(`${shown} is not allowed: it must be ${allowed}.`);
}

/** How secrets are shown in messages. */
export const HIDDEN = "its value (not shown)";

/**
 * A check of one input, without the white space around it.
 *
 * @param allowed completes "it must be …"
 * @param parse returns undefined for an invalid value
 */
export function input<T>(
  allowed: string,
  parse: (text: string, context: RunContext) => T | undefined,
  { show = quote, fallback = "" }: { show?: (text: string) => string; fallback?: string } = {},
): Check<T> {
  return (text, _, context) => {
    const value = parse(text.trim() || fallback, context);
    if (value === undefined) throw notAllowed(show(text), allowed);
    return value;
  };
}

/** A text, without the white space around it. */
export const textInput = (
  allowed: string,
  isAllowed: (text: string) => boolean,
  options?: Parameters<typeof input>[2],
) => input(allowed, (text) => (isAllowed(text) ? text : undefined), options);

/** Null if the input is not set. */
export const optional =
  <T>(check: Check<T>): Check<T | null> =>
  (text, read, context) =>
    text.trim() === "" ? null : check(text, read, context);

const UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** A duration in milliseconds. 0 is allowed if it is the default. */
export function duration(unit: keyof typeof UNITS, fallback: string, most = Number.MAX_VALUE) {
  const isPositive = fallback !== "0";
  const number = isPositive ? `a positive number of ${unit}` : `a number of ${unit} of 0 or more`;
  const upTo = most === Number.MAX_VALUE ? "" : ` up to ${most}`;
  return input(
    `${number}${upTo}, such as 3 or 0.5`,
    (text) => {
      const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
      const isAllowed = Number.isFinite(value * UNITS[unit]) && value <= most;
      return isAllowed && (value > 0 || !isPositive) ? value * UNITS[unit] : undefined;
    },
    { fallback },
  );
}

/** A whole number. */
export function wholeNumber(fallback = "", least = 1, most = Number.MAX_SAFE_INTEGER) {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  return input(
    `a whole number ${range}`,
    (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
    { fallback },
  );
}

export const flag = (fallback: "true" | "false" | "" = "") =>
  input(
    "true or false",
    (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined),
    { fallback },
  );

/** One of a few words. */
export const oneOf = <const T extends string>(
  values: readonly T[],
  fallback: NoInfer<T> | "" = "",
) =>
  input(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text), {
    fallback,
  });

/** JSON of a certain shape; null if it is not set. */
export const json = <T>(allowed: string, schema: () => z.ZodMiniType<T>) =>
  optional(
    input(allowed, (text) => {
      try {
        return schema().safeParse(JSON.parse(text)).data;
      } catch {
        return undefined;
      }
    }),
  );

/** A list, one item per line. Messages show the first invalid line. */
export const lines = (allowed: string, isAllowed = (_line: string) => true) =>
  input(
    `${allowed}, one per line`,
    (text) => (linesOf(text).every(isAllowed) ? linesOf(text) : undefined),
    { show: (text) => quote(linesOf(text).find((line) => !isAllowed(line)) ?? text) },
  );

/** A part of a path. It is encoded later, so only `.` and `..` would change the path. */
export const segment = (allowed: string) => textInput(`${allowed} (not . or ..)`, isId);

/** Path patterns, one per line, as in a workflow's `paths:`. */
export const paths: Check<PathFilter> = (text) => {
  const filter = parsePathFilter(text);
  if ("problem" in filter) throw new Problem(`${filter.problem}.`);
  return filter;
};

/** An absolute `https:` URL; `http:` only for this machine: elsewhere, others could read the secrets. */
export function secureUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.href !== url.origin + url.pathname) return undefined;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
    ? url
    : undefined;
}

/** A URL for messages. It may contain a password before an `@`. */
export function withoutPassword(text: string): string {
  return text.includes("@") ? HIDDEN : quote(text);
}

/** Names of branches and tags that Git accepts. A SHA is one, too. */
const REF =
  /^(?![-./]|@$)(?!.*(?:\.\.|\/[./]|@\{|[./]$|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

/** Whether a text can be the name of a branch or tag, or a SHA. */
export function isGitRef(text: string): boolean {
  return REF.test(text);
}
