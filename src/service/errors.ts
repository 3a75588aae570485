import { ExchangeError } from "../net/exchange.ts";

/** Why a request failed: the service answered with an error, or how far the request got. */
export type Failure =
  /** No connection was made: nothing was received. */
  | { type: "unreached" }
  /** Sent, but without a complete answer: its result is unknown. */
  | { type: "lost" }
  /** Stopped by the run itself. `sent`: something may have been received. */
  | { type: "stopped"; sent: boolean }
  /**
   * A response with an error status, or a redirect, which is not followed. `body`: the service's own form, which is
   * JSON with `error`, also one that is about `credits`; or a `page` of something between: a proxy, a firewall.
   */
  | { type: "status"; status: number; body: "error" | "credits" | "page" }
  /** A successful response with unexpected content. */
  | { type: "unreadable" };

/** A request to the service that failed. Its message says what happened, without secrets. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly failure: Failure;
  /** Value of `Retry-After` in milliseconds; null if the service sent none. */
  readonly retryAfter: number | null;
  /** The request as the message names it, and what happened without it; null if the message names none. */
  readonly apart: { request: string; said: string } | null;

  constructor(
    failure: Failure,
    message: string,
    retryAfter: number | null = null,
    apart: ServiceError["apart"] = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.failure = failure;
    this.retryAfter = retryAfter;
    this.apart = apart;
  }
}

/** What the cause of an error tells apart; null if it is no failed request that is named. */
export function apartIn({ cause }: Error): ServiceError["apart"] {
  return cause instanceof ServiceError ? cause.apart : null;
}

/** The answer to a request, or why there is none. Throws any other error. */
export function orServiceError<T>(answer: Promise<T>): Promise<T | ServiceError> {
  return answer.catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });
}

/** The error for a successful response with unexpected content. @param predicate the rest of the sentence */
export function unreadable(predicate: string, retryAfter: number | null = null): ServiceError {
  return new ServiceError(
    { type: "unreadable" },
    `The service's response ${predicate}`,
    retryAfter,
  );
}

/** The error for a request that the run itself stopped. @param sent whether something may have been received */
export function stoppedRequest(sent: boolean): ServiceError {
  const message = "The workflow run was cancelled before the service's answer was complete";
  return new ServiceError({ type: "stopped", sent }, message);
}

/** A 503 with `Retry-After` means that the request was not processed. Without it, it may have been processed. */
export function wasTurnedAway({ failure, retryAfter }: ServiceError): boolean {
  return isStatus(failure, 503) && retryAfter !== null;
}

/** Whether the service itself refuses the key. */
export function isKeyRefused(failure: Failure): boolean {
  return isStatus(failure, 401, 403) && !isPage(failure);
}

/** Whether the service itself does not know what the path names. */
export function isUnknown(failure: Failure): boolean {
  return isStatus(failure, 404, 410) && !isPage(failure);
}

/** Whether no credits are left: nothing more is accepted until a person has seen to it. */
export function isOutOfCredits(failure: Failure): boolean {
  const isAboutCredits = failure.type === "status" && failure.body === "credits";
  return isStatus(failure, 402) || (isStatus(failure, 429) && isAboutCredits);
}

/** Whether something between refuses what was sent: a proxy, a firewall. */
export function isFromBetween(failure: Failure): boolean {
  const isRefused = failure.type === "status" && failure.status >= 400 && failure.status < 500;
  return isRefused && isPage(failure) && !isStatus(failure, 402, 408, 425, 429);
}

function isPage(failure: Failure): boolean {
  return failure.type === "status" && failure.body === "page";
}

/** Whether the answer was larger than what is read of one. */
export function isTooLarge({ cause }: ServiceError): boolean {
  return cause instanceof ExchangeError && cause.reason === "size-limit";
}

/** Whether a failure is an answer with one of these statuses. */
export function isStatus(failure: Failure, ...statuses: number[]): boolean {
  return failure.type === "status" && statuses.includes(failure.status);
}

/** Whether the same request may succeed later. */
export function isPassing({ failure }: ServiceError): boolean {
  return failure.type === "status"
    ? failure.status >= 500 || (isStatus(failure, 408, 425, 429) && !isOutOfCredits(failure))
    : ["unreached", "lost", "unreadable"].includes(failure.type);
}
