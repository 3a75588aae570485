/** What still throws: for callers that do not use the client's named methods yet. */

import { ExchangeError } from "../../net/http.ts";
import type { Fact, Unread } from "../../runtime/fact.ts";
import { clause } from "../../text/sentence.ts";
import { UnusableAnswer } from "./answer.ts";
import {
  explain,
  isLastingError,
  kindOfRefusal,
  type Refusal,
  type Sent,
  type TokenPermissions,
  type UnavailableError,
} from "./explain.ts";
import { failureOf as failureOfClient, type GitHubFailure } from "./failure.ts";

export type {
  GitHubKind,
  Refusal,
  TokenPermissions,
} from "./explain.ts";
export { hasStatus, isFinal, kindOfRefusal } from "./explain.ts";

/** An error in place of a fact or a delivery, for callers that still catch what GitHub refuses. */
class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly failure: GitHubFailure;

  constructor(reason: string, failure: GitHubFailure) {
    super(reason);
    this.failure = failure;
  }
}

/** The value of a fact; null if there is none. @throws what {@link explainRefusal} explains */
export function valueIn<T>(fact: Fact<T>): T | null {
  if (fact.type === "known") return fact.value;
  if (fact.type === "absent") return null;
  throw new RefusalError(fact.reason, failureIn(fact));
}

function failureIn({ cause, reason, isPassing, status }: Unread): GitHubFailure {
  if (cause === "limited") {
    return { type: "refused", status: 429, headers: {}, message: reason };
  }
  if (status !== null) return { type: "refused", status, headers: {}, message: reason };
  if (cause === "refused") {
    const type = isPassing ? null : "FORBIDDEN";
    return { type: "graphql", errors: [{ type, message: reason }] };
  }
  if (cause === "unusable") return { type: "unusable", error: new UnusableAnswer(reason) };
  const stage = isPassing ? "network" : "stopped";
  return { type: "unanswered", error: new ExchangeError("sent", stage, reason) };
}

/** What a write that was accepted has made. @throws what {@link explainRefusal} explains */
export function madeBy<T>(sent: Sent<T>): T {
  switch (sent.type) {
    case "accepted":
      return sent.value;
    case "limited": {
      const { reason: message } = sent;
      throw new RefusalError(message, { type: "refused", status: 429, headers: {}, message });
    }
    case "refused": {
      const { error, status, message } = sent;
      const errors = [{ type: "FORBIDDEN", message }];
      const failure: GitHubFailure =
        status === null
          ? { type: "graphql", errors }
          : { type: "refused", status, headers: {}, message };
      throw new RefusalError(clause(error.problem), failure);
    }
    case "not-sent":
    case "uncertain": {
      const reason = clause(sent.error?.problem ?? "");
      const cause = sent.type === "not-sent" && sent.code === "cancelled" ? "stopped" : "network";
      const error = new ExchangeError("sent", cause, reason);
      throw new RefusalError(reason, { type: "unanswered", error });
    }
  }
}

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

function failureOf(thrown: unknown): GitHubFailure | null {
  return thrown instanceof RefusalError ? thrown.failure : failureOfClient(thrown);
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
  const refusal = explain(failure, permissions);
  return thrown instanceof RefusalError ? { ...refusal, reason: thrown.message } : refusal;
}
