import type { RequestState } from "./send.ts";

/** How to wait for a job in a later run. */
export const TAKE_UP = "To wait for the job, run the action with its ID as `job-id` and no prompt.";

/** The headline of an error, and the texts about a run that was cancelled, by the state of its request. */
export const STOPPED: Record<RequestState, Record<"failed" | "cancelled" | "next", string>> = {
  accepted: {
    failed: "the job could not be polled to its end",
    cancelled: "This workflow run was cancelled. The job continues on the service.",
    next: TAKE_UP,
  },
  refused: {
    failed: "nothing was started",
    cancelled: "This workflow run was cancelled before the service accepted the request.",
    next: "If the request is still needed, run the workflow again.",
  },
  uncertain: {
    failed: "the service may have received the request",
    cancelled:
      "This workflow run was cancelled while the request was being sent. The service may have received it.",
    next: "Check Mintlify's dashboard before you run again.",
  },
};

/** The text about a failure that the service does not explain. */
export const UNEXPLAINED = {
  problem: "The agent encountered an unrecoverable error.",
  advice: [
    "Check the job on Mintlify's dashboard.",
    "A smaller task, or a prompt that names the pages to change, often helps.",
  ].join(" "),
};

/** A job that ended without a pull request. */
export const NO_CHANGES = {
  headline: "completed without a pull request",
  detail: [
    "The agent may have found nothing to change or, if the service hosts the documentation's repository,",
    "have committed directly.",
  ].join(" "),
  quote: null,
  advice: [
    "If you expected a change, look at the job on Mintlify's dashboard.",
    "A request that names the page and the change often helps.",
  ].join(" "),
};

/** The texts about a job at the time limit. */
export interface LimitText {
  headline: string;
  /** @param limit the time limit as sentences name it */
  detail: (limit: string) => string;
  advice: string;
}

export const STILL_RUNNING_AT_LIMIT: LimitText = {
  headline: "still running at the time limit",
  detail: (limit) => `The job was still running after ${limit}.`,
  advice: `It continues on the service. ${TAKE_UP}`,
};

export const UNKNOWN_AT_LIMIT: LimitText = {
  headline: "status unknown at the time limit",
  detail: (limit) =>
    [
      `After ${limit}, it is unknown whether the agent has finished: the last poll failed,`,
      "or the service still returned the job's record from before the follow-up.",
    ].join(" "),
  advice: `It may continue on the service. ${TAKE_UP}`,
};
