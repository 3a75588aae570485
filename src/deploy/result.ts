/** What the outcome of a build means: for the step, and for the deployment on GitHub. */

import type { BuildTarget } from "../job/build.ts";
import type { BuildOutcome } from "../job/build-poll.ts";
import { type Severity, type StepResult, waitLimit } from "../job/step-result.ts";
import type { ActionError } from "../runtime/errors.ts";
import { endOfBuild } from "../service/builds.ts";

/** The states of a deployment on GitHub that this action writes. */
export type DeploymentState = "queued" | "in_progress" | "success" | "failure" | "error";

/** How a run came out. */
export type DeployOutcome =
  | BuildOutcome
  /** No build was accepted. `isRefused`: the service said no. */
  | { type: "not-started"; isRefused: boolean; error: ActionError };

/** The inputs that decide what an outcome means. */
export interface DeployPolicy {
  target: BuildTarget;
  wait: boolean;
  /** How long the run waits, in milliseconds. */
  timeout: number;
}

/** The result, and the state that the deployment on GitHub ends in; null if that stays as it is. */
export type DeployResult = StepResult & { state: DeploymentState | null };

/** What is built, as sentences begin. */
function nameOf({ target }: DeployPolicy): string {
  return target.type === "preview" ? "The preview" : "The documentation";
}

export function deployResult(outcome: DeployOutcome, policy: DeployPolicy): DeployResult {
  switch (outcome.type) {
    case "ended":
      return outcome.build.status === "success"
        ? builtResult(policy)
        : failedResult(endOfBuild(outcome.build), policy);
    case "running":
      return policy.wait ? limitResult(STILL_BUILDING, policy) : queuedResult(policy);
    case "unknown":
      return limitResult(UNKNOWN, policy);
    case "not-started":
      return notStartedResult(outcome.error, outcome.isRefused);
    case "error":
      return errorResult(outcome.error);
  }
}

/** The result to show while the build is under way. */
export function buildAtWork(policy: DeployPolicy): StepResult {
  return passed("ok", "building", `${nameOf(policy)} is being built.`);
}

function builtResult(policy: DeployPolicy): DeployResult {
  const headline = policy.target.type === "preview" ? "built" : "deployed";
  return { ...passed("ok", headline, null), state: "success" };
}

function queuedResult(policy: DeployPolicy): DeployResult {
  const detail = `${nameOf(policy)} is being built. This run does not wait for the end.`;
  return { ...passed("ok", "the build is queued", detail), state: null };
}

function failedResult(log: string, policy: DeployPolicy): DeployResult {
  return {
    severity: "error",
    kind: "build-failed",
    headline: "the build failed",
    detail: `${nameOf(policy)} could not be built.`,
    quote: log === "" ? null : log,
    advice:
      "Correct what the end of its log says, which the workflow run shows, and run again. Mintlify's dashboard shows the whole log.",
    state: "failure",
  };
}

interface LimitText {
  headline: string;
  detail: string;
}

const STILL_BUILDING: LimitText = {
  headline: "still building at the time limit",
  detail: "was still being built after",
};
const UNKNOWN: LimitText = {
  headline: "status unknown at the time limit",
  detail: "may still be building. The last poll failed after",
};

/** A time limit is not the end of the build, so that the deployment on GitHub stays as it is. */
function limitResult({ headline, detail }: LimitText, policy: DeployPolicy): DeployResult {
  return {
    severity: "error",
    kind: "timeout",
    headline,
    detail: `${nameOf(policy)} ${detail} ${waitLimit(policy.timeout)}.`,
    quote: null,
    advice:
      "The build continues on the service: check its dashboard, or run again with a higher `timeout-minutes`.",
    state: null,
  };
}

function notStartedResult(error: ActionError, isRefused: boolean): DeployResult {
  if (error.kind === "cancelled") return cancelledResult(NOT_STARTED);
  const state = isRefused ? "failure" : "error";
  return { ...ofError(error, "nothing was built"), state };
}

function errorResult(error: ActionError): DeployResult {
  if (error.kind === "cancelled") return cancelledResult(STARTED);
  return { ...ofError(error, "the build could not be polled to its end"), state: "error" };
}

/** After a signal, the service may have received the request all the same. */
const NOT_STARTED =
  "This workflow run was cancelled before the service's answer. A build may have been started.";
const STARTED = "This workflow run was cancelled. The build continues on the service.";

/** @param detail what is known of the build */
function cancelledResult(detail: string): DeployResult {
  return {
    severity: "error",
    kind: "cancelled",
    headline: "cancelled",
    detail,
    quote: null,
    advice: "Run the workflow again to build again: a second build replaces the first.",
    state: "error",
  };
}

/** The result of a run that was killed. @param isStarted whether the build was accepted */
export function killedResult(isStarted: boolean): DeployResult {
  return cancelledResult(isStarted ? STARTED : NOT_STARTED);
}

function ofError({ kind, problem, advice }: ActionError, headline: string): StepResult {
  return { severity: "error", kind, headline, detail: null, quote: problem, advice };
}

function passed(severity: Exclude<Severity, "error">, headline: string, detail: string | null) {
  return { severity, kind: null, headline, detail, quote: null, advice: null } satisfies StepResult;
}
