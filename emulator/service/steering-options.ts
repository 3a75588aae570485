/**
 * Options in a prompt or a question: lines that begin with `emulate:`, each with options separated
 * by spaces. A misspelt option is refused, so that nobody waits for something that was never asked for.
 */

import { HttpError } from "../http/http-error.ts";

/** The options of all `emulate:` lines, in order. */
export function optionsIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*emulate:[ \t]*(.*)$/gim)].flatMap(([, options]) =>
    (options ?? "").split(/\s+/).filter(Boolean),
  );
}

/** The text without its `emulate:` lines: what the agent writes about. */
export function withoutOptions(text: string): string {
  return text.replaceAll(/^[ \t]*emulate:.*$/gim, "").trim();
}

/** The name of an option and what it is set to, if to anything. */
export function splitOption(option: string): [name: string, value: string | undefined] {
  const equals = option.indexOf("=");
  return equals < 0 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** @throws HttpError 400 for what is no duration; the result is in milliseconds. */
export function duration(value: string | undefined, option: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value ?? "") ?? [];
  if (amount === undefined || unit === undefined) {
    throw badOption(option, "expected a duration such as 200ms, 4s or 1m");
  }
  return Number(amount) * (UNITS[unit] ?? 1);
}

/** @throws HttpError 400 for a value that is not among those allowed. */
export function oneOf<T extends string>(
  allowed: readonly T[],
  value: string | undefined,
  option: string,
): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw badOption(option, `expected one of ${allowed.join(", ")}`);
  return found;
}

/** @throws HttpError 400 for an option without a value. */
export function text(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw badOption(option, "expected a value after '='");
  return value;
}

/** The refusal of an option that makes no sense. */
export function badOption(option: string, why: string): HttpError {
  return new HttpError(400, `emulate: '${option}': ${why}`);
}
