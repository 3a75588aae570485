import type { ErrorKind } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import { duration } from "../text/markdown.ts";
import type { Outcome } from "./outcome.ts";

/** The inputs that decide what an outcome means for the step. */
export interface Policy {
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
}

export type Severity = "ok" | "warning" | "error";

/** What an outcome means: for the step, and in words. */
export interface StepResult {
  severity: Severity;
  /** Set exactly when the step fails. */
  kind: ErrorKind | "";
  /** A few words, for a heading. */
  headline: string;
  /** What happened, in words of the action's own; empty when the headline says it all. */
  what: string;
  /** What happened, in words that may come from outside; else empty. */
  quote: string;
  /** What to do next: text of the action's own. */
  advice: string;
}

/** What an outcome means for the step. */
export function resultOf(outcome: Outcome, policy: Policy): StepResult {
  switch (outcome.type) {
    case "ended":
      return ended(outcome.job, policy);
    case "not-waited":
      return result("ok", "", "the agent is at work", "", takeUp(outcome.id));
    case "timed-out":
      return result(
        policy.ifTimeout === "warn" ? "warning" : "error",
        "timeout",
        "still running at the time limit",
        `The job was still running after ${duration(outcome.timeout)}, the limit that \`timeout-minutes\` sets.`,
        `It goes on at the service. ${takeUp(outcome.id)}`,
      );
    case "cancelled":
      return cancelled(outcome.id, outcome.uncertain);
    case "error": {
      const { kind, what, advice } = outcome.error;
      const next = outcome.id === "" || kind === "not-found" ? "" : takeUp(outcome.id);
      const headline =
        outcome.id === "" ? "no job could be started" : "the job could not be followed";
      return {
        ...result("error", kind, headlineOf(kind, headline), "", advice || next),
        quote: what,
      };
    }
  }
}

/** The result as one text, for the log and the output `errorMessage`. */
export function messageOf({ quote, what, advice }: StepResult): string {
  return [quote, what, advice].filter((part) => part !== "").join(" ");
}

function headlineOf(kind: ErrorKind, otherwise: string): string {
  return kind === "create-uncertain" ? "it is not known whether a job was started" : otherwise;
}

/** What is known of a failure that the service does not explain. */
const UNEXPLAINED = {
  what: "The agent met an error that it could not recover from.",
  advice:
    "Look at the job on the service's dashboard. A prompt that names the pages to change, or a smaller task, often helps.",
};

function ended(job: Job, policy: Policy): StepResult {
  const hasLink = safeLink(job.prLink ?? "") !== null;
  switch (job.status) {
    case "failed": {
      const { what, advice } = job.failure ?? UNEXPLAINED;
      return {
        ...result("error", "job-failed", "the job failed", what, advice),
        quote: job.message ?? "",
      };
    }
    case "archived":
      return result(
        "warning",
        "",
        "the job was archived",
        "The job was archived before it completed.",
        hasLink ? "" : "Start a new one if its work is still wanted.",
      );
    default:
      return hasLink
        ? result("ok", "", "pull request opened", "", "")
        : noChanges(policy.ifNoChanges);
  }
}

function noChanges(ifNoChanges: Policy["ifNoChanges"]): StepResult {
  const severity = ({ ignore: "ok", warn: "warning", error: "error" } as const)[ifNoChanges];
  return result(
    severity,
    "no-changes",
    "no changes were needed",
    "The job completed without a pull request: the agent found nothing to change.",
    "",
  );
}

function cancelled(id: string, uncertain: boolean): StepResult {
  const what =
    id !== ""
      ? "This workflow run was cancelled. The job goes on at the service."
      : uncertain
        ? "This workflow run was cancelled while a job was being started: there may be one."
        : "This workflow run was cancelled before a job was started.";
  const advice =
    id !== ""
      ? takeUp(id)
      : uncertain
        ? "Look at the service's dashboard before you run again."
        : "";
  return result("error", "cancelled", "cancelled", what, advice);
}

function takeUp(id: string): string {
  return id === "" ? "" : "To wait for it again, run the action with this `job-id` and no prompt.";
}

function result(
  severity: Severity,
  kind: ErrorKind | "",
  headline: string,
  what: string,
  advice: string,
): StepResult {
  const failed = severity === "error";
  return { severity, kind: failed ? kind : "", headline, what, quote: "", advice };
}
