import type { ActionError, ErrorKind } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Job } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { RequestState } from "./send.ts";

/** How a run ended. {@link resultOf} decides what that means for the step. */
export type Outcome =
  /** The job has ended. */
  | { type: "ended"; job: Job }
  /** The job has not ended within the time limit, or the run does not wait. It may have ended if `isRunning` is false. */
  | { type: "pending"; job: Job | null; isRunning: boolean }
  /** The run failed, or was cancelled. */
  | { type: "error"; job: Job | null; request: RequestState; error: ActionError };

/** The inputs that decide what an outcome means for the step. */
export interface Policy {
  wait: boolean;
  /** How long the run waits, in milliseconds. */
  timeout: number;
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
}

/** The part of a policy that counts for a job that has ended. Status comments store it. */
export type EndPolicy = Pick<Policy, "ifNoChanges">;

export function endPolicyOf({ ifNoChanges }: Policy): EndPolicy {
  return { ifNoChanges };
}

/**
 * The policy of a run that finishes what another one began.
 *
 * @param stored null for the defaults
 */
export function finishingPolicy(stored: EndPolicy | null): Policy {
  const ifNoChanges = stored?.ifNoChanges ?? "ignore";
  return { wait: true, timeout: 0, ifTimeout: "error", ifNoChanges };
}

export type Severity = "ok" | "warning" | "error";

const SEVERITIES = { ignore: "ok", warn: "warning", error: "error" } as const;

/** What an outcome means for the step, and the text about it. */
export interface StepResult {
  severity: Severity;
  /** Set if and only if the step fails. */
  kind: ErrorKind | "";
  /** A few words, for a heading. */
  headline: string;
  /** What happened. Written by the action; empty if the headline is enough. */
  what: string;
  /** What happened. May contain text from outside; otherwise empty. */
  quote: string;
  /** What to do next. Written by the action. */
  advice: string;
}

/** What an outcome means for the step. */
export function resultOf(outcome: Outcome, policy: Policy): StepResult {
  if (outcome.type === "ended") return ended(outcome.job, policy);
  if (outcome.type !== "pending") return stopped(outcome);
  return policy.wait ? timedOut(outcome.isRunning, policy) : notWaited(outcome.isRunning);
}

/** Whether a job's record names a pull request, even if its URL is not safe to show. */
function hasPullRequest(job: Job | null): boolean {
  return (job?.prLink ?? "").trim() !== "";
}

/** The URL of a job's pull request, if it has one that is safe to show. */
export function linkOf(job: Job | null): string | null {
  return safeLink(job?.prLink ?? "");
}

/** Warns of a pull request whose URL is not shown. */
export function warnOfHiddenLink(job: Job | null, log: Pick<Log, "warning">): void {
  if (job === null || !hasPullRequest(job) || linkOf(job) !== null) return;
  log.warning(
    `Job ${job.id}: There is a pull request, but its URL is not shown, because it is not an \`https:\` URL of at most 2,000 characters. You'll find the pull request on the service's dashboard.`,
  );
}

/** The result to show while the agent is working. @param isWaiting whether the run waits for the end */
export function resultAtWork(isWaiting: boolean): StepResult {
  const what = isWaiting
    ? "This comment will be updated when the job ends."
    : "This run does not wait for the job to end.";
  return result("ok", "", "the agent is working", what, "");
}

/** The result as one text, for the log and the output `errorMessage`. */
export function messageOf({ quote, what, advice }: StepResult): string {
  return [sentence(quote), what, advice].filter((part) => part !== "").join(" ");
}

const TAKE_UP = "To wait for the job, run the action with its ID as `job-id` and no prompt.";

/** The headline of an error, and the texts about a run that was cancelled, by the state of its request. */
const STOPPED: Record<RequestState, Record<"failed" | "cancelled" | "next", string>> = {
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
    next: "Check the service's dashboard before you run again.",
  },
};

function stopped({ request, error }: Outcome & { type: "error" }): StepResult {
  const { failed, cancelled, next } = STOPPED[request];
  const { kind, what, advice } = error;
  if (kind === "cancelled") return result("error", kind, "cancelled", cancelled, next);
  const known = advice || (request === "accepted" ? TAKE_UP : "");
  return { ...result("error", kind, failed, "", known), quote: what };
}

/** The text about a failure that the service does not explain. */
const UNEXPLAINED = {
  what: "The agent encountered an unrecoverable error.",
  advice:
    "Check the job on the service's dashboard. A smaller task, or a prompt that names the pages to change, often helps.",
};

function ended(job: Job, policy: Policy): StepResult {
  if (job.status === "failed") {
    const { what, advice } = job.failure ?? UNEXPLAINED;
    const failure = result("error", "job-failed", "the job failed", what, advice);
    return { ...failure, quote: job.message ?? "" };
  }
  if (job.status === "archived") {
    const what = "The job was archived. It will not continue, even if its work is not done.";
    const advice = hasPullRequest(job) ? "" : "If the work is still needed, start a new job.";
    return result("warning", "", "the job was archived", what, advice);
  }
  // It is unknown whether the pull request existed before a follow-up, so the wording covers both cases.
  if (hasPullRequest(job)) {
    const advice = "Review it before you merge it.";
    return result("ok", "", "completed with a pull request", "", advice);
  }
  return result(
    SEVERITIES[policy.ifNoChanges],
    "no-changes",
    "completed without a pull request",
    "The agent finished its work and opened no pull request.",
    "If you expected a change, open the job on the service's dashboard to see what the agent did. It may have found nothing to change or, if the service hosts the documentation's repository, have committed directly. A request that names the page and the change often helps.",
  );
}

function notWaited(isRunning: boolean): StepResult {
  if (isRunning) return { ...resultAtWork(false), advice: TAKE_UP };
  const what = "The job was polled once, because `wait` is `false`, and the poll failed.";
  return result("warning", "", "the job's status is unknown", what, TAKE_UP);
}

function timedOut(isRunning: boolean, { ifTimeout, timeout }: Policy): StepResult {
  const limit = waitLimit(timeout);
  const [headline, what, continues] = isRunning
    ? ["still running", `The job was still running after ${limit}.`, "continues"]
    : [
        "status unknown",
        `After ${limit}, it is unknown whether the agent has finished: the last poll failed, or the service still returned the job's record from before the follow-up.`,
        "may continue",
      ];
  const advice = `It ${continues} on the service. ${TAKE_UP}`;
  return result(SEVERITIES[ifTimeout], "timeout", `${headline} at the time limit`, what, advice);
}

function result(
  severity: Severity,
  kind: ErrorKind | "",
  headline: string,
  what: string,
  advice: string,
): StepResult {
  return { severity, kind: severity === "error" ? kind : "", headline, what, quote: "", advice };
}

/** The time limit as sentences name it. @param timeout in milliseconds */
export function waitLimit(timeout: number): string {
  return `${duration(timeout)}, the limit set by \`timeout-minutes\``;
}
