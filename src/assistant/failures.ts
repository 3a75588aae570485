import { waitLimit } from "../job/wait-limit.ts";
import { ActionError, type ErrorKind } from "../runtime/errors.ts";
import { ADVICE, type ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";

const CHECK_KEY =
  "Check that `api-key` is an assistant key of this domain's organization, that it has not expired, and that the runner's address is on the key's allow-list.";
const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const AGAIN = "Run again: it is safe to ask the same question twice.";

/** A question that was not answered, in the words and kinds of the action. */
export function explainRefused(error: ServiceError): ActionError {
  const { failure } = error;
  const told = (kind: ErrorKind, advice: string) =>
    new ActionError(kind, sentence(error.message), advice, { cause: error });

  switch (failure.type) {
    case "redirect":
      return told("invalid-response", ADVICE.redirect);
    case "unreadable":
      return told("invalid-response", CHECK_DOMAIN);
    case "unreached":
      return told("service-unavailable", ADVICE.unreached);
    case "stopped":
    case "lost":
      return told("service-unavailable", AGAIN);
    case "status":
      return explainStatus(failure.status, told);
  }
}

function explainStatus(
  status: number,
  told: (kind: ErrorKind, advice: string) => ActionError,
): ActionError {
  if (status === 401) return told("unauthorized", CHECK_KEY);
  if (status === 403) return told("forbidden", CHECK_KEY);
  if (status === 404 || status === 410) return told("not-found", CHECK_DOMAIN);
  if (status === 429) {
    return told(
      "rate-limited",
      "The service allows 10,000 questions per hour for an organization, and 10,000 per day for an IP address. Run again later, or raise `timeout-minutes` so that the action can wait longer.",
    );
  }
  if (status >= 500 || status === 408 || status === 425) return told("service-unavailable", AGAIN);
  return told("bad-request", `The service refused the question. ${CHECK_DOMAIN}`);
}

/** An answer that began and broke off. */
export function explainBroken(error: ServiceError): ActionError {
  return new ActionError("stream-interrupted", sentence(error.message), KEPT, { cause: error });
}

/** An answer whose end never came, though the connection ended in good order. */
export function explainWithoutEnd(): ActionError {
  return new ActionError("stream-interrupted", "The answer ended before it was complete.", KEPT);
}

const KEPT = `The part that was received is kept. ${AGAIN}`;

/** An answer that the service itself gave up. */
export function explainGivenUp(message: string): ActionError {
  const said = message.replace(/\s+/g, " ").trim();
  const what = `The assistant broke off its answer${said === "" ? "" : `: ${said}`}`;
  return new ActionError("stream-interrupted", sentence(what), KEPT);
}

/** An answer in which nothing could be read. */
export function explainUnreadable(): ActionError {
  return new ActionError(
    "invalid-response",
    "The service's response is not an answer of the assistant.",
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
