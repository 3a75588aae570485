import * as z from "zod/mini";
import { parseRetryAfter } from "../../net/exchange.ts";
import { inlineCode } from "../../text/markdown.ts";
import { clause } from "../../text/sentence.ts";
import { textOrEmpty, textOrNull } from "./answer.ts";
import { failureOf, type GraphqlError, type Headers } from "./failure.ts";

/** Why a call to GitHub failed. */
export type Refusal = UnansweredCall | LimitedCall | AnsweredCall;

interface FailedCall {
  /** The reason, and what to do: the end of a sentence such as *The comment could not be written: …* */
  reason: string;
  /** Whether the same call may succeed later. */
  isPassing: boolean;
}

/** There is no answer that can be used: GitHub may have done it. It passes, unless a signal stopped the request. */
interface UnansweredCall extends FailedCall {
  type: "unanswered";
}

/** A rate limit, which affects all other requests, too. */
interface LimitedCall extends FailedCall {
  type: "limited";
  isPassing: true;
  /** The delay that it asks for, in milliseconds. */
  retryAfter: number;
}

/** GitHub answered. */
export type AnsweredCall = RestAnswer | GraphqlAnswer;

interface RestAnswer extends FailedCall {
  type: "rest";
  status: number;
  headers: Headers;
  message: string;
}

interface GraphqlAnswer extends FailedCall {
  type: "graphql";
  /** The message of the first error; empty if it has none. */
  message: string;
}

/** A permission as in a workflow's `permissions:`. */
type TokenPermission = `${string}: ${"read" | "write"}`;

/** What a token needs for a call: all of a list, or another permission on pull requests than on issues. */
export type TokenPermissions =
  | readonly [TokenPermission, ...TokenPermission[]]
  | { onIssues: TokenPermission; onPulls: TokenPermission };

/** Permissions as code, for messages: a list with `and`. */
function permissionsText(permissions: TokenPermissions): string {
  if ("onIssues" in permissions) {
    return `the permission \`${permissions.onIssues}\`, or on pull requests \`${permissions.onPulls}\``;
  }
  const quoted = permissions.map((permission) => `\`${permission}\``);
  const last = quoted.at(-1) ?? "";
  if (quoted.length === 1) return `the permission ${last}`;
  return `the permissions ${quoted.slice(0, -1).join(", ")} and ${last}`;
}

/** The kinds of errors that are GitHub's: it answered no, or it failed, did not answer, or set a limit. */
export type GitHubKind = "github-refused" | "github-unavailable";

/** Whether GitHub answered REST with one of these statuses, and set no rate limit. */
export function hasStatus<Status extends number>(
  refusal: Refusal,
  ...statuses: Status[]
): refusal is RestAnswer & { status: Status } {
  return refusal.type === "rest" && statuses.some((status) => status === refusal.status);
}

/** Whether GitHub has answered no, and would again. */
export function isFinal({ type, isPassing }: Refusal): boolean {
  return type !== "unanswered" && !isPassing;
}

/** What a run that cannot do without the answer reports. */
export function kindOfRefusal(refusal: Refusal): GitHubKind {
  return isFinal(refusal) ? "github-refused" : "github-unavailable";
}

/** The error of an action without an answer of GitHub. @param reason the rest of a sentence */
export type UnavailableError = (reason: string, kind: GitHubKind) => Error;

const LIMIT_DELAY = 60_000;
/** In messages, and in the types and codes of GraphQL: `RATE_LIMIT`, `RATE_LIMITED`, `graphql_rate_limit`. */
const LIMIT_WORDS = /rate[ _]limit/i;

/**
 * The result of a request.
 *
 * @param unavailable the error that is thrown if GitHub refuses the request or does not answer it
 * @param answerOf the result, if a refusal is an answer
 */
export async function unlessRefused<T>(
  request: () => Promise<T>,
  permissions: TokenPermissions,
  unavailable: UnavailableError,
  answerOf: (refusal: Refusal) => T | undefined = () => undefined,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const refusal = explainRefusal(error, permissions);
    const answer = answerOf(refusal);
    if (answer === undefined) throw unavailable(refusal.reason, kindOfRefusal(refusal));
    return answer;
  }
}

/** The refusal of a request; null if there was none. */
export async function refusalOf(
  request: () => Promise<unknown>,
  permissions: TokenPermissions,
): Promise<Refusal | null> {
  try {
    await request();
    return null;
  } catch (error) {
    return explainRefusal(error, permissions);
  }
}

/** Errors of GraphQL that a second attempt does not change. */
const LASTING: readonly unknown[] = ["NOT_FOUND", "FORBIDDEN", "INSUFFICIENT_SCOPES"];

/** Whether GraphQL refuses something each time. */
export function isLastingError({ type }: GraphqlError): boolean {
  return LASTING.includes(type);
}

/** Whether GraphQL refused a query, or a part of it, and would refuse it again. */
export function isLasting(error: unknown): boolean {
  const failure = failureOf(error);
  return failure?.type === "graphql" && failure.errors.some(isLastingError);
}

/** Whether GitHub refused a request, did not answer it, or gave an answer that cannot be used. */
export function isOfGitHub(error: unknown): boolean {
  return failureOf(error) !== null;
}

/** Whether a request was refused because of a rate limit. It affects all other requests, too. */
export function isRateLimit(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure?.type !== "refused") return false;
  return limitDelay(failure.status, failure.headers, failure.message) !== null;
}

/** The status with which GitHub refused a request; 0 for any other error. */
export function statusOf(error: unknown): number {
  const failure = failureOf(error);
  return failure?.type === "refused" ? failure.status : 0;
}

/** Whether GitHub failed to answer a request. For some, such as those with a large diff, it fails each time. */
export function isServerFault(error: unknown): boolean {
  return statusOf(error) >= 500;
}

/**
 * Explains why a call to GitHub failed.
 *
 * @param permissions what the token needs for the call
 * @throws any other error as it is: a mistake of the action is never GitHub's
 */
export function explainRefusal(thrown: unknown, permissions: TokenPermissions): Refusal {
  const failure = failureOf(thrown);
  if (failure === null) throw thrown;
  if (failure.type === "unanswered") {
    const { message, reason } = failure.error;
    return { type: "unanswered", reason: clause(message), isPassing: reason !== "stopped" };
  }
  if (failure.type === "unusable") {
    return { type: "unanswered", reason: failure.error.message, isPassing: true };
  }
  const needed = permissionsText(permissions);
  const check = `check that the token has ${needed}`;
  if (failure.type === "graphql") {
    const message = String(failure.errors[0]?.message ?? "");
    const words = inlineCode(message) || "no reason";
    const isPassing = !failure.errors.some(isLastingError);
    return { type: "graphql", message, reason: `GitHub says ${words}: ${check}`, isPassing };
  }
  const { status, headers, message } = failure;
  const retryAfter = limitDelay(status, headers, message);
  if (retryAfter !== null) {
    const reason = `GitHub's rate limit is exceeded (${status})`;
    return { type: "limited", reason, isPassing: true, retryAfter };
  }
  const answer = { type: "rest", status, headers, message } as const;
  if (status >= 500) return { ...answer, reason: `GitHub returned ${status}`, isPassing: true };
  const advice: Record<number, string> = {
    401: "`github-token` is invalid or has expired (an app's token lasts one hour), or is empty",
    403: `the token needs ${needed}`,
    404: `it was not found, or the token lacks ${needed}`,
    410: "it was deleted, or issues are disabled in this repository",
    422: `GitHub rejected the content. Check that the conversation is not locked, and that the token has ${needed}`,
  };
  const reason = `GitHub returned ${status}: ${advice[status] ?? check}`;
  return { ...answer, reason, isPassing: false };
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
    LIMIT_WORDS.test(text);
  const isOfGraphql = status === 200 && isNamed && isGraphqlLimit(text);
  return status === 429 || (status === 403 && isNamed) || isOfGraphql ? delayOf(headers) : null;
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
  if (!success || (answer.data ?? null) !== null) return false;
  const { errors, message, documentation_url } = answer;
  if (errors === null || errors === undefined) {
    return documentation_url !== null && LIMIT_WORDS.test(message);
  }
  return errors.some(({ type, message: words, extensions }) =>
    [type, extensions?.code, words].some((text) => LIMIT_WORDS.test(text ?? "")),
  );
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
