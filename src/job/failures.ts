import { ActionError } from "../errors.ts";
import { type ServiceError, wasTurnedAway } from "../service/errors.ts";

/** What can start something, and is therefore not simply repeated. */
export type Starting = "create" | "message";

/** What the action was doing when a request failed. */
export type Doing = Starting | "look" | "list";

const CHECK_KEY =
  "Check that `api-key` is an admin key of this project's organization, that it has not expired, that it has the scope this needs (read to look at a job, write to start one or to send a message), and that the runner's address is on the key's allow-list.";
const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";

/**
 * A failure that ends the run, in the words and kinds of the action.
 *
 * @param error what the service or the network did
 * @param doing decides whether a lost request may have started something
 */
export function explain(error: ServiceError, doing: Doing): ActionError {
  const { failure, message } = error;
  const told = (kind: ActionError["kind"], advice: string) =>
    new ActionError(kind, `${message}.`, advice, { cause: error });

  switch (failure.type) {
    case "redirect":
      return told(
        "invalid-response",
        "Redirects are not followed, because the key would travel with them. Correct `base-url` to the address that answers.",
      );
    case "unreadable":
      return told("invalid-response", unreadable(doing));
    case "unreached":
      return told(
        "service-unavailable",
        "Nothing was received by the service. Check `base-url` and the runner's network or proxy, then run again.",
      );
    case "stopped":
    case "lost":
      return starts(doing) ? uncertain(error, doing) : told("service-unavailable", later(doing));
    case "status":
      return explainStatus(error, failure.status, doing);
  }
}

/** A service that has not given a good answer about a job for too long, whatever it said the last time. */
export function explainUnwell(error: ServiceError): ActionError {
  const what = `${error.message}. The service has not given a good answer for 5 minutes.`;
  return new ActionError("service-unavailable", what, later("look"), { cause: error });
}

function starts(doing: Doing): doing is Starting {
  return doing === "create" || doing === "message";
}

function later(doing: "look" | "list"): string {
  return doing === "list"
    ? "Run again later."
    : "The job may still be running: run again with its `job-id` to wait for it.";
}

function unreadable(doing: Doing): string {
  if (doing === "list") return CHECK_PROJECT;
  if (doing === "look") return later(doing);
  return `${CHECK_PROJECT} The request was accepted, so ${maybe(doing)} ${beforeAgain(doing)}`;
}

function explainStatus(error: ServiceError, status: number, doing: Doing): ActionError {
  const told = (kind: ActionError["kind"], advice: string) =>
    new ActionError(kind, `${error.message}.`, advice, { cause: error });

  if (status === 401) return told("unauthorized", CHECK_KEY);
  if (status === 403) return told("forbidden", CHECK_KEY);
  if (status === 404 || status === 410) {
    return told(
      "not-found",
      doing === "create" || doing === "list"
        ? CHECK_PROJECT
        : "The service does not know this job in this project. Check `job-id` and `project-id`.",
    );
  }
  if (status === 429) {
    return told(
      "rate-limited",
      doing === "list"
        ? later(doing)
        : "The service allows 100 uses per project per hour, follow-up messages included. Run again later, or raise `timeout-minutes` so that the action can wait longer.",
    );
  }
  if (starts(doing) && wasTurnedAway(error)) {
    return told(
      "service-unavailable",
      "The service turned the request away, so nothing was started. Run again later.",
    );
  }
  if (status >= 500 || status === 408 || status === 425) {
    return starts(doing) ? uncertain(error, doing) : told("service-unavailable", later(doing));
  }
  const advice =
    doing === "create"
      ? `The service refused the request; no job was started. ${CHECK_PROJECT}`
      : "The service refused the request.";
  return told("bad-request", advice);
}

/** The one case in which trying again could make a second job. */
function uncertain(error: ServiceError, doing: Starting): ActionError {
  return new ActionError(
    "create-uncertain",
    `${error.message}.`,
    `The service may have received the request, so ${maybe(doing)} It was not sent again. ${beforeAgain(doing)}`,
    { cause: error },
  );
}

function maybe(doing: Starting): string {
  return doing === "create" ? "a job may have been started." : "the job may be at work on it.";
}

function beforeAgain(doing: Starting): string {
  return doing === "create"
    ? "Before you run again, look at the service's dashboard: if the job is there, run with its `job-id`."
    : "Before you send it again, run with `job-id` alone and see what the job does.";
}
