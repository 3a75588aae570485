import * as z from "zod/mini";
import { ActionError } from "../runtime/errors.ts";
import { isLoopback } from "../text/link.ts";
import { quote } from "../text/sentence.ts";

/** Reads an input by its name, exactly as in the workflow; empty if it is not set. */
export type ReadInput = (name: string) => string;

/** The values of a group of inputs: null if one is invalid; and a sentence for each invalid input. */
export interface Checked<T> {
  values: T | null;
  problems: string[];
}

/** Checks of inputs, by their names in `action.yml`. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** `max-changes` becomes `maxChanges`, and `timeout-minutes` becomes `timeout`: durations are in milliseconds. */
type Field<Name> = Name extends `${infer Rest}-${"seconds" | "minutes" | "hours" | "days"}`
  ? Camel<Rest>
  : Camel<Name>;
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest> & string>}`
  : Name;

/** The values of the inputs of a shape. */
export type ValuesOf<S extends Shape> = {
  [Name in keyof S as Field<Name> & string]: z.infer<S[Name]>;
};

/** Reads and checks the inputs of a shape. */
export function checkInputs<S extends Shape>(shape: S, read: ReadInput): Checked<ValuesOf<S>> {
  const raw = Object.keys(shape).map((name) => [name, read(name)]);
  const { data, error } = z.object(shape).safeParse(Object.fromEntries(raw));
  const problems = (error?.issues ?? []).map(
    ({ path, message }) => `${String(path[0])}: ${message}.`,
  );
  if (data === undefined) return { values: null, problems };
  const values = Object.entries(data).map(([name, value]) => [fieldOf(name), value]);
  return { values: Object.fromEntries(values), problems };
}

function fieldOf(name: string): string {
  return name
    .replace(/-(?:seconds|minutes|hours|days)$/, "")
    .replace(/-[a-z]/g, ([, letter = ""]) => letter.toUpperCase());
}

/**
 * A check of one input.
 *
 * @param allowed completes "it must be …"
 * @param parse returns undefined for an invalid value. It gets the value, or the fallback for a blank value, and then
 *   the value as it was given.
 */
export function input<T>(
  allowed: string,
  parse: (text: string, given: string) => T | undefined,
  { show = quote, fallback = "" }: { show?: (text: string) => string; fallback?: string } = {},
) {
  return z.pipe(
    z.string(),
    z.transform((text: string, context): T => {
      const value = parse(text.trim() === "" ? fallback : text, text);
      if (value !== undefined) return value;
      const message = `${show(text)} is not allowed: it must be ${allowed}`;
      context.issues.push({ code: "custom", input: text, message });
      return z.NEVER;
    }),
  );
}

/** A URL for messages. */
export function withoutPassword(text: string): string {
  return quote(text.replace(/\/\/[^/]*@/, "//***@"));
}

/** Replaces a secret in messages. */
export function hidden(): string {
  return "its value (not shown)";
}

/** A duration in milliseconds. @param scale the unit, in milliseconds. @param most in units */
export const positive = (unit: string, scale: number, fallback: string, most?: number) =>
  input(
    `a positive number of ${unit}${most === undefined ? "" : ` up to ${most}`}, such as 3 or 0.5`,
    (text) => {
      const value = number(text) ?? Number.NaN;
      const isAllowed = Number.isFinite(value * scale) && value <= (most ?? value);
      return isAllowed ? value * scale : undefined;
    },
    { fallback },
  );

function number(text: string): number | undefined {
  const isDecimal = /^\+?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
  const value = isDecimal ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** A count from 1 to `most`. */
export const wholeNumber = (allowed: string, fallback: string, most = Number.MAX_SAFE_INTEGER) =>
  input(
    allowed,
    (text) => {
      const value = whole(text) ?? 0;
      return value > 0 && value <= most ? value : undefined;
    },
    { fallback },
  );

/** A whole number of 0 or more; undefined for any other text. */
export function whole(text: string): number | undefined {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

export const flag = (fallback: "true" | "false") =>
  input(
    "true or false",
    (text) => {
      const value = text.trim().toLowerCase();
      return value === "true" ? true : value === "false" ? false : undefined;
    },
    { fallback },
  );

/** One of a few words. */
export const oneOf = <const T extends string>(values: readonly T[], fallback: NoInfer<T>) =>
  input(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text.trim()), {
    fallback,
  });

/** JSON of a certain shape; null if it is not set. */
export const json = <T>(allowed: string, shape: z.ZodMiniType<T>) =>
  input(allowed, (text): T | null | undefined => {
    if (text.trim() === "") return null;
    try {
      return shape.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  });

/** Whether a text can be a segment of a path. It is encoded later, so only `.` and `..` would change the path. */
export const isSegment = (text: string) => ![".", ".."].includes(text);

/** An absolute `http:` or `https:` URL without user, password, query and fragment. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isHttp && isPlain ? url : undefined;
}

/** The same, but `http:` only for this machine: elsewhere, others could read the secrets. */
export function secureUrl(text: string): URL | undefined {
  const url = httpUrl(text);
  return url === undefined || url.protocol === "https:" || isLoopback(url) ? url : undefined;
}

/**
 * The values of inputs, if all of them are valid.
 *
 * @param others problems of inputs that were checked elsewhere
 * @throws ActionError that names every invalid input
 */
export function valuesOf<T>({ values, problems }: Checked<T>, ...others: string[][]): T {
  const all = [...problems, ...others.flat()];
  if (values === null || all.length > 0) throw invalid(all);
  return values;
}

/** The error that reports all invalid inputs. */
export function invalid(problems: readonly string[]): ActionError {
  return problems.length === 1
    ? new ActionError("invalid-input", problems[0] ?? "")
    : new ActionError(
        "invalid-input",
        `${problems.length} inputs are invalid:\n${problems.map((it) => `- ${it}`).join("\n")}`,
      );
}

/** Names of branches and tags that Git accepts. A SHA is one, too. */
const REF =
  /^(?![-./]|@$)(?!.*(?:\.\.|\/[./]|@\{|[./]$|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

/** Whether a text can be the name of a branch or tag, or a SHA. */
export function isGitRef(text: string): boolean {
  return REF.test(text);
}
