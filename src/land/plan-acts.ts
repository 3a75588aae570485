/** The acts of a plan on one docs pull request. */

import { shortHash } from "../text/short-hash.ts";
import { type JudgedDocsPull, type PullAct, pullPlace } from "./acts.ts";
import { commentText } from "./comment.ts";
import { followUpPrompt } from "./follow-up.ts";
import type { LandInputs } from "./inputs.ts";
import { mergeMessage } from "./merge-message.ts";
import type { PullProblem } from "./problems.ts";
import type { LandReads } from "./reads.ts";
import { type LandReason, reasonText } from "./reasons.ts";
import { mentionsOf, reviewersOf } from "./reviewers.ts";

const IF_WANTED = "To continue, reopen it and merge it, or request the change again.";
const HEADING = "### Docs agent\n\n";

/** The acts on an open docs pull request, in their order; none if there is nothing to do. @param id of the intent */
export async function actsOn(
  judged: JudgedDocsPull,
  id: string,
  reads: LandReads,
  inputs: LandInputs,
): Promise<PullAct[]> {
  const { entry, decision, pull } = judged;
  const { head, branch } = pull;
  const place = pullPlace(judged);
  const acts: PullAct[] = [];
  const isHeld = decision.type === "wait" && decision.reason.code === "on-hold";
  if (!entry.isSetUp && !isHeld) {
    const { labels, assignees } = inputs;
    const { names, areAll } = await reviewersOf(judged, reads, inputs);
    acts.push({ type: "set-up", id, place, labels, assignees, reviewers: names, areAll });
  }
  const main = await mainAct(judged, id, reads, inputs);
  if (main !== null) acts.push(main);
  if (decision.type === "close" && !entry.isClosedToComments) {
    acts.push(explainAct(id, judged, decision.reason, false));
  }
  if (!isHeld && (await needsPreview(judged, reads, inputs))) {
    acts.push({ type: "preview", id, place, branch, head });
  }
  if (decision.type === "wait" && decision.isReminder) {
    acts.push({ type: "remind", id, place, text: await reminderText(judged, reads) });
  }
  const isSaid = acts.length === 0 && !isNewComment(judged, inputs);
  if (isSaid) return [];
  if (inputs.comment && !entry.isClosedToComments) acts.push(commentAct(id, judged));
  return [...acts, releaseAct(id, judged)];
}

/** @param isClosed by an earlier run */
export function explainAct(
  id: string,
  judged: JudgedDocsPull,
  reason: LandReason,
  isClosed: boolean,
): PullAct {
  const text = `${HEADING}${reasonText(reason)} It was therefore closed. ${IF_WANTED}`;
  return { type: "explain", id, place: pullPlace(judged), isClosed, text };
}

export function commentAct(id: string, judged: JudgedDocsPull): PullAct {
  return { type: "comment", id, place: pullPlace(judged), subject: judged };
}

export function releaseAct(id: string, judged: JudgedDocsPull): PullAct {
  return { type: "release", id, place: pullPlace(judged) };
}

export function isNewComment(judged: JudgedDocsPull, inputs: LandInputs): boolean {
  const { comment, isClosedToComments } = judged.entry;
  if (!inputs.comment || isClosedToComments) return false;
  return comment?.digest !== shortHash(commentText(judged, inputs));
}

/** Whether the agent has finished new commits that no preview shows. */
async function needsPreview(
  { entry, pull }: JudgedDocsPull,
  reads: LandReads,
  inputs: LandInputs,
): Promise<boolean> {
  if (!inputs.preview || entry.preview?.head === pull.head) return false;
  const job = await reads.job(entry.jobId);
  return job.type === "known" && !job.value.isActive;
}

/** What the decision says; null for nothing. */
async function mainAct(
  judged: JudgedDocsPull,
  id: string,
  reads: LandReads,
  inputs: LandInputs,
): Promise<PullAct | null> {
  const { entry, decision, pull } = judged;
  const { head, base } = pull;
  const at = { id, place: pullPlace(judged), head, base };
  switch (decision.type) {
    case "follow-up": {
      const { problems } = decision;
      const prompt = await followUpPrompt(pull, problems, (problem) =>
        logOf(problem, judged, reads),
      );
      const ids = problems.map((problem) => problem.id);
      return { ...at, type: "follow-up", jobId: entry.jobId, prompt, problems: ids };
    }
    case "merge":
      return {
        ...at,
        type: "merge",
        method: inputs.mergeMethod,
        message: mergeMessage(judged, inputs),
      };
    case "enqueue":
      return { ...at, type: "enqueue", pullId: pull.id };
    case "update":
      return { ...at, type: "update" };
    case "close":
      return { ...at, type: "close", reason: decision.reason.code };
    case "wait":
    case "ended":
      return null;
  }
}

/** The end of the log of a problem; null if it has none, or it cannot be read. */
async function logOf(
  problem: PullProblem,
  { entry, pull }: JudgedDocsPull,
  reads: LandReads,
): Promise<string | null> {
  if (problem.type === "check") {
    const log = await reads.log(entry, pull, problem.check);
    return log.type === "known" ? log.value : null;
  }
  if (problem.type !== "build") return null;
  const build = await reads.build(problem.statusId);
  return build.type === "known" && build.value.state === "failed" ? build.value.log : null;
}

async function reminderText(judged: JudgedDocsPull, reads: LandReads): Promise<string> {
  return `${HEADING}${await mentionsOf(judged, reads)}this docs pull request waits for a review.`;
}
