/** What became of a request to the agent or to GitHub: one vocabulary for every action. Plain data, without secrets. */

import type { ErrorKind } from "./errors.ts";

/** What an `ActionError` says, as plain data. */
export interface PlainError {
  readonly kind: ErrorKind;
  readonly problem: string;
  readonly advice: string | null;
}

export type Delivery<T> =
  | { readonly type: "accepted"; readonly value: T }
  /** No more requests of this kind are accepted for now. Nothing was done. */
  | { readonly type: "limited" }
  /** The job accepts no message for now. Nothing was done. */
  | { readonly type: "busy" }
  | Refused
  | NotSent
  | Uncertain;

/** Nothing was done, and the same request would be refused again. */
export interface Refused {
  readonly type: "refused";
  /**
   * What stands against it: a right is the token's or a rule's, a state what the request met (closed, locked), and
   * `credits` are used up.
   */
  readonly by: "job" | "content" | "key" | "credits" | "right" | "state";
  readonly error: PlainError;
}

/** Whether a refusal is about the key or the project, and not about what was requested. */
export function isOfProject({ by }: Refused): boolean {
  return by === "key" || by === "credits";
}

export interface NotSent {
  readonly type: "not-sent";
  /**
   * `changed`: decided again right before it, the answer was another one. `outdated`: it was decided too long ago.
   * `cancelled`: the run ends. `held-back`: what was done before it speaks against it. `unreached`: nothing was
   * received.
   */
  readonly code: "changed" | "outdated" | "cancelled" | "held-back" | "unreached";
  /** Null if there is nothing to say. */
  readonly error: PlainError | null;
}

/** It may have been received. */
export interface Uncertain {
  readonly type: "uncertain";
  /** The rest of a sentence, in the words of whoever answered; null if the run ended while it was being sent. */
  readonly reason: string | null;
  readonly error: PlainError | null;
}

/** @param error null if there is nothing to say */
export function notSent(code: NotSent["code"], error: PlainError | null = null): NotSent {
  return { type: "not-sent", code, error };
}
