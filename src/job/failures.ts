import { ActionError } from "../runtime/errors.ts";
import { type ServiceError, wasTurnedAway } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";

/** What a request is for. */
export type Operation = "poll" | "create" | "message" | "list" | "ask";

/** Whether a request may start something, and is therefore not repeated. */
export function isStart(operation: Operation): boolean {
  return operation === "create" || operation === "message";
}

const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";
const CHECK_JOB = "Check `job-id` and `project-id`.";
export const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const LATER = "Run again later.";
const WAIT_LONGER =
  "Run again later, or increase `timeout-minutes` so that the action can wait longer.";
const JOB_LIMIT = `The service allows 100 uses per project per hour, including follow-up messages. ${WAIT_LONGER}`;
const QUESTION_LIMIT = `The service allows 10,000 questions per hour for an organization, and 10,000 per day for an IP address. ${WAIT_LONGER}`;
const MAY_EXIST =
  "a job may have been started. Before you run again, check the service's dashboard. If the job exists, run the action with its `job-id`.";
const MAY_WORK =
  "the job may be working on it. Before you send it again, run the action with `job-id` and no prompt to see what the job does.";
export const STILL_RUNNING =
  "The job may still be running: run again with its `job-id` to wait for it.";
export const ASK_AGAIN = "Run again: it is safe to ask the same question twice.";

/** What to check if the service refuses a request, and what to do at its limit and after a lost answer. */
const ADVICE: Record<Operation, Record<"check" | "limited" | "lost", string>> = {
  poll: { check: CHECK_JOB, limited: JOB_LIMIT, lost: STILL_RUNNING },
  create: { check: CHECK_PROJECT, limited: JOB_LIMIT, lost: MAY_EXIST },
  message: { check: CHECK_JOB, limited: JOB_LIMIT, lost: MAY_WORK },
  list: { check: CHECK_PROJECT, limited: LATER, lost: LATER },
  ask: { check: CHECK_DOMAIN, limited: QUESTION_LIMIT, lost: ASK_AGAIN },
};

/** The error with which a failed request ends the run. @param operation what the request was for */
export function explain(error: ServiceError, operation: Operation): ActionError {
  const [kind, advice] = meaningOf(error, operation);
  return new ActionError(kind, sentence(error.message), advice, { cause: error });
}

const REDIRECT =
  "Redirects are not followed, because they would send the key to another address. Set `base-url` to the final URL.";
const UNREACHED =
  "The service received nothing. Check `base-url` and the runner's network or proxy, then run again.";
const FORBIDDEN =
  "The service knows the key, but does not let it do this. On the API keys page of its dashboard, check that the key has the scope that this needs (`read`, or `write` to start jobs and for follow-ups), and that its IP allow-list is empty or contains the runner's address. The addresses of GitHub-hosted runners change.";
const TURNED_AWAY =
  "The service temporarily refused the request, so nothing was started. Run again later.";

function meaningOf(
  error: ServiceError,
  operation: Operation,
): [kind: ActionError["kind"], advice: string] {
  const { failure } = error;
  const { check, limited, lost } = ADVICE[operation];
  const mayHaveStarted = isStart(operation);
  if (failure.type === "stopped") {
    return ["cancelled", mayHaveStarted ? "The next run continues." : lost];
  }
  if (failure.type === "unreadable") {
    return ["invalid-response", mayHaveStarted ? `The request was accepted, so ${lost}` : check];
  }
  if (failure.type === "unreached") return ["service-unavailable", UNREACHED];
  const status = failure.type === "status" ? failure.status : null;
  if (status !== null && status < 400) return ["invalid-response", REDIRECT];
  if (status === 401) return ["unauthorized", adviceOnKey(operation)];
  if (status === 403) return ["forbidden", FORBIDDEN];
  if (status === 404 || status === 410) return ["not-found", check];
  if (status === 429) return ["rate-limited", limited];
  if (mayHaveStarted && wasTurnedAway(error)) return ["service-unavailable", TURNED_AWAY];
  if (status === null || status >= 500 || status === 408 || status === 425) {
    return mayHaveStarted
      ? ["create-uncertain", `The request was not sent again: ${lost}`]
      : ["service-unavailable", lost];
  }
  return [
    "bad-request",
    `The service refused the request. Correct what its message names. ${check}`,
  ];
}

function adviceOnKey(operation: Operation): string {
  const [needed, owner] =
    operation === "ask" ? ["assistant", "`domain`"] : ["admin", "`project-id`"];
  return `\`api-key\` must be an ${needed} key, complete and with nothing else. (Mintlify's assistant keys begin with \`mint_dsc_\`, admin keys only with \`mint_\`.) Look for it on the API keys page of the service's dashboard. If it is not there, it was deleted, or it belongs to another organization than ${owner}. If it has expired (after 90 days by default) or was deleted, create a new one, and save it as the secret that the workflow passes.`;
}
