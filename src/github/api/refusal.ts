import { parseRetryAfter } from "../../net/exchange.ts";
import { ExchangeError } from "../../net/http.ts";
import { ActionError } from "../../runtime/errors.ts";
import { inlineCode } from "../../text/markdown.ts";
import { clause } from "../../text/sentence.ts";

/** Why a call to GitHub failed, and whether it can succeed later. */
export interface Refusal {
  /** The reason, and what to do: the end of a sentence such as *The comment could not be written: …* */
  why: string;
  /** Whether the same call may succeed later. */
  isPassing: boolean;
  /** Whether it is a rate limit, which affects all other requests too. */
  isLimit?: boolean;
  /** The delay that GitHub asks for, in milliseconds. */
  retryAfter?: number;
  /** Status and headers of GitHub's answer; 0 if there was none. */
  status: number;
  headers: Headers;
}

/** GitHub refused a request for the ledger or its dashboard, or did not answer it. */
export class Unavailable extends ActionError {
  /** The rest of a sentence. */
  readonly why: string;

  constructor(why: string) {
    const what = `The ledger could not be read or written: ${why}.`;
    super("github-unavailable", what, "Nothing was sent. The next run tries again.");
    this.why = why;
  }
}

const LIMIT_DELAY = 60_000;

/** @param answerOf the result, if a refusal is an answer @throws Unavailable */
export async function unlessRefused<T>(
  request: () => Promise<T>,
  permission: string,
  answerOf: (refusal: Refusal) => T | undefined = () => undefined,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const refusal = explainRefusal(error, permission);
    const answer = answerOf(refusal);
    if (answer === undefined) throw new Unavailable(refusal.why);
    return answer;
  }
}

/** The refusal of a request; null if there was none. */
export async function refusalOf(
  request: () => Promise<unknown>,
  permission: string,
): Promise<Refusal | null> {
  try {
    await request();
    return null;
  } catch (error) {
    return explainRefusal(error, permission);
  }
}

/** Whether a request was refused, or its answer is not what was asked for: reading its fields throws a TypeError. */
export function isOfGitHub(error: unknown): boolean {
  const { status, errors } = error as { status?: unknown; errors?: unknown };
  // A refusal of GraphQL has no status.
  return error instanceof TypeError || typeof status === "number" || Array.isArray(errors);
}

/** @param permission what the token needs for the call, as in a workflow's `permissions:` */
export function explainRefusal(thrown: unknown, permission: string): Refusal {
  // If its `fetch` throws, Octokit throws a 500 with the original error as its cause.
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const error = cause instanceof ExchangeError ? cause : thrown;
  const { status, message, response, errors } = error as {
    status?: number;
    message: string;
    response?: { headers?: Headers };
    errors?: { message?: unknown }[];
  };
  // Without a response, Octokit made up the 500.
  const answer = { status: (response && status) ?? 0, headers: response?.headers ?? {} };
  if (error instanceof ExchangeError) {
    return { ...answer, why: clause(message), isPassing: error.reason !== "stopped" };
  }
  const check = `check that the token has the permission \`${permission}\``;
  // GraphQL returns refusals with status 200.
  const refused = errors?.[0] && (inlineCode(String(errors[0].message ?? "")) || "no reason");
  if (refused) return { ...answer, why: `GitHub says ${refused}: ${check}`, isPassing: true };
  // There was an answer, but the action could not use it.
  const unread = "GitHub's response could not be read";
  if (status === undefined) return { ...answer, why: unread, isPassing: true };
  if (!response) return { ...answer, why: clause(message), isPassing: status >= 500 };
  const retryAfter = limitDelay(status, answer.headers, message);
  if (retryAfter !== null) {
    const why = `GitHub's rate limit is exceeded (${status})`;
    return { ...answer, why, isPassing: true, isLimit: true, retryAfter };
  }
  if (status >= 500) return { ...answer, why: `GitHub returned ${status}`, isPassing: true };
  const advice: Record<number, string> = {
    401: "`github-token` is invalid or has expired",
    403: `the token needs the permission \`${permission}\``,
    404: `it was not found, or the token lacks the permission \`${permission}\``,
    410: "it was deleted, or issues are disabled in this repository",
    422: `GitHub rejected the content. Check that the conversation is not locked, and that the token has the permission \`${permission}\``,
  };
  const why = `GitHub returned ${status}: ${advice[status] ?? check}`;
  return { ...answer, why, isPassing: false };
}

/**
 * The delay that a rate limit asks for, in milliseconds; null if it is not a rate limit.
 *
 * @param text the answer's message, or all of it: only the message may name a secondary limit, and GraphQL names its
 *   limits in an answer with status 200
 */
export function limitDelay(status: number, headers: Headers, text: string): number | null {
  const isNamed =
    headers["x-ratelimit-remaining"] === "0" ||
    headers["retry-after"] !== undefined ||
    /rate limit/i.test(text);
  const isOfGraphql = status === 200 && text.includes('"type":"RATE_LIMITED"');
  return status === 429 || (status === 403 && isNamed) || isOfGraphql ? delayOf(headers) : null;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The delay by `Retry-After`, or until the hourly limit resets, both by GitHub's clock. */
function delayOf(headers: Headers): number {
  const now = Date.parse(headers.date ?? "") || Date.now();
  const named = parseRetryAfter(headers["retry-after"], now);
  if (named !== undefined) return named;
  const reset = Number(headers["x-ratelimit-reset"]) * 1000;
  return headers["x-ratelimit-remaining"] === "0" && reset > now ? reset - now : LIMIT_DELAY;
}
