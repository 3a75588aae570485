import { ActionError, type ErrorKind } from "../runtime/errors.ts";
import {
  isFromBetween,
  isOutOfCredits,
  type ServiceError,
  wasTurnedAway,
} from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";

/** What a request is for, and what a person can do if it fails. */
export interface Operation {
  /** What the service may start because of it. Such a request is not repeated once the service may have received it. */
  starts: "job" | "message" | "nothing";
  /** Whether it is repeated even if the service may have received it. */
  isRepeatable: boolean;
  /** The kind of key that the service requires. */
  keyType: "admin" | "assistant";
  /** The input that names what the key must belong to. */
  keyOwner: string;
  /** What to check if the service refuses the request. */
  check: string;
  /** What to check if the key may not do it. Default: the key's scope and its allow-list. */
  forbidden?: string;
  /** What to do at the service's limit. */
  limited: string;
  /** What to do after a lost answer. */
  lost: string;
}

export const WAIT_LONGER =
  "Run again later, or increase `timeout-minutes` so that the action can wait longer.";
const JOB_LIMIT = `The service allows 100 uses per project per hour, including follow-up messages. ${WAIT_LONGER}`;
const CHECK_JOB = "Check `job-id` and `project-id`.";
export const CHECK_PROJECT = "Check `project-id`, and `base-url` if you set it.";
const STILL_RUNNING = "The job may still be running: run again with its `job-id` to wait for it.";

const OF_PROJECT = { keyType: "admin", keyOwner: "`project-id`" } as const;

/** A request that reads a job. */
export const POLL: Operation = {
  ...OF_PROJECT,
  starts: "nothing",
  isRepeatable: true,
  check: CHECK_JOB,
  limited: JOB_LIMIT,
  lost: STILL_RUNNING,
};

/** A request that starts a job. */
export const CREATE: Operation = {
  ...OF_PROJECT,
  starts: "job",
  isRepeatable: false,
  check: CHECK_PROJECT,
  limited: JOB_LIMIT,
  lost: [
    "a job may have been started. Before you run again, check Mintlify's dashboard.",
    "If the job exists, run the action with its `job-id`.",
  ].join(" "),
};

/** A request that sends a further instruction to a job. */
export const MESSAGE: Operation = {
  ...OF_PROJECT,
  starts: "message",
  isRepeatable: false,
  check: CHECK_JOB,
  limited: JOB_LIMIT,
  lost: [
    "the job may be working on it. Before you send it again,",
    "run the action with `job-id` and no prompt to see what the job does.",
  ].join(" "),
};

const RUN_LATER = "Run again later.";

/** A request that reads a page of a project's jobs. */
export const LIST: Operation = {
  ...OF_PROJECT,
  starts: "nothing",
  isRepeatable: true,
  check: CHECK_PROJECT,
  limited: RUN_LATER,
  lost: RUN_LATER,
};

/** Whether a request may start something, and is therefore not repeated. */
export function isStart({ starts }: Operation): boolean {
  return starts !== "nothing";
}

/** The error with which a failed request ends the run. @param operation what the request was for */
export function explainFailure(error: ServiceError, operation: Operation): ActionError {
  const { kind, advice } = explanationOf(error, operation);
  return new ActionError(kind, sentence(error.message), advice, { cause: error });
}

const REDIRECT =
  "Redirects are not followed, because they would send the key to another address. Set `base-url` to the final URL.";
const UNREACHED =
  "The service received nothing. Check `base-url` and the runner's network or proxy, then run again.";
const FORBIDDEN = [
  "The service knows the key, but does not let it do this.",
  "On the API keys page of its dashboard, check that the key has the scope that this needs",
  "(`read`, or `write` to start jobs and for follow-ups),",
  "and that its IP allow-list is empty or contains the runner's address.",
  "The addresses of GitHub-hosted runners change.",
].join(" ");
const NO_CREDITS =
  "Nothing was started. Add credits to the service's plan, or wait for the next month's. Then run again.";
const FROM_BETWEEN =
  "This is not the service's own answer, which is JSON with `error`: something between, such as a proxy or a " +
  "firewall, refused the request. Look for words in what was sent that its rules refuse. Check `base-url` and the " +
  "runner's proxy, too.";
const STILL_BUSY =
  "The job is still at work on what it got before. Send this again when it has ended, or start a new job: with " +
  "`--new` right after the phrase, or without `job-id`.";
const TURNED_AWAY =
  "The service temporarily refused the request, so nothing was started. Run again later.";

/** What a failure means, and what to do about it. */
function explanationOf(
  error: ServiceError,
  operation: Operation,
): { kind: ErrorKind; advice: string } {
  const { failure } = error;
  switch (failure.type) {
    case "stopped":
      return {
        kind: "cancelled",
        advice: isStart(operation) ? "The next run continues." : operation.lost,
      };
    case "unreadable":
      return {
        kind: "invalid-response",
        advice: isStart(operation)
          ? `The request was accepted, so ${operation.lost}`
          : operation.check,
      };
    case "unreached":
      return { kind: "service-unavailable", advice: UNREACHED };
    case "lost":
      return unansweredExplanation(operation);
    case "status":
      if (isOutOfCredits(failure)) return { kind: "out-of-credits", advice: NO_CREDITS };
      if (isFromBetween(failure)) return { kind: "bad-request", advice: FROM_BETWEEN };
      return statusExplanation(failure.status, wasTurnedAway(error), operation);
  }
}

/** For a request whose result is unknown. */
function unansweredExplanation(operation: Operation): ReturnType<typeof explanationOf> {
  return isStart(operation)
    ? { kind: "create-uncertain", advice: `The request was not sent again: ${operation.lost}` }
    : { kind: "service-unavailable", advice: operation.lost };
}

function statusExplanation(
  status: number,
  isTurnedAway: boolean,
  operation: Operation,
): ReturnType<typeof explanationOf> {
  const { check, forbidden = FORBIDDEN, limited } = operation;
  if (status < 400) return { kind: "invalid-response", advice: REDIRECT };
  if (status === 401) return { kind: "unauthorized", advice: keyAdvice(operation) };
  if (status === 403) return { kind: "forbidden", advice: forbidden };
  if (status === 404 || status === 410) return { kind: "not-found", advice: check };
  if (status === 429) return { kind: "rate-limited", advice: limited };
  if (isStart(operation) && isTurnedAway) {
    return { kind: "service-unavailable", advice: TURNED_AWAY };
  }
  if (status === 409 && operation.starts === "message") {
    return { kind: "bad-request", advice: STILL_BUSY };
  }
  if (status >= 500 || status === 408 || status === 425) return unansweredExplanation(operation);
  return {
    kind: "bad-request",
    advice: `The service refused the request. Correct what its message names. ${check}`,
  };
}

function keyAdvice({ keyType, keyOwner }: Operation): string {
  return [
    `\`api-key\` must be an ${keyType} key, complete and with nothing else.`,
    "(Mintlify's assistant keys begin with `mint_dsc_`, admin keys only with `mint_`.)",
    "Look for it on the API keys page of Mintlify's dashboard.",
    `If it is not there, it was deleted, or it belongs to another organization than ${keyOwner}.`,
    "If it has expired (after 90 days by default) or was deleted,",
    "create a new one, and save it as the secret that the workflow passes.",
  ].join(" ");
}
