/** What follows from what became of a write. */

import type { Absent, Unread } from "../../runtime/fact.ts";
import { sentence } from "../../text/sentence.ts";
import { OF_PERMISSION, type Sent, type Unaccepted } from "./explain.ts";
import { LIMIT_DELAY } from "./limits.ts";

/** What became of a write that needs something that is not there, or could not be read. */
export function unsentAfter(fact: Absent | Unread): Unaccepted {
  if (fact.type === "absent") {
    const error = { kind: "github-refused", problem: "It was not found.", advice: null } as const;
    return { type: "refused", by: "state", error, status: null, message: "" };
  }
  const { cause, reason, isPassing, status } = fact;
  if (cause === "limited") return { type: "limited", retryAfter: LIMIT_DELAY, reason };
  const problem = sentence(reason);
  if (cause === "refused" && !isPassing) {
    const isRight = status === 401 || OF_PERMISSION.test(reason);
    const error = { kind: "github-refused", problem, advice: null } as const;
    return { type: "refused", by: isRight ? "right" : "state", error, status, message: "" };
  }
  const error = { kind: "github-unavailable", problem, advice: null } as const;
  return { type: "not-sent", code: isPassing ? "unreached" : "cancelled", error };
}

/** What follows from what a write has made. */
export function mapSent<T, R>(sent: Sent<T>, map: (value: T) => R): Sent<R> {
  return sent.type === "accepted" ? { type: "accepted", value: map(sent.value) } : sent;
}

/** Whether the same write may be accepted later. */
export function mayPass(sent: Unaccepted): boolean {
  return sent.type !== "refused" && !(sent.type === "not-sent" && sent.code === "cancelled");
}
