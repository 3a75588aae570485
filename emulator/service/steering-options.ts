/**
 * Options in a prompt or a question: lines that begin with `emulate:`, each with options separated
 * by spaces. A misspelt option is refused, so that nobody waits for something that was never asked for.
 */

import { HttpError } from "../http/http-error.ts";

const LINE = /^[ \t]*emulate:[ \t]*(.*)$/gim;

/** What each option makes of its value; throws an error that says what was expected. */
export type Options<S> = Readonly<Record<string, (value: string | undefined) => Partial<S>>>;

/**
 * The defaults, changed by the `emulate:` lines of a text, in order.
 *
 * @throws HttpError 400 for an option that makes no sense
 */
export function steered<S>(text: string, defaults: S, options: Options<S>): S {
  const given = [...text.matchAll(LINE)].flatMap(
    ([, line]) => line?.split(/\s+/).filter(Boolean) ?? [],
  );
  const changes = given.map((option) => {
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/.exec(option) ?? [];
    try {
      if (!Object.hasOwn(options, name)) throw new Error("unknown option");
      return options[name]?.(value);
    } catch (error) {
      throw new HttpError(400, `emulate: '${option}': ${(error as Error).message}`);
    }
  });
  return Object.assign({}, defaults, ...changes);
}

/** The text without its `emulate:` lines: what the agent writes about. */
export function withoutOptions(text: string): string {
  return text.replaceAll(LINE, "").trim();
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** In milliseconds. @throws for what is no duration */
export function duration(value: string | undefined): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value ?? "") ?? [];
  if (amount === undefined) throw new Error("expected a duration such as 200ms, 4s or 1m");
  return Number(amount) * (UNITS[unit] ?? 1);
}

/** @throws for a value that is not among those allowed */
export function oneOf<T extends string>(allowed: readonly T[], value: string | undefined): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`expected one of ${allowed.join(", ")}`);
  return found;
}

/** @throws for an option without a value */
export function text(value: string | undefined): string {
  if (value === undefined || value === "") throw new Error("expected a value after '='");
  return value;
}
