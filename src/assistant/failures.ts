import { ASK_AGAIN } from "../job/failures.ts";
import { waitLimit } from "../job/step-result.ts";
import { ActionError } from "../runtime/errors.ts";
import type { ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";

const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";

/** An answer that began and broke off. */
export function explainBroken(error: ServiceError): ActionError {
  return new ActionError("stream-interrupted", sentence(error.message), KEPT, { cause: error });
}

/** An answer whose end never came, though the connection ended in good order. */
export function explainWithoutEnd(): ActionError {
  return new ActionError("stream-interrupted", "The answer ended before it was complete.", KEPT);
}

const KEPT = `The part that was received is kept. ${ASK_AGAIN}`;

/** An answer that the service itself gave up. */
export function explainGivenUp(message: string): ActionError {
  const said = message.replace(/\s+/g, " ").trim();
  const what = `The assistant stopped before the answer was complete${said === "" ? "" : `: ${said}`}`;
  return new ActionError("stream-interrupted", sentence(what), KEPT);
}

/** An answer in which nothing could be read. */
export function explainUnreadable(): ActionError {
  return new ActionError(
    "invalid-response",
    "The service's response is not an assistant's answer.",
    CHECK_DOMAIN,
  );
}

/** An answer that is whole, and says nothing. */
export function explainEmpty(): ActionError {
  return new ActionError(
    "invalid-response",
    "The assistant's answer is empty.",
    "Rephrase the question, or run again.",
  );
}

/** An answer that was not whole at the time limit. @param timeout in milliseconds */
export function explainTimedOut(timeout: number): ActionError {
  return new ActionError(
    "timeout",
    `The answer was not complete after ${waitLimit(timeout)}.`,
    "The part that was received is kept. Run again, with a higher `timeout-minutes` if answers take that long.",
  );
}

/** A run that was cancelled before the answer was whole. */
export function explainCancelled(): ActionError {
  return new ActionError(
    "cancelled",
    "This workflow run was cancelled before the answer was complete.",
  );
}
