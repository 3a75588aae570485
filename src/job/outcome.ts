import type { ActionError, ErrorKind } from "../errors.ts";
import type { Job } from "../service/agent.ts";
import { duration } from "../text/markdown.ts";

/** How a run came out, before anyone judges what it means for the step. */
export type Ending =
  /** The job is at an end. */
  | { type: "ended"; job: Job }
  /** The job runs, and this run was told not to wait. */
  | { type: "not-waited"; id: string; job: Job | null }
  | { type: "timed-out"; id: string; job: Job | null; timeout: number }
  /** The run was cancelled; `uncertain`: while a job was being started. */
  | { type: "cancelled"; id: string; job: Job | null; uncertain: boolean }
  | { type: "error"; id: string; job: Job | null; error: ActionError };

/** The inputs that decide what an ending means for the step. */
export interface Policy {
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
}

export type Level = "ok" | "warning" | "error";

/** What an ending means: for the step, and in words. */
export interface Verdict {
  level: Level;
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

/**
 * What an ending means for the step.
 *
 * @param hasLink whether the job has a pull request whose link can be shown
 */
export function judge(ending: Ending, policy: Policy, hasLink: boolean): Verdict {
  switch (ending.type) {
    case "ended":
      return judgeEnd(ending.job, policy, hasLink);
    case "not-waited":
      return verdict("ok", "", "the agent is at work", "", takeUp(ending.id));
    case "timed-out":
      return verdict(
        policy.ifTimeout === "warn" ? "warning" : "error",
        "timeout",
        "still running at the time limit",
        `The job was still running after ${duration(ending.timeout)}, the limit that \`timeout-minutes\` sets.`,
        `It goes on at the service. ${takeUp(ending.id)}`,
      );
    case "cancelled":
      return judgeCancelled(ending.id, ending.uncertain);
    case "error": {
      const { kind, what, advice } = ending.error;
      const next = ending.id === "" || kind === "not-found" ? "" : takeUp(ending.id);
      const headline =
        ending.id === "" ? "no job could be started" : "the job could not be followed";
      return {
        ...verdict("error", kind, headlineOf(kind, headline), "", advice || next),
        quote: what,
      };
    }
  }
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

function judgeEnd(job: Job, policy: Policy, hasLink: boolean): Verdict {
  switch (job.status) {
    case "failed": {
      const { what, advice } = job.failure ?? UNEXPLAINED;
      return {
        ...verdict("error", "job-failed", "the job failed", what, advice),
        quote: job.message ?? "",
      };
    }
    case "archived":
      return verdict(
        "warning",
        "",
        "the job was archived",
        "The job was archived before it completed.",
        hasLink ? "" : "Start a new one if its work is still wanted.",
      );
    default:
      return hasLink
        ? verdict("ok", "", "pull request opened", "", "")
        : judgeNoChanges(policy.ifNoChanges);
  }
}

function judgeNoChanges(ifNoChanges: Policy["ifNoChanges"]): Verdict {
  const level = ({ ignore: "ok", warn: "warning", error: "error" } as const)[ifNoChanges];
  return verdict(
    level,
    "no-changes",
    "no changes were needed",
    "The job completed without a pull request: the agent found nothing to change.",
    "",
  );
}

function judgeCancelled(id: string, uncertain: boolean): Verdict {
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
  return verdict("error", "cancelled", "cancelled", what, advice);
}

function takeUp(id: string): string {
  return id === "" ? "" : "To wait for it again, run the action with this `job-id` and no prompt.";
}

function verdict(
  level: Level,
  kind: ErrorKind | "",
  headline: string,
  what: string,
  advice: string,
): Verdict {
  return { level, kind: level === "error" ? kind : "", headline, what, quote: "", advice };
}
