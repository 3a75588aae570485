/** How GitHub says that it answers no more requests for now. */

import * as z from "zod/mini";
import { parseRetryAfter } from "../../net/exchange.ts";
import { textOrEmpty, textOrNull } from "./answer.ts";
import type { Headers } from "./failure.ts";

/** The delay before the next request if a limit names none, in milliseconds. */
export const LIMIT_DELAY = 60_000;
/** In messages, and in the types and codes of GraphQL: `RATE_LIMIT`, `RATE_LIMITED`, `graphql_rate_limit`. */
const WORDS = /rate[ _]limit|abuse detection|submitted too quickly/i;
/** A 422 that is about how often something was written, and not about what. */
const TOO_OFTEN = /"code":\s*"abuse"|submitted too quickly/i;

/**
 * The delay that a limit asks for, in milliseconds; null if it is no limit.
 *
 * @param text the answer's message, or all of it: only the message may name a secondary limit, and GraphQL names its
 *   limits in an answer with status 200
 */
export function limitDelay(status: number, headers: Headers, text: string): number | null {
  return isLimit(status, headers, text) ? delayOf(headers) : null;
}

function isLimit(status: number, headers: Headers, text: string): boolean {
  const isNamed =
    headers["x-ratelimit-remaining"] === "0" ||
    headers["retry-after"] !== undefined ||
    WORDS.test(text);
  switch (status) {
    case 429:
      return true;
    case 403:
      return isNamed;
    case 422:
      return TOO_OFTEN.test(text);
    case 200:
      return isNamed && isGraphqlLimit(text);
    default:
      return false;
  }
}

const graphqlLimit = z.object({
  data: z.nullish(z.unknown()),
  /** The message of an answer without data and errors. */
  message: textOrEmpty,
  documentation_url: textOrNull,
  errors: z.nullish(
    z.array(
      z.object({
        type: textOrNull,
        message: textOrEmpty,
        extensions: z.nullish(z.object({ code: textOrNull })),
      }),
    ),
  ),
});

/** Whether an answer with status 200 says that nothing was done because of a limit, by a type, a code or words. */
function isGraphqlLimit(text: string): boolean {
  const { success, data: answer } = graphqlLimit.safeParse(parsed(text));
  if (!success || hasValue(answer.data)) return false;
  const { errors, message, documentation_url } = answer;
  if (errors === null || errors === undefined) {
    return documentation_url !== null && WORDS.test(message);
  }
  return errors.some(({ type, message: words, extensions }) =>
    [type, extensions?.code, words].some((text) => WORDS.test(text ?? "")),
  );
}

/** Whether there is a value in the data of an answer, and not only nulls. */
function hasValue(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return (data ?? null) !== null;
  return Object.values(data).some((value) => value !== null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The time in a header, in milliseconds since 1970; null if there is none. */
export function timeIn(header: string | undefined): number | null {
  if (header === undefined) return null;
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : time;
}

/** The delay by `Retry-After`, or until the hourly limit resets, both by GitHub's clock. */
function delayOf(headers: Headers): number {
  const now = timeIn(headers.date) ?? Date.now();
  const named = parseRetryAfter(headers["retry-after"], now);
  if (named !== null) return named;
  const reset = Number(headers["x-ratelimit-reset"]) * 1000;
  return headers["x-ratelimit-remaining"] === "0" && reset > now ? reset - now : LIMIT_DELAY;
}
