import { ActionError } from "../runtime/errors.ts";
import {
  type KeyKind,
  type keyKindOf,
  prefixOf,
  type ServiceError,
  wasTurnedAway,
} from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";

/** What to do about a failure, by what the request was for. */
interface Advice extends Record<"missing" | "limited" | "refused" | "unreadable" | "lost", string> {
  /** The kind of key that the request needs, and its scope; null for any. */
  key: KeyKind;
  scope: "read" | "write" | null;
  /** Whether a lost request may have started something, and is therefore not repeated. */
  starts: boolean;
}

const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";
export const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const WAIT_LONGER =
  "Run again later, or increase `timeout-minutes` so that the action can wait longer.";
const STILL_RUNNING = "The job may still be running: run again with its `job-id` to wait for it.";

/** Advice about a request that may have started something. */
const starting = (is: string, next: string) => ({
  scope: "write" as const,
  unreadable: `${CHECK_PROJECT} The request was accepted, so ${is} ${next}`,
  lost: `The service may have received the request, so ${is} It was not sent again. ${next}`,
  starts: true,
});

export const ASK_AGAIN = "Run again: it is safe to ask the same question twice.";

const POLL: Advice = {
  ...{ key: "admin", scope: "read", starts: false },
  missing: "The service does not know this job in this project. Check `job-id` and `project-id`.",
  limited: `The service allows 100 uses per project per hour, including follow-up messages. ${WAIT_LONGER}`,
  refused: "The service refused the request. Correct what its message names.",
  ...{ unreadable: STILL_RUNNING, lost: STILL_RUNNING },
};

const ADVICE = {
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
    ...{ key: "assistant", scope: null, starts: false, lost: ASK_AGAIN },
    ...{ missing: CHECK_DOMAIN, unreadable: CHECK_DOMAIN },
    limited: `The service allows 10,000 questions per hour for an organization, and 10,000 per day for an IP address. ${WAIT_LONGER}`,
    refused: `The service refused the question. Correct what its message names. ${CHECK_DOMAIN}`,
  },
} satisfies Record<string, Advice>;

export type Operation = keyof typeof ADVICE;

/** The error with which a failed request ends the run. @param operation what the request was for */
export function explain(error: ServiceError, operation: Operation): ActionError {
  const [kind, advice] = meaningOf(error, ADVICE[operation]);
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
  advice: Advice,
): [kind: ActionError["kind"], advice: string] {
  const { failure } = error;
  const isOpen = advice.starts ? "create-uncertain" : "service-unavailable";
  if (failure.type === "redirect") return ["invalid-response", REDIRECT];
  if (failure.type === "unreadable") return ["invalid-response", advice.unreadable];
  if (failure.type === "unreached") return ["service-unavailable", UNREACHED];
  if (failure.type !== "status") return [isOpen, advice.lost];
  const { status, keyKind = null } = failure;
  if (status === 401) return ["unauthorized", adviceOnKey(advice.key, keyKind)];
  if (status === 403) return ["forbidden", adviceOnAccess(advice)];
  if (status === 404 || status === 410) return ["not-found", advice.missing];
  if (status === 429) return ["rate-limited", advice.limited];
  if (advice.starts && wasTurnedAway(error)) return ["service-unavailable", TURNED_AWAY];
  if (status >= 500 || status === 408 || status === 425) return [isOpen, advice.lost];
  return ["bad-request", advice.refused];
}

function adviceOnKey(needed: KeyKind, actual: ReturnType<typeof keyKindOf>): string {
  const prefix = prefixOf(needed);
  if (actual === null) {
    return `\`api-key\` does not begin with \`${prefix}\`, as Mintlify's ${needed} keys do. Check that the secret holds an ${needed} key, complete and with nothing else. If the key is of another service, check on its dashboard that the key has not expired.`;
  }
  if (actual !== needed) {
    return `\`api-key\` begins as an ${actual} key does, and this action needs an ${needed} key. Create an ${needed} key on the API keys page of the service's dashboard, and save it as the secret that \`api-key\` reads.`;
  }
  const owner = needed === "admin" ? "`project-id`" : "`domain`";
  return `\`api-key\` begins as an ${needed} key does, so look for it on the API keys page of the service's dashboard. If it is not there, it was deleted, or it belongs to another organization than ${owner}. If it has expired (after 90 days by default) or was deleted, create a new one, and save it as the secret that \`api-key\` reads.`;
}

function adviceOnAccess({ scope }: Advice): string {
  const scopes = scope === null ? "" : ` that it has the scope \`${scope}\`, and`;
  return `The service knows the key, but does not let it do this. On the API keys page of its dashboard, check${scopes} that its IP allow-list is empty or contains the runner's address. The addresses of GitHub-hosted runners change.`;
}

/** The error for polls that have failed for too long. @param failing milliseconds since the first that failed */
export function explainUnavailable(error: ServiceError, failing: number): ActionError {
  const what = `${sentence(error.message)} Polls have failed for ${duration(failing)}.`;
  return new ActionError("service-unavailable", what, STILL_RUNNING, { cause: error });
}
