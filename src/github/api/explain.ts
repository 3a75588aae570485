/** What GitHub's no means: in words, for a fact and for a delivery. */

import type { NotSent, Refused, Uncertain } from "../../runtime/delivery.ts";
import type { Fact, Unread } from "../../runtime/fact.ts";
import { inlineCode } from "../../text/markdown.ts";
import { clause, sentence } from "../../text/sentence.ts";
import type { GitHubFailure, GraphqlError, Headers } from "./failure.ts";
import { LIMIT_DELAY, limitDelay } from "./limits.ts";

/**
 * Why a call to GitHub failed. `unanswered`: there is no answer that can be used, so GitHub may have done it. It
 * passes, unless a signal stopped the request.
 */
export type Refusal = {
  /** The reason, and what to do: the end of a sentence such as *The comment could not be written: …* */
  reason: string;
  /** Whether the same call may succeed later. */
  isPassing: boolean;
} & (
  | { type: "unanswered" }
  /** A rate limit, which affects all other requests, too. `retryAfter`: the delay that it asks for, in milliseconds. */
  | { type: "limited"; isPassing: true; retryAfter: number }
  | { type: "rest"; status: number; headers: Headers; message: string }
  /** `message`: that of the first error; empty if it has none. `isOfToken`: it is about what the token may do. */
  | { type: "graphql"; message: string; isOfToken: boolean }
);

/** A permission as in a workflow's `permissions:`. */
export type TokenPermission = `${string}: ${"read" | "write"}`;

/** What a token needs for a call: all of a list, or another permission on pull requests than on issues. */
export type TokenPermissions =
  | readonly [TokenPermission, ...TokenPermission[]]
  | { onIssues: TokenPermission; onPulls: TokenPermission };

/** The kinds of errors that are GitHub's: it answered no, or it failed, did not answer, or set a limit. */
export type GitHubKind = "github-refused" | "github-unavailable";

/** What became of a write. */
export type Sent<T> = { readonly type: "accepted"; readonly value: T } | Unaccepted;

/** What became of a write that was not accepted, as far as is known. */
export type Unaccepted =
  | NotSent
  | Uncertain
  /** A limit: no request is answered for now. `retryAfter`: the delay that it asks for, in milliseconds. */
  | { readonly type: "limited"; readonly retryAfter: number; readonly reason: string }
  | RefusedWrite;

/** GitHub has refused a write. */
export interface RefusedWrite extends Refused {
  /** Null for GraphQL, which answers with status 200. */
  readonly status: number | null;
  /** GitHub's own words, in one line; empty if it has none. */
  readonly message: string;
}

/** Maximum length of GitHub's own words in a message of the action, in characters. */
const MAX_WORDS = 300;
/** Words of GitHub that say no more than their status. */
const EMPTY_WORDS = ["not found", "bad credentials", "requires authentication", "forbidden"];
/** GitHub refuses the token, and not what is asked. */
export const OF_PERMISSION = /not accessible by/i;
const OF_SIGN_ON = /\bsaml\b|single sign-on/i;

/** Errors of GraphQL that another attempt does not change. */
const LASTING: readonly unknown[] = [
  "NOT_FOUND",
  "FORBIDDEN",
  "INSUFFICIENT_SCOPES",
  "UNPROCESSABLE",
];
/** Those about the token. Their words may name no permission: a single sign-on, a list of IP addresses. */
const OF_TOKEN: readonly unknown[] = ["FORBIDDEN", "INSUFFICIENT_SCOPES"];
/** A query that costs GitHub too much. Smaller ones are answered. */
export const TOO_COSTLY = "RESOURCE_LIMITS_EXCEEDED";

/** Whether GraphQL refuses something each time. */
export function isLastingError({ type }: GraphqlError): boolean {
  return LASTING.includes(type);
}

/** Why a call failed, and what to do about it. @param needs what the token needs for the call */
export function refusalIn(failure: GitHubFailure, needs: TokenPermissions): Refusal {
  switch (failure.type) {
    case "unanswered": {
      const { message, reason } = failure.error;
      return { type: "unanswered", reason: clause(message), isPassing: reason !== "stopped" };
    }
    case "unusable":
      return { type: "unanswered", reason: failure.error.message, isPassing: true };
    case "graphql":
      return explainGraphql(failure.errors, needs);
    case "refused":
      return explainStatus(failure, needs);
  }
}

function explainGraphql(errors: readonly GraphqlError[], needs: TokenPermissions): Refusal {
  if (errors.some(({ type }) => type === TOO_COSTLY)) {
    const reason = "GitHub's limit for one query is exceeded";
    return { type: "limited", reason, isPassing: true, retryAfter: LIMIT_DELAY };
  }
  const message = String(errors[0]?.message ?? "");
  const isPassing = !errors.some(isLastingError);
  const words = `GitHub says ${inlineCode(message, MAX_WORDS) || "no reason"}`;
  const isHidden = errors[0]?.type === "NOT_FOUND";
  const advice = isHidden ? `it was not found, or the token lacks ${needed(needs)}` : null;
  const ofToken = OF_PERMISSION.test(message) ? `the token needs ${needed(needs)}` : advice;
  return {
    type: "graphql",
    message,
    isOfToken: OF_PERMISSION.test(message) || errors.some(({ type }) => OF_TOKEN.includes(type)),
    reason: ofToken === null ? words : `${words}: ${ofToken}`,
    isPassing,
  };
}

function explainStatus(
  { status, headers, message }: Extract<GitHubFailure, { type: "refused" }>,
  needs: TokenPermissions,
): Refusal {
  const retryAfter = limitDelay(status, headers, message);
  if (retryAfter !== null) {
    const reason = `GitHub's rate limit is exceeded (${status})`;
    return { type: "limited", reason, isPassing: true, retryAfter };
  }
  const answer = { type: "rest", status, headers, message } as const;
  if (status >= 500) return { ...answer, reason: `GitHub returned ${status}`, isPassing: true };
  if (status < 400) {
    return { ...answer, reason: `GitHub returned ${status}, a redirect`, isPassing: true };
  }
  const words = EMPTY_WORDS.includes(message.toLowerCase()) ? "" : inlineCode(message, MAX_WORDS);
  const said = words === "" ? `GitHub returned ${status}` : `GitHub returned ${status} (${words})`;
  const advice = adviceFor(status, headers, message, needs);
  return { ...answer, reason: advice === null ? said : `${said}: ${advice}`, isPassing: false };
}

/** What to check, the end of a sentence; null if GitHub's own words say it. */
function adviceFor(
  status: number,
  headers: Headers,
  message: string,
  needs: TokenPermissions,
): string | null {
  switch (status) {
    case 401:
      return "`github-token` is invalid or has expired (an app's token lasts one hour), or is empty";
    case 403:
      if (headers["x-github-sso"] !== undefined || OF_SIGN_ON.test(message)) {
        return "authorize the token for the organization's single sign-on";
      }
      if (!OF_PERMISSION.test(message)) return null;
      return `the token needs ${accepted(headers["x-accepted-github-permissions"]) ?? needed(needs)}`;
    case 404:
      return `it was not found, or the token lacks ${needed(needs)}`;
    case 410:
      return "it was deleted, or issues are disabled in this repository";
    default:
      return null;
  }
}

/** Permissions as code: a list with `and`. */
function needed(needs: TokenPermissions): string {
  if ("onIssues" in needs) {
    return `the permission \`${needs.onIssues}\`, or on pull requests \`${needs.onPulls}\``;
  }
  return listed(needs);
}

function listed(permissions: readonly string[]): string {
  const quoted = permissions.map((permission) => `\`${permission}\``);
  const last = quoted.at(-1) ?? "";
  if (quoted.length === 1) return `the permission ${last}`;
  return `the permissions ${quoted.slice(0, -1).join(", ")} and ${last}`;
}

/** What GitHub itself says that a request needs: `issues=write; pull_requests=write` are two ways. Null for nothing. */
function accepted(header: string | undefined): string | null {
  const ways = (header ?? "").split(";").map((way) => way.split(",").map(permissionIn));
  const isReadable = ways.every((way) => way.every((permission) => permission !== null));
  return isReadable ? ways.map((way) => listed(way.filter(isText))).join(", or ") : null;
}

function isText(text: string | null): text is string {
  return text !== null;
}

function permissionIn(text: string): string | null {
  const [, name = null, level] = /^\s*([a-z_]{1,40})=(read|write|admin)\s*$/.exec(text) ?? [];
  return name === null ? null : `${name.replaceAll("_", "-")}: ${level}`;
}

/** The error kind of a run that cannot do without what is unread. */
export function kindOfUnread({ cause, isPassing }: Unread): GitHubKind {
  return cause === "refused" && !isPassing ? "github-refused" : "github-unavailable";
}

/** A failed read, as a fact. */
export function unreadOf(failure: GitHubFailure, needs: TokenPermissions): Unread {
  const refusal = refusalIn(failure, needs);
  const { reason, isPassing } = refusal;
  const cause = causeOf(failure, refusal);
  return { type: "unread", cause, reason, isPassing, status: statusOf(failure) };
}

/** GraphQL answers with 200. Only errors about a part below a repository are an answer about that part. */
function statusOf(failure: GitHubFailure): number | null {
  if (failure.type === "refused") return failure.status;
  if (failure.type !== "graphql") return null;
  // A part that costs too much is no answer about it.
  const isOfPart = ({ type, path }: GraphqlError) =>
    type !== TOO_COSTLY && Array.isArray(path) && path.length > 1;
  return failure.errors.length > 0 && failure.errors.every(isOfPart) ? 200 : null;
}

function causeOf(failure: GitHubFailure, { type, isPassing }: Refusal): Unread["cause"] {
  if (type === "limited") return "limited";
  if (failure.type === "unusable") return "unusable";
  return type === "unanswered" || isPassing ? "unanswered" : "refused";
}

/** A failed write, as a delivery. */
export function deliveryOf(failure: GitHubFailure, needs: TokenPermissions): Sent<never> {
  const refusal = refusalIn(failure, needs);
  const { type, reason } = refusal;
  const error = { kind: "github-unavailable", problem: sentence(reason), advice: null } as const;
  if (failure.type === "unanswered" && failure.error.stage === "connect") {
    const code = failure.error.reason === "stopped" ? "cancelled" : "unreached";
    return { type: "not-sent", code, error };
  }
  // Only the address was answered.
  const isRedirect = failure.type === "refused" && failure.status < 400;
  if (isRedirect) return { type: "not-sent", code: "unreached", error };
  if (type === "limited") return refusal;
  if (type === "unanswered" || refusal.isPassing) return { type: "uncertain", reason, error };
  const status = type === "rest" ? refusal.status : null;
  return {
    type: "refused",
    by: byOf(refusal),
    error: { ...error, kind: "github-refused" },
    status,
    message: refusal.message,
  };
}

function byOf(refusal: Extract<Refusal, { type: "rest" | "graphql" }>): RefusedWrite["by"] {
  if (refusal.type === "graphql") return refusal.isOfToken ? "right" : "state";
  const { status, message } = refusal;
  if (status === 422 || status === 400) return "content";
  const isRight = status === 401 || (status === 403 && OF_PERMISSION.test(message));
  return isRight ? "right" : "state";
}

/** The value of a fact; null if there is none. @throws for what is unread; its reason is the rest of a sentence */
export function expectFact<T>(
  fact: Fact<T>,
  unavailable: (reason: string, kind: GitHubKind) => Error,
): T | null {
  if (fact.type === "unread") throw unavailable(fact.reason, kindOfUnread(fact));
  return fact.type === "known" ? fact.value : null;
}

/** What a write has made. @throws the error for one that was not accepted, as far as is known */
export function expectMade<T>(
  sent: Sent<T>,
  unavailable: (reason: string, kind: GitHubKind) => Error,
): T {
  if (sent.type === "accepted") return sent.value;
  const kind = sent.type === "refused" ? "github-refused" : "github-unavailable";
  throw unavailable(reasonOf(sent), kind);
}

/** Why a write was not accepted, as far as is known: the end of a sentence. */
export function reasonOf(sent: Unaccepted): string {
  switch (sent.type) {
    case "limited":
      return sent.reason;
    case "uncertain":
      return sent.reason ?? "the run ended";
    case "refused":
    case "not-sent":
      return clause(sent.error?.problem ?? "it was not sent");
  }
}
