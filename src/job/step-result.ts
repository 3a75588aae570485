import type { ErrorKind } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import { sentence } from "../text/sentence.ts";
import type { Outcome } from "./outcome.ts";
import type { RequestState } from "./request-state.ts";
import { waitLimit } from "./wait-limit.ts";

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
  const judged = judge(outcome, policy);
  if (pullRequestOf(outcome.job).type !== "hidden") return judged;
  return { ...judged, what: judged.what === "" ? HIDDEN : `${judged.what} ${HIDDEN}` };
}

function judge(outcome: Outcome, policy: Policy): StepResult {
  switch (outcome.type) {
    case "ended":
      return ended(outcome.job, policy);
    case "not-waited":
      return notWaited(outcome);
    case "timed-out":
      return timedOut(outcome, policy);
    case "cancelled":
      return cancelled(outcome.id, outcome.request);
    case "error": {
      const { kind, what, advice } = outcome.error;
      const isFollowed = outcome.request === "accepted" && kind !== "not-found";
      const next = isFollowed ? takeUp(outcome.id) : "";
      const headline = errorHeadline(outcome.id, outcome.request, kind);
      return { ...result("error", kind, headline, "", advice || next), quote: what };
    }
  }
}

const AT_WORK = "the agent is at work";

/** What a run tells while the agent is at work. @param isWaiting whether the run waits for the end */
export function resultAtWork(isWaiting: boolean): StepResult {
  const what = isWaiting ? "This comment is edited when the job ends." : "";
  return result("ok", "", AT_WORK, what, "");
}

/**
 * What the comment about a request tells once the job has been sent another one.
 *
 * @param newest address of the newest comment about the job
 */
export function resultSuperseded(newest: string): StepResult {
  const link = safeLink(newest);
  const shown = link === null ? "newest comment" : `[newest comment](${link})`;
  const what = `The job was sent a further request before anybody looked how this one had ended. The ${shown} about the job tells how it ends.`;
  return result("ok", "", "the job went on with a further request", what, "");
}

/** The result as one text, for the log and the output `errorMessage`. */
export function messageOf({ quote, what, advice }: StepResult): string {
  return [sentence(quote), what, advice].filter((part) => part !== "").join(" ");
}

/** @param id the job's; empty for one that was to be created */
function errorHeadline(id: string, request: RequestState, kind: ErrorKind): string {
  if (request === "accepted") return "the job could not be followed";
  if (request === "refused" && kind !== "create-uncertain") {
    return id === "" ? "no job could be started" : "the follow-up was not accepted";
  }
  return id === ""
    ? "it is not known whether a job was started"
    : "it is not known whether the follow-up was received";
}

/** What is known of a failure that the service does not explain. */
const UNEXPLAINED = {
  what: "The agent met an error that it could not recover from.",
  advice:
    "Look at the job on the service's dashboard. A prompt that names the pages to change, or a smaller task, often helps.",
};

/** What a record says of the job's pull request; `hidden`: its address may not be shown. */
export type PullRequest =
  | { type: "none" }
  | { type: "shown"; link: string }
  | { type: "hidden"; given: string };

export function pullRequestOf(job: Job | null): PullRequest {
  const given = job?.prLink ?? "";
  if (given.trim() === "") return { type: "none" };
  const link = safeLink(given);
  return link === null ? { type: "hidden", given } : { type: "shown", link };
}

const HIDDEN =
  "There is a pull request, whose address cannot be shown safely: it is not an `https:` address of at most 2,000 characters. You'll find the pull request on the service's dashboard.";

function ended(job: Job, policy: Policy): StepResult {
  const hasPullRequest = pullRequestOf(job).type !== "none";
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
        "The job was archived: it is at its end, whether or not its work was done.",
        hasPullRequest ? "" : "Start a new one if its work is still wanted.",
      );
    default:
      // Whether the pull request was there before a follow-up is not known: the words fit both.
      return hasPullRequest
        ? result("ok", "", "completed with a pull request", "", "")
        : noChanges(policy.ifNoChanges);
  }
}

function noChanges(ifNoChanges: Policy["ifNoChanges"]): StepResult {
  const severity = ({ ignore: "ok", warn: "warning", error: "error" } as const)[ifNoChanges];
  return result(
    severity,
    "no-changes",
    "completed without a pull request",
    "The job completed without a pull request: the agent found nothing to change, or it committed directly, as it does where the service hosts the repository.",
    "",
  );
}

function notWaited({ id, known }: Outcome & { type: "not-waited" }): StepResult {
  if (known !== "nothing") return result("ok", "", AT_WORK, "", takeUp(id));
  return result(
    "warning",
    "",
    "it is not known how the job stands",
    "The job was polled once, because `wait` is `false`, and the poll failed.",
    takeUp(id),
  );
}

function timedOut(outcome: Outcome & { type: "timed-out" }, { ifTimeout }: Policy): StepResult {
  const severity = ifTimeout === "warn" ? "warning" : "error";
  const limit = waitLimit(outcome.timeout);
  const told = (headline: string, what: string, first: string) =>
    result(severity, "timeout", headline, what, `${first} ${takeUp(outcome.id)}`);

  const unknown = "not known to have ended at the time limit";
  const mayGoOn = "It may go on at the service.";
  switch (outcome.known) {
    case "running":
      return told(
        "still running at the time limit",
        `The job was still running after ${limit}.`,
        "It goes on at the service.",
      );
    case "old-end":
      return told(
        unknown,
        `After ${limit}, the job's record was still the one from before the follow-up: it is not known whether the agent is done with it.`,
        mayGoOn,
      );
    case "nothing":
      return told(
        unknown,
        `After ${limit}, it is not known whether the job has ended: the last poll failed.`,
        mayGoOn,
      );
  }
}

/** @param id the job's; empty for one that was to be created */
function cancelled(id: string, request: RequestState): StepResult {
  const [what, advice] = cancelledWords(id, request);
  return result("error", "cancelled", "cancelled", what, advice);
}

function cancelledWords(id: string, request: RequestState): [what: string, advice: string] {
  const isFollowUp = id !== "";
  switch (request) {
    case "accepted":
      return ["This workflow run was cancelled. The job goes on at the service.", takeUp(id)];
    case "uncertain":
      return isFollowUp
        ? [
            "This workflow run was cancelled while a follow-up was being sent: the job may have received it.",
            "Look at the job on the service's dashboard before you run again.",
          ]
        : [
            "This workflow run was cancelled while a job was being started: there may be one.",
            "Look at the service's dashboard before you run again.",
          ];
    case "refused":
      return isFollowUp
        ? ["This workflow run was cancelled before the follow-up was accepted.", ""]
        : ["This workflow run was cancelled before a job was started.", ""];
  }
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
