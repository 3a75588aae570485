import * as z from "zod/mini";
import { ActionError } from "../runtime/errors.ts";
import { isLoopback } from "../text/link.ts";
import { quote } from "../text/sentence.ts";

/** Reads an input of the action by its name, exactly as the workflow gave it; empty if it did not. */
export type ReadInput = (name: string) => string;

/** What a group of inputs says: null when one is wrong, with a sentence for each that is. */
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

/** What checks make of the inputs. */
export type ValuesOf<S extends Shape> = {
  [Name in keyof S as Field<Name> & string]: z.infer<S[Name]>;
};

/** Reads the inputs of a shape, and checks each. */
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
 * A check of one input: `parse` returns undefined for a value that is not `allowed`. It gets the fallback for a
 * blank value, and then the value as it was given.
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

/** An address as a message shows it. */
export function withoutPassword(text: string): string {
  return quote(text.replace(/\/\/[^/]*@/, "//***@"));
}

/** In place of a secret. */
export function hidden(): string {
  return "its value (not shown)";
}

/** A duration. `scale` is the unit in milliseconds, and so is the result. */
export const positive = (unit: string, scale: number, fallback: string) =>
  input(
    `a positive number of ${unit}, such as 3 or 0.5`,
    (text) => {
      const value = number(text);
      return value === undefined || !Number.isFinite(value * scale) ? undefined : value * scale;
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
      const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
      return Number.isSafeInteger(value) && value > 0 && value <= most ? value : undefined;
    },
    { fallback },
  );

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

/** JSON of a certain shape; null when it is not given. */
export const json = <T>(allowed: string, shape: z.ZodMiniType<T>) =>
  input(allowed, (text): T | null | undefined => {
    if (text.trim() === "") return null;
    try {
      return shape.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  });

/** A segment of a path: it is encoded when it is sent, so only what would change the path is refused. */
export const isSegment = (text: string) => ![".", ".."].includes(text);

/** An absolute `http:` or `https:` address without user, password, query and fragment. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isHttp && isPlain ? url : undefined;
}

/** The same, but `http:` only on this machine itself: elsewhere, secrets could be read on the way. */
export function secureUrl(text: string): URL | undefined {
  const url = httpUrl(text);
  return url === undefined || url.protocol === "https:" || isLoopback(url) ? url : undefined;
}

/**
 * What checks made of inputs, if all of them are right.
 *
 * @param others problems of inputs that were checked apart
 * @throws ActionError that names every wrong input
 */
export function valuesOf<T>({ values, problems }: Checked<T>, ...others: string[][]): T {
  const all = [...problems, ...others.flat()];
  if (values === null || all.length > 0) throw invalid(all);
  return values;
}

/** The error that reports every wrong input in one go. */
export function invalid(problems: readonly string[]): ActionError {
  return problems.length === 1
    ? new ActionError("invalid-input", problems[0] ?? "")
    : new ActionError(
        "invalid-input",
        `${problems.length} inputs are invalid:\n${problems.map((it) => `- ${it}`).join("\n")}`,
      );
}

/** What Git takes as the name of a branch or tag; a SHA is one, too. */
const REF =
  /^(?![-./]|@$)(?!.*(?:\.\.|\/[./]|@\{|[./]$|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

/** Whether a text can be the name of a branch or tag, or a SHA. */
export function isGitRef(text: string): boolean {
  return REF.test(text);
}
