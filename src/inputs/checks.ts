import type * as z from "zod/mini";
import { ActionError } from "../runtime/errors.ts";
import { isId } from "../service/agent.ts";
import { parseJson } from "../service/json.ts";
import { isLoopback } from "../text/link.ts";
import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { linesOf, quote } from "../text/sentence.ts";

/** Reads an input by its name, exactly as in the workflow; empty if it is not set. */
export type ReadInput = (name: string) => string;

/** What is wrong with an input. */
export class InputProblem extends Error {
  readonly ends: string[];

  /** @param ends the ends of sentences that begin with the name of the input */
  constructor(...ends: string[]) {
    super(ends.join("\n"));
    this.ends = ends;
  }
}

/** Checks the text of one input, exactly as in the workflow. Throws {@link InputProblem}. */
export type InputCheck<T> = (text: string) => T;

/** Reads and checks one input. @param name its name in `action.yml` */
export type ParseInput = <T>(name: string, check: InputCheck<T>) => T;

/** The checked value, or what is wrong with it. */
function attempt<T>(check: () => T): { value: T } | InputProblem {
  try {
    return { value: check() };
  } catch (error) {
    if (error instanceof InputProblem) return error;
    throw error;
  }
}

/** @returns also what is wrong with each invalid input, whose value is then missing */
function readInputs<Inputs>(read: ReadInput, parse: (input: ParseInput) => Inputs) {
  const problems: string[] = [];
  const inputs = parse(<T>(name: string, check: InputCheck<T>): T => {
    const checked = attempt(() => check(read(name)));
    if ("value" in checked) return checked.value;
    problems.push(...checked.ends.map((end) => `${name}: ${end}`));
    return undefined as T;
  });
  return { inputs, problems };
}

/** The same as {@link parseInputs}, but null if one is invalid. */
export function parseIfValid<Inputs>(
  read: ReadInput,
  parse: (input: ParseInput) => Inputs,
): Inputs | null {
  const { inputs, problems } = readInputs(read, parse);
  return problems.length === 0 ? inputs : null;
}

/**
 * Reads and checks inputs.
 *
 * @param parse makes one object of them. It only reads: the value of an invalid input is missing there, and the result
 * is then not returned.
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseInputs<Inputs>(read: ReadInput, parse: (input: ParseInput) => Inputs): Inputs {
  const { inputs, problems } = readInputs(read, parse);
  const [first] = problems;
  if (first === undefined) return inputs;
  const list = problems.map((problem) => `- ${problem}`).join("\n");
  const all = `${problems.length} inputs are invalid:\n${list}`;
  throw new ActionError("invalid-input", problems.length === 1 ? first : all);
}

/** Checks every item. @throws InputProblem with what is wrong with all of them, after the name of each */
export function checkEach<T, R>(
  items: readonly T[],
  check: (item: T, index: number) => R,
  nameOf: (item: T, index: number) => string = () => "",
): R[] {
  const ends: string[] = [];
  const results = items.flatMap((item, index) => {
    const checked = attempt(() => check(item, index));
    if ("value" in checked) return [checked.value];
    ends.push(...checked.ends.map((end) => nameOf(item, index) + end));
    return [];
  });
  if (ends.length > 0) throw new InputProblem(...ends);
  return results;
}

/** @param allowed completes "it must be …" */
export function notAllowed(shown: string, allowed: string): InputProblem {
  return new InputProblem(`${shown} is not allowed: it must be ${allowed}.`);
}

/** How secrets are shown in messages. */
export const HIDDEN = "its value (not shown)";

/**
 * A check of one input, without the white space around it.
 *
 * @param allowed completes "it must be …"
 * @param parse returns undefined for an invalid value
 * @param options `show`: the value in messages; `fallback`: the value of an input that is not set
 */
export function trimmed<T>(
  allowed: string,
  parse: (text: string) => T | undefined,
  { show = quote, fallback = "" }: { show?: (text: string) => string; fallback?: string } = {},
): InputCheck<T> {
  return (text) => {
    const value = parse(text.trim() || fallback);
    if (value === undefined) throw notAllowed(show(text), allowed);
    return value;
  };
}

/** A text, without the white space around it. */
export function trimmedText(
  allowed: string,
  isAllowed: (text: string) => boolean,
  options?: Parameters<typeof trimmed>[2],
): InputCheck<string> {
  return trimmed(allowed, (text) => (isAllowed(text) ? text : undefined), options);
}

/** Any text, without the white space around it. */
export const anyText: InputCheck<string> = (text) => text.trim();

/** A text as it is, with its white space. */
export const verbatim: InputCheck<string> = (text) => text;

/** Null if the input is not set. */
export function optional<T>(check: InputCheck<T>): InputCheck<T | null> {
  return (text) => (text.trim() === "" ? null : check(text));
}

const UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** A duration in milliseconds. 0 is allowed if it is the default. */
export function durationIn(
  unit: keyof typeof UNITS,
  fallback: string,
  most = Number.MAX_VALUE,
): InputCheck<number> {
  const isPositive = fallback !== "0";
  const number = isPositive ? `a positive number of ${unit}` : `a number of ${unit} of 0 or more`;
  const upTo = most === Number.MAX_VALUE ? "" : ` up to ${most}`;
  return trimmed(
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
export function wholeNumber(
  fallback = "",
  least = 1,
  most = Number.MAX_SAFE_INTEGER,
): InputCheck<number> {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  return trimmed(
    `a whole number ${range}`,
    (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
    { fallback },
  );
}

/** True or false. */
export function flag(fallback: "true" | "false" | "" = ""): InputCheck<boolean> {
  return trimmed(
    "true or false",
    (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined),
    { fallback },
  );
}

/** One of a few words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  fallback: NoInfer<Word> | "" = "",
): InputCheck<Word> {
  const find = (text: string) => words.find((word) => word === text);
  return trimmed(`one of ${words.join(", ")}`, find, { fallback });
}

/** JSON of a certain shape; null if it is not set. */
export function json<T>(allowed: string, schema: () => z.ZodMiniType<T>): InputCheck<T | null> {
  return optional(trimmed(allowed, (text) => schema().safeParse(parseJson(text)).data));
}

/** A list, one item per line. Messages show the first invalid line. */
export function lines(allowed: string, isAllowed = (_line: string) => true): InputCheck<string[]> {
  return trimmed(
    `${allowed}, one per line`,
    (text) => (linesOf(text).every(isAllowed) ? linesOf(text) : undefined),
    { show: (text) => quote(linesOf(text).find((line) => !isAllowed(line)) ?? text) },
  );
}

/** A part of a path. It is encoded later, so only `.` and `..` would change the path. */
export function segment(allowed: string): InputCheck<string> {
  return trimmedText(`${allowed} (not . or ..)`, isId);
}

/** Path patterns, one per line, as in a workflow's `paths:`. */
export const paths: InputCheck<PathFilter> = (text) => {
  const filter = parsePathFilter(text);
  if ("problem" in filter) throw new InputProblem(`${filter.problem}.`);
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
