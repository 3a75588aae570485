import * as z from "zod/mini";
import type { ActionError, ErrorKind } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import { type EndedJob, hasPullRequest, type Job } from "../service/agent.ts";
import { apartIn } from "../service/errors.ts";
import { safeLink } from "../text/link.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import {
  type LimitText,
  NO_CHANGES,
  STILL_RUNNING_AT_LIMIT,
  STOPPED,
  TAKE_UP,
  UNEXPLAINED,
  UNKNOWN_AT_LIMIT,
} from "./result-text.ts";
import type { RequestState } from "./send.ts";

/** How a run ended. {@link stepResultOf} decides what that means for the step. */
export type Outcome =
  /** The job has ended. `mayGetPull`: it has no pull request by one poll alone, and the link may come late. */
  | { type: "ended"; job: EndedJob; mayGetPull: boolean }
  /** The job had not ended at the time limit, or the run does not wait. */
  | { type: "running"; job: Job | null }
  /** The same, but the job may have ended: the last poll failed, or returned a record that may be old. */
  | { type: "unknown"; job: Job | null }
  /** The run failed, or was cancelled. */
  | { type: "error"; job: Job | null; request: RequestState; error: ActionError };

/** The inputs that decide what an outcome means for the step. */
export interface Policy extends EndPolicy {
  wait: boolean;
  /** How long the run waits, in milliseconds. */
  timeout: number;
  ifTimeout: "error" | "warn";
}

/** What a job that ends without a pull request may mean for the step. */
export const IF_NO_CHANGES = ["ignore", "warn", "error"] as const;

/** The part of a policy that counts for a job that has ended. Status comments store it. */
export const endPolicy = z.object({ ifNoChanges: z.enum(IF_NO_CHANGES) });
export type EndPolicy = z.infer<typeof endPolicy>;

/** For runs whose workflow sets nothing else. */
export const DEFAULT_END_POLICY: EndPolicy = { ifNoChanges: "ignore" };

export function endPolicyOf({ ifNoChanges }: Policy): EndPolicy {
  return { ifNoChanges };
}

/**
 * The policy of a run that finishes what another one began.
 *
 * @param stored null for the defaults
 */
export function finishingPolicy(stored: EndPolicy | null): Policy {
  const { ifNoChanges } = stored ?? DEFAULT_END_POLICY;
  return { wait: true, timeout: 0, ifTimeout: "error", ifNoChanges };
}

export type Severity = "ok" | "warning" | "error";

const SEVERITIES = { ignore: "ok", warn: "warning", error: "error" } as const;

/** What an outcome means for the step, and the text about it. */
export type StepResult = (
  | { severity: "ok" | "warning"; kind: null }
  /** The step fails. */
  | { severity: "error"; kind: ErrorKind }
) &
  ResultText;

export interface ResultText {
  /** A few words, for a heading. */
  headline: string;
  /** What happened. Written by the action; null if the headline is enough. */
  detail: string | null;
  /** What happened, in text that may come from outside; null if there is none. */
  quote: string | null;
  /** What to do next. Written by the action; null if there is nothing to do. */
  advice: string | null;
}

/** A result as a comment shows it. */
export interface ShownResult extends ResultText {
  /** The request that failed, which the quotation leaves out; null for none. */
  request: string | null;
}

/** A result for readers, who need no request. */
export function shownResultOf<R extends ResultText>(result: R, outcome: Outcome): R & ShownResult {
  const apart = outcome.type === "error" ? apartIn(outcome.error) : null;
  if (result.quote === null || apart === null) return { ...result, request: null };
  return { ...result, quote: sentence(apart.said), request: apart.request };
}

/** What an outcome means for the step. */
export function stepResultOf(outcome: Outcome, policy: Policy): StepResult {
  switch (outcome.type) {
    case "ended":
      return resultAtEnd(outcome.job, policy);
    case "running":
      return policy.wait ? resultAtLimit(STILL_RUNNING_AT_LIMIT, policy) : NOT_WAITED;
    case "unknown":
      return policy.wait ? resultAtLimit(UNKNOWN_AT_LIMIT, policy) : POLLED_WITHOUT_STATUS;
    case "error":
      return resultOfError(outcome);
  }
}

/** The URL of a job's pull request, if it has one that is safe to show. */
export function linkOf(job: Job | null): string | null {
  const prLink = job?.prLink ?? null;
  return prLink === null ? null : safeLink(prLink);
}

/** Warns of a pull request whose URL is not shown. */
export function warnOfHiddenLink(job: Job | null, log: Log): void {
  if (job === null || !hasPullRequest(job) || linkOf(job) !== null) return;
  log.warning(
    [
      `Job ${job.id}: There is a pull request, but its URL is not shown,`,
      "because it is not an `https:` URL of at most 2,000 characters.",
      "You'll find the pull request on Mintlify's dashboard.",
    ].join(" "),
  );
}

/** What a comment shows while the agent is working, whether or not the run waits for it. */
export const AT_WORK: ShownResult = {
  headline: "the agent is working",
  detail: "The result will appear here.",
  quote: null,
  advice: null,
  request: null,
};

/** The result as one text, for the log and the output `errorMessage`. */
export function resultMessage({ quote, detail, advice }: StepResult): string {
  const parts = [quote === null ? null : sentence(quote), detail, advice];
  return parts.filter((part) => part !== null).join(" ");
}

function resultOfError({ request, error }: Outcome & { type: "error" }): StepResult {
  const { failed, cancelled, next } = STOPPED[request];
  if (error.kind === "cancelled") {
    return {
      severity: "error",
      kind: "cancelled",
      headline: "cancelled",
      detail: cancelled,
      quote: null,
      advice: next,
    };
  }
  const advice = error.advice === null && request === "accepted" ? TAKE_UP : error.advice;
  return {
    severity: "error",
    kind: error.kind,
    headline: failed,
    detail: null,
    quote: error.problem,
    advice,
  };
}

function resultAtEnd(job: EndedJob, policy: Policy): StepResult {
  if (job.status === "failed") {
    const { problem, advice } = job.failure ?? UNEXPLAINED;
    return {
      severity: "error",
      kind: "job-failed",
      headline: "the job failed",
      detail: problem,
      quote: job.message,
      advice,
    };
  }
  if (job.status === "archived") {
    return {
      severity: "warning",
      kind: null,
      headline: "the job was archived",
      detail: "An archived job does not continue, even if its work is not done.",
      quote: null,
      advice: hasPullRequest(job) ? null : "If the work is still needed, start a new job.",
    };
  }
  // It is unknown whether the pull request existed before a follow-up, so the wording covers both cases.
  if (hasPullRequest(job)) {
    return {
      severity: "ok",
      kind: null,
      headline: "completed with a pull request",
      detail: null,
      quote: null,
      advice: "Review it before you merge it.",
    };
  }
  const severity = SEVERITIES[policy.ifNoChanges];
  return { ...severityWithKind(severity, "no-changes"), ...NO_CHANGES };
}

const NOT_WAITED: StepResult = {
  severity: "ok",
  kind: null,
  headline: AT_WORK.headline,
  detail: "This run does not wait for the job to end.",
  quote: null,
  advice: TAKE_UP,
};

const POLLED_WITHOUT_STATUS: StepResult = {
  severity: "warning",
  kind: null,
  headline: "the job's status is unknown",
  detail: [
    "The job was polled once, because `wait` is `false`:",
    "the poll failed, or the service still returned the job's record from before the follow-up.",
  ].join(" "),
  quote: null,
  advice: TAKE_UP,
};

function resultAtLimit(
  { headline, detail, advice }: LimitText,
  { ifTimeout, timeout }: Policy,
): StepResult {
  return {
    ...severityWithKind(SEVERITIES[ifTimeout], "timeout"),
    headline,
    detail: detail(waitLimit(timeout)),
    quote: null,
    advice,
  };
}

/** @param kind counts only if the step fails */
function severityWithKind(severity: Severity, kind: ErrorKind) {
  return severity === "error" ? { severity, kind } : { severity, kind: null };
}

/** The time limit as sentences name it. @param timeout in milliseconds */
export function waitLimit(timeout: number): string {
  return `${duration(timeout)}, the limit set by \`timeout-minutes\``;
}
