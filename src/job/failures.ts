import { ActionError } from "../runtime/errors.ts";
import { ADVICE, type ServiceError, wasTurnedAway } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";

/** Requests that can start something, and are therefore not simply repeated. */
export type StartOperation = "create" | "message";

/** What a request was for. */
export type Operation = StartOperation | "poll" | "list";

const CHECK_KEY =
  "Check that `api-key` is an admin key of this project's organization, that it has not expired, that it has the required scope (read to poll a job, write to start a job or send a message), and that the runner's IP address is on the key's allow-list.";
const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";

/**
 * A failure that ends the run, in the words and kinds of the action.
 *
 * @param error what the service or the network did
 * @param operation decides whether a lost request may have started something
 */
export function explain(error: ServiceError, operation: Operation): ActionError {
  const { failure, message } = error;
  const told = (kind: ActionError["kind"], advice: string) =>
    new ActionError(kind, sentence(message), advice, { cause: error });

  switch (failure.type) {
    case "redirect":
      return told("invalid-response", ADVICE.redirect);
    case "unreadable":
      return told("invalid-response", unreadable(operation));
    case "unreached":
      return told("service-unavailable", ADVICE.unreached);
    case "stopped":
    case "lost":
      return starts(operation)
        ? uncertain(error, operation)
        : told("service-unavailable", later(operation));
    case "status":
      return explainStatus(error, failure.status, operation);
  }
}

/**
 * Polls that have failed for too long, whatever the last one brought.
 *
 * @param failing milliseconds since the first that failed
 */
export function explainUnavailable(error: ServiceError, failing: number): ActionError {
  const what = `${sentence(error.message)} Polls have failed for ${duration(failing)}.`;
  return new ActionError("service-unavailable", what, later("poll"), { cause: error });
}

function starts(operation: Operation): operation is StartOperation {
  return operation === "create" || operation === "message";
}

function later(operation: "poll" | "list"): string {
  return operation === "list"
    ? "Run again later."
    : "The job may still be running: run again with its `job-id` to wait for it.";
}

function unreadable(operation: Operation): string {
  if (operation === "list") return CHECK_PROJECT;
  if (operation === "poll") return later(operation);
  return `${CHECK_PROJECT} The request was accepted, so ${maybe(operation)} ${beforeAgain(operation)}`;
}

function explainStatus(error: ServiceError, status: number, operation: Operation): ActionError {
  const told = (kind: ActionError["kind"], advice: string) =>
    new ActionError(kind, sentence(error.message), advice, { cause: error });

  if (status === 401) return told("unauthorized", CHECK_KEY);
  if (status === 403) return told("forbidden", CHECK_KEY);
  if (status === 404 || status === 410) {
    return told(
      "not-found",
      operation === "create" || operation === "list"
        ? CHECK_PROJECT
        : "The service does not know this job in this project. Check `job-id` and `project-id`.",
    );
  }
  if (status === 429) {
    return told(
      "rate-limited",
      operation === "list"
        ? later(operation)
        : "The service allows 100 uses per project per hour, including follow-up messages. Run again later, or increase `timeout-minutes` so that the action can wait longer.",
    );
  }
  if (starts(operation) && wasTurnedAway(error)) {
    return told(
      "service-unavailable",
      "The service temporarily refused the request, so nothing was started. Run again later.",
    );
  }
  if (status >= 500 || status === 408 || status === 425) {
    return starts(operation)
      ? uncertain(error, operation)
      : told("service-unavailable", later(operation));
  }
  const advice =
    operation === "create"
      ? `The service refused the request; no job was started. ${CHECK_PROJECT}`
      : "The service refused the request.";
  return told("bad-request", advice);
}

/** The one case in which trying again could make a second job. */
function uncertain(error: ServiceError, operation: StartOperation): ActionError {
  return new ActionError(
    "create-uncertain",
    sentence(error.message),
    `The service may have received the request, so ${maybe(operation)} It was not sent again. ${beforeAgain(operation)}`,
    { cause: error },
  );
}

function maybe(operation: StartOperation): string {
  return operation === "create" ? "a job may have been started." : "the job may be working on it.";
}

function beforeAgain(operation: StartOperation): string {
  return operation === "create"
    ? "Before you run again, check the service's dashboard. If the job exists, run the action with its `job-id`."
    : "Before you send it again, run the action with `job-id` and no prompt to see what the job does.";
}
