import { parseRetryAfter } from "../net/exchange.ts";
import { ExchangeError, ProxySettingsError } from "../net/http.ts";
import { clause } from "../text/sentence.ts";

/** What a failed call to GitHub means for the run. */
export interface Refusal {
  /** Why, and what to do: the rest of a sentence that begins with what could not be done. */
  why: string;
  /** Whether the same call may succeed later. */
  isPassing: boolean;
  /** Whether GitHub takes no more requests for now: not this one, and no other. */
  isLimit?: boolean;
  /** How long GitHub asks to be left alone, in milliseconds. */
  retryAfter?: number;
}

/** GitHub refused or did not answer. `failed` says why: the rest of a sentence. */
export interface Failed {
  failed: string;
}

/** What GitHub asks for when it names no time. */
const LIMIT_DELAY = 60_000;

/**
 * Why GitHub did not do what was asked. A refusal never changes the result of the step.
 *
 * @param permission what the token needs for the call, as in a workflow's `permissions:`
 */
export function explainRefusal(thrown: unknown, permission: string): Refusal {
  // Octokit makes a 500 of whatever its `fetch` throws, and keeps that as the cause.
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const error = cause instanceof ExchangeError ? cause : thrown;
  if (error instanceof ExchangeError) {
    return { why: clause(error.message), isPassing: error.reason !== "stopped" };
  }
  if (error instanceof ProxySettingsError) return { why: clause(error.message), isPassing: false };
  const { status, message, response } = error as {
    status?: number;
    message?: string;
    response?: { headers?: Record<string, string | undefined> };
  };
  if (status === undefined) {
    // The answer came, and was nothing that could be worked with.
    return { why: "GitHub's response could not be read", isPassing: true };
  }
  const retryAfter = limitDelay(status, response?.headers ?? {}, message ?? "");
  if (retryAfter !== null) {
    const why = `GitHub's rate limit is exceeded (${status})`;
    return { why, isPassing: true, isLimit: true, retryAfter };
  }
  if (status >= 500) {
    // Without an answer the 500 is Octokit's own, for what its `fetch` threw.
    const why = response ? `GitHub returned ${status}` : clause(String(message));
    return { why, isPassing: true };
  }
  const advice: Record<number, string> = {
    401: "`github-token` is invalid or has expired",
    403: `the token needs the permission \`${permission}\``,
    404: `it was not found, or the token lacks the permission \`${permission}\``,
    410: "it was deleted, or issues are disabled in this repository",
    422: `GitHub rejected the content. Check that the conversation is not locked, and that the token has the permission \`${permission}\``,
  };
  const hint = advice[status] ?? `check that the token has the permission \`${permission}\``;
  return { why: `GitHub returned ${status}: ${hint}`, isPassing: false };
}

/**
 * How long GitHub asks to be left alone, in milliseconds; null: the answer is no rate limit.
 *
 * @param text the answer's message, or all of it: a secondary limit may be told by the message alone, and
 *   GraphQL tells its limits in an answer of status 200
 */
export function limitDelay(status: number, headers: Headers, text: string): number | null {
  const isTold =
    headers["x-ratelimit-remaining"] === "0" ||
    headers["retry-after"] !== undefined ||
    /rate limit/i.test(text);
  const isOfGraphql = status === 200 && text.includes('"type":"RATE_LIMITED"');
  return status === 429 || (status === 403 && isTold) || isOfGraphql ? delayOf(headers) : null;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** By `Retry-After`, or by the time at which the hourly limit starts anew; both by GitHub's clock. */
function delayOf(headers: Headers): number {
  const now = Date.parse(headers.date ?? "") || Date.now();
  const named = parseRetryAfter(headers["retry-after"], now);
  if (named !== undefined) return named;
  const reset = Number(headers["x-ratelimit-reset"]) * 1000;
  return headers["x-ratelimit-remaining"] === "0" && reset > now ? reset - now : LIMIT_DELAY;
}
