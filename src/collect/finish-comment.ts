import { addReaction, editComment, type Reaction, readComment } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { canGoOn, invite } from "../github/feedback.ts";
import type { JobMarker, JobMarkers } from "../github/job-marker.ts";
import { explainRefusal, type Refusal } from "../github/refusal.ts";
import { reactionTo, renderReport } from "../github/report.ts";
import { type RunContext, runAddress } from "../github/run-context.ts";
import { markedText } from "../github/status-comment.ts";
import { linkOf, type Outcome, resultOf, type StepResult } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job } from "../service/agent.ts";
import { digestOf, type JobComment } from "./comments.ts";

/** What became of a comment. */
export type FinishResult =
  | "finished"
  /** It is not what it was when the sweep began, or is gone: nothing is written over it. */
  | "changed"
  /** GitHub did not do it: the next sweep does. */
  | "left"
  /** GitHub takes no more requests for now. */
  | "limited";

export interface FinishOptions {
  context: RunContext;
  connect: Connect;
  markers: JobMarkers;
  /** As in `trigger-phrase`; empty: nobody is invited. */
  phrase: string;
  dependencies: Dependencies;
}

const PERMISSION = "issues: write` and `pull-requests: write";

/**
 * Brings a comment to its end, as its run would have if it had waited: invitation, reaction and, last of
 * all, the text. A sweep that is killed on the way leaves the comment as it was, so that the next one does
 * it all again, and nothing twice. Never throws.
 */
export async function finishComment(
  comment: JobComment,
  outcome: Outcome,
  finishing: FinishOptions,
): Promise<FinishResult> {
  const { later } = comment.marker;
  const policy = { ifTimeout: "error", ifNoChanges: later?.ifNoChanges ?? "ignore" } as const;
  const result = resultOf(outcome, policy);
  const refusals = [
    await inviteTo(comment, outcome.job, finishing),
    await react(comment, reactionTo(result), finishing),
  ];
  if (refusals.some((it) => it?.isLimit)) return "limited";
  if (refusals.some((it) => it?.isPassing)) return "left";
  return await rewrite(comment, result, outcome.job, finishing);
}

/** Writes the last text of a comment, if it is still what it was when the sweep began. Never throws. */
async function rewrite(
  comment: JobComment,
  result: StepResult,
  job: Job | null,
  { context, connect, markers, dependencies: { log } }: FinishOptions,
): Promise<FinishResult> {
  const { id, place, marker, digest, url } = comment;
  const { run, attempt, later } = marker;
  const { serverUrl, repository } = context;
  const runUrl = run === "" ? "" : runAddress(serverUrl, repository, run, attempt);
  const facts = { id: marker.job, job, notes: later?.notes ?? [], runUrl, took: undefined };
  const text = renderReport({ ...result, ...facts });
  const ended: JobMarker = {
    ...marker,
    ended: true,
    ...(later && { later: { ...later, waits: null } }),
  };
  try {
    const github = await connect();
    const now = await readComment(github, place, id);
    if (now === null || digestOf(now) !== digest) {
      const what = now === null ? "was deleted" : "was edited";
      log.info(`The comment ${url} ${what} during the sweep. It was left unchanged.`);
      return "changed";
    }
    await editComment(github, place, id, markedText(text, markers.write(place, ended, id)));
    return "finished";
  } catch (error) {
    const { why, isLimit } = explainRefusal(error, PERMISSION);
    log.warning(`The comment ${url} could not be updated: ${why}. The next sweep tries again.`);
    return isLimit ? "limited" : "left";
  }
}

async function inviteTo(
  { marker, place }: JobComment,
  job: Job | null,
  { context, connect, markers, phrase, dependencies }: FinishOptions,
): Promise<Refusal | null> {
  const { log } = dependencies;
  const link = linkOf(job);
  const isInvited = phrase !== "" && canGoOn(marker.api) && marker.later?.isByPhrase;
  if (!isInvited || link === null) return null;
  const { later: _, ...ofInvitation } = { ...marker, ended: true };
  const invitation = { requestedIn: place.issue, phrase, link, marker: ofInvitation };
  return await invite(invitation, context, { connect, log, markers });
}

/** A reaction that is there already stays the one that it is. */
async function react(
  { marker, place }: JobComment,
  reaction: Reaction,
  { connect, dependencies: { log } }: FinishOptions,
): Promise<Refusal | null> {
  const target = marker.later?.reaction ?? null;
  if (target === null) return null;
  try {
    await addReaction(await connect(), place.repository, target, reaction);
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSION);
    log.warning(`The ${reaction} reaction could not be added: ${refusal.why}.`);
    return refusal;
  }
}
