import { ActionError } from "../runtime/errors.ts";
import { type ServiceError, wasTurnedAway } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";

/** What a request is for. */
export type Operation = "poll" | "create" | "message" | "list" | "ask";

/** Whether a request may start something, and is therefore not repeated. */
export function isStart(operation: Operation): boolean {
  return operation === "create" || operation === "message";
}

/** What to do about a failure. */
type Advice = Record<"missing" | "limited" | "refused" | "unreadable" | "lost", string>;

const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";
export const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const WAIT_LONGER =
  "Run again later, or increase `timeout-minutes` so that the action can wait longer.";
export const STILL_RUNNING =
  "The job may still be running: run again with its `job-id` to wait for it.";

export const ASK_AGAIN = "Run again: it is safe to ask the same question twice.";

/** Advice about a request that may have started something, and is therefore not repeated. */
const starting = (is: string, next: string) => ({
  unreadable: `${CHECK_PROJECT} The request was accepted, so ${is} ${next}`,
  lost: `The service may have received the request, so ${is} It was not sent again. ${next}`,
});

const POLL: Advice = {
  missing: "The service does not know this job in this project. Check `job-id` and `project-id`.",
  limited: `The service allows 100 uses per project per hour, including follow-up messages. ${WAIT_LONGER}`,
  refused: "The service refused the request. Correct what its message names.",
  unreadable: STILL_RUNNING,
  lost: STILL_RUNNING,
};

const ADVICE: Record<Operation, Advice> = {
  poll: POLL,
  create: {
    ...POLL,
    missing: CHECK_PROJECT,
    refused: `The service refused the request, so no job was started. Correct what its message names. ${CHECK_PROJECT}`,
    ...starting(
      "a job may have been started.",
      "Before you run again, check the service's dashboard. If the job exists, run the action with its `job-id`.",
    ),
  },
  message: {
    ...POLL,
    ...starting(
      "the job may be working on it.",
      "Before you send it again, run the action with `job-id` and no prompt to see what the job does.",
    ),
  },
  list: {
    ...{ ...POLL, missing: CHECK_PROJECT, unreadable: CHECK_PROJECT },
    ...{ limited: "Run again later.", lost: "Run again later." },
  },
  ask: {
    ...{ missing: CHECK_DOMAIN, unreadable: CHECK_DOMAIN, lost: ASK_AGAIN },
    limited: `The service allows 10,000 questions per hour for an organization, and 10,000 per day for an IP address. ${WAIT_LONGER}`,
    refused: `The service refused the question. Correct what its message names. ${CHECK_DOMAIN}`,
  },
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
const TURNED_AWAY =
  "The service temporarily refused the request, so nothing was started. Run again later.";

function meaningOf(
  error: ServiceError,
  operation: Operation,
): [kind: ActionError["kind"], advice: string] {
  const { failure } = error;
  const { missing, limited, refused, unreadable, lost } = ADVICE[operation];
  const isOpen = isStart(operation) ? "create-uncertain" : "service-unavailable";
  if (failure.type === "redirect") return ["invalid-response", REDIRECT];
  if (failure.type === "unreadable") return ["invalid-response", unreadable];
  if (failure.type === "unreached") return ["service-unavailable", UNREACHED];
  if (failure.type !== "status") return [isOpen, lost];
  const { status } = failure;
  if (status === 401) return ["unauthorized", adviceOnKey(operation)];
  if (status === 403) return ["forbidden", adviceOnAccess(operation)];
  if (status === 404 || status === 410) return ["not-found", missing];
  if (status === 429) return ["rate-limited", limited];
  if (isStart(operation) && wasTurnedAway(error)) return ["service-unavailable", TURNED_AWAY];
  if (status >= 500 || status === 408 || status === 425) return [isOpen, lost];
  return ["bad-request", refused];
}

function adviceOnKey(operation: Operation): string {
  const [needed, owner] =
    operation === "ask" ? ["assistant", "`domain`"] : ["admin", "`project-id`"];
  return `\`api-key\` must be an ${needed} key, complete and with nothing else. (Mintlify's assistant keys begin with \`mint_dsc_\`, admin keys only with \`mint_\`.) Look for it on the API keys page of the service's dashboard. If it is not there, it was deleted, or it belongs to another organization than ${owner}. If it has expired (after 90 days by default) or was deleted, create a new one, and save it as the secret that the workflow passes.`;
}

function adviceOnAccess(operation: Operation): string {
  const scope = isStart(operation) ? "write" : "read";
  const scopes = operation === "ask" ? "" : ` that it has the scope \`${scope}\`, and`;
  return `The service knows the key, but does not let it do this. On the API keys page of its dashboard, check${scopes} that its IP allow-list is empty or contains the runner's address. The addresses of GitHub-hosted runners change.`;
}
