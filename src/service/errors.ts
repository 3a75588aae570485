import type { keyKindOf } from "./keys.ts";

/**
 * Why a request failed. `status`: the service answered with an error. The other types say how far the request got.
 */
export type Failure =
  /** No connection was made: nothing was received. */
  | { type: "unreached" }
  /** Sent, but without a complete answer: its result is unknown. */
  | { type: "lost" }
  /** Stopped by the run itself. `sent`: something may have been received. */
  | { type: "stopped"; sent: boolean }
  /**
   * An answer with a status outside of success; `message` is the service's own, if it gave one; `keyKind`: what
   * the prefix of the key that was sent tells.
   */
  | { type: "status"; status: number; message: string; keyKind?: ReturnType<typeof keyKindOf> }
  /** A redirect. It is not followed, because it would send the key to another address. */
  | { type: "redirect"; status: number; location: string }
  /** A successful answer that is not what was asked for. */
  | { type: "unreadable" };

/** A request to the service that failed. Its message says what happened and holds no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly failure: Failure;
  /** Value of `Retry-After` in milliseconds, if the service sent one. */
  readonly retryAfter: number | undefined;

  constructor(failure: Failure, message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/** The error for a record of another job than the one asked for. */
export function anotherJob(retryAfter: number | undefined): ServiceError {
  return new ServiceError(
    { type: "unreadable" },
    "The service's response describes a different job from the one requested",
    retryAfter,
  );
}

/** A 503 with `Retry-After` means that the request was not processed. Without it, the request may have been processed. */
export function wasTurnedAway({ failure, retryAfter }: ServiceError): boolean {
  return isStatus(failure, 503) && retryAfter !== undefined;
}

/** Whether a failure is an answer with one of these statuses. */
export function isStatus(failure: Failure, ...statuses: number[]): boolean {
  return failure.type === "status" && statuses.includes(failure.status);
}

/** Whether the same request may succeed later. */
export function isPassing({ failure }: ServiceError): boolean {
  switch (failure.type) {
    case "unreached":
    case "lost":
    case "unreadable":
      return true;
    case "status":
      return failure.status >= 500 || isStatus(failure, 408, 425, 429);
    default:
      return false;
  }
}
