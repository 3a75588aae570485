import { ActionError } from "../runtime/errors.ts";
import { type ServiceError, wasTurnedAway } from "../service/errors.ts";
import { type KeyKind, type keyKindOf, prefixOf } from "../service/keys.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";

/** What a request was for. */
export type Operation = "create" | "message" | "poll" | "list" | "ask";

/** What to do about a failure, by what the request was for. */
interface Advice {
  /** The kind of key that the request needs, and the scope that it must have; null: any. */
  key: KeyKind;
  scope: "read" | "write" | null;
  missing: string;
  limited: string;
  refused: string;
  /** The answer cannot be read, or is empty. */
  unreadable: string;
  lost: string;
  /** Whether a lost request may have started something, and is therefore not repeated. */
  starts: boolean;
}

/** An admin key, and what it has to allow. */
const READS = { key: "admin", scope: "read" } as const;
const WRITES = { key: "admin", scope: "write" } as const;
const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";
const CHECK_DOMAIN = "Check `domain`, and `base-url` if you set it.";
const CHECK_JOB =
  "The service does not know this job in this project. Check `job-id` and `project-id`.";
const WAIT_LONGER =
  "Run again later, or increase `timeout-minutes` so that the action can wait longer.";
const LIMITED = `The service allows 100 uses per project per hour, including follow-up messages. ${WAIT_LONGER}`;
const REFUSED = "The service refused the request. Correct what its message names.";
const STILL_RUNNING = "The job may still be running: run again with its `job-id` to wait for it.";
const MAY_HAVE_JOB = {
  is: "a job may have been started.",
  next: "Before you run again, check the service's dashboard. If the job exists, run the action with its `job-id`.",
};
const MAY_HAVE_MESSAGE = {
  is: "the job may be working on it.",
  next: "Before you send it again, run the action with `job-id` and no prompt to see what the job does.",
};

/** Of a request that may have started something: it was accepted, or may have been. */
const starting = ({ is, next }: typeof MAY_HAVE_JOB) => ({
  unreadable: `${CHECK_PROJECT} The request was accepted, so ${is} ${next}`,
  lost: `The service may have received the request, so ${is} It was not sent again. ${next}`,
  starts: true,
});

/** To ask the same question twice does no harm. */
export const ASK_AGAIN = "Run again: it is safe to ask the same question twice.";

const ADVICE: Record<Operation, Advice> = {
  create: {
    ...{ ...WRITES, missing: CHECK_PROJECT, limited: LIMITED },
    refused: `The service refused the request, so no job was started. Correct what its message names. ${CHECK_PROJECT}`,
    ...starting(MAY_HAVE_JOB),
  },
  message: {
    ...{ ...WRITES, missing: CHECK_JOB, limited: LIMITED, refused: REFUSED },
    ...starting(MAY_HAVE_MESSAGE),
  },
  poll: {
    ...{ ...READS, missing: CHECK_JOB, limited: LIMITED, refused: REFUSED },
    ...{ unreadable: STILL_RUNNING, lost: STILL_RUNNING, starts: false },
  },
  list: {
    ...{ ...READS, missing: CHECK_PROJECT, limited: "Run again later.", refused: REFUSED },
    ...{ unreadable: CHECK_PROJECT, lost: "Run again later.", starts: false },
  },
  ask: {
    ...{ key: "assistant", scope: null },
    missing: CHECK_DOMAIN,
    limited: `The service allows 10,000 questions per hour for an organization, and 10,000 per day for an IP address. ${WAIT_LONGER}`,
    refused: `The service refused the question. Correct what its message names. ${CHECK_DOMAIN}`,
    ...{ unreadable: CHECK_DOMAIN, lost: ASK_AGAIN, starts: false },
  },
};

/**
 * The error that a failed request ends the run with.
 *
 * @param error what the service or the network did
 * @param operation decides whether a lost request may have started something
 */
export function explain(error: ServiceError, operation: Operation): ActionError {
  const [kind, advice] = meaningOf(error, ADVICE[operation]);
  return new ActionError(kind, sentence(error.message), advice, { cause: error });
}

function meaningOf(
  error: ServiceError,
  advice: Advice,
): [kind: ActionError["kind"], advice: string] {
  const { failure } = error;
  switch (failure.type) {
    case "redirect":
      return [
        "invalid-response",
        "Redirects are not followed, because they would send the key to another address. Set `base-url` to the final URL.",
      ];
    case "unreadable":
      return ["invalid-response", advice.unreadable];
    case "unreached":
      return [
        "service-unavailable",
        "The service received nothing. Check `base-url` and the runner's network or proxy, then run again.",
      ];
    case "stopped":
    case "lost":
      return [advice.starts ? "create-uncertain" : "service-unavailable", advice.lost];
    case "status":
      break;
  }
  const { status, keyKind = null } = failure;
  if (status === 401) return ["unauthorized", adviceOnKey(advice.key, keyKind)];
  if (status === 403) return ["forbidden", adviceOnAccess(advice)];
  if (status === 404 || status === 410) return ["not-found", advice.missing];
  if (status === 429) return ["rate-limited", advice.limited];
  if (advice.starts && wasTurnedAway(error)) {
    return [
      "service-unavailable",
      "The service temporarily refused the request, so nothing was started. Run again later.",
    ];
  }
  if (status >= 500 || status === 408 || status === 425) {
    return [advice.starts ? "create-uncertain" : "service-unavailable", advice.lost];
  }
  return ["bad-request", advice.refused];
}

/** @param given what the prefix of the key tells */
function adviceOnKey(needed: KeyKind, given: ReturnType<typeof keyKindOf>): string {
  const prefix = prefixOf(needed);
  const create = `Create an ${needed} key on the API keys page of the service's dashboard, and save it as the secret that \`api-key\` reads.`;
  if (given === null) {
    return `\`api-key\` does not begin with \`${prefix}\`, as Mintlify's ${needed} keys do. Check that the secret holds an ${needed} key, complete and with nothing else. If the key is of another service, check on its dashboard that the key has not expired.`;
  }
  if (given !== needed) {
    return `\`api-key\` begins as an ${given} key does, and this action needs an ${needed} key. ${create}`;
  }
  const owner = needed === "admin" ? "`project-id`" : "`domain`";
  return `\`api-key\` begins as an ${needed} key does, so look for it on the API keys page of the service's dashboard. If it is not there, it was deleted, or it belongs to another organization than ${owner}. If it has expired (after 90 days by default) or was deleted, create a new one, and save it as the secret that \`api-key\` reads.`;
}

function adviceOnAccess({ scope }: Advice): string {
  const scopes = scope === null ? "" : ` that it has the scope \`${scope}\`, and`;
  return `The service knows the key, but does not let it do this. On the API keys page of its dashboard, check${scopes} that its IP allow-list is empty or contains the runner's address. The addresses of GitHub-hosted runners change.`;
}

/**
 * The error for polls that have failed for too long.
 *
 * @param failing milliseconds since the first that failed
 */
export function explainUnavailable(error: ServiceError, failing: number): ActionError {
  const what = `${sentence(error.message)} Polls have failed for ${duration(failing)}.`;
  return new ActionError("service-unavailable", what, STILL_RUNNING, { cause: error });
}
