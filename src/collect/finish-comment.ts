import { reactionTo, renderReport } from "../github/comment-text.ts";
import { addReaction, IssueComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { invite, markedText } from "../github/feedback.ts";
import type { JobComment, JobMarker, JobMarkers } from "../github/job-marker.ts";
import { explainRefusal, type Refusal } from "../github/refusal.ts";
import { type RunContext, runAddress } from "../github/run-context.ts";
import type { CollectInputs } from "../inputs/collect.ts";
import { linkOf, type Outcome, resultOf, type StepResult } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job } from "../service/agent.ts";

/** The parts of a run of collect. */
export interface CollectRun {
  inputs: CollectInputs;
  context: RunContext;
  connect: Connect;
  markers: JobMarkers;
  dependencies: Dependencies;
}

const PERMISSION = "issues: write` and `pull-requests: write";

/**
 * Finishes a comment like a run that waits: with an invitation, a reaction and, at last, the text. If a sweep is killed
 * before the text, the next one repeats all of it, without duplicates. Never throws.
 *
 * @returns `left`: the next sweep tries again. `limited`: GitHub accepts no more requests for now.
 */
export async function finishComment(
  comment: JobComment,
  outcome: Outcome,
  run: CollectRun,
): Promise<"finished" | "left" | "limited"> {
  const { marker, url, id, body, issue } = comment;
  const { context, connect, markers, dependencies } = run;
  const { log } = dependencies;
  const { later } = marker;
  const { repository, serverUrl } = context;
  const policy = { ifTimeout: "error", ifNoChanges: later?.ifNoChanges ?? "ignore" } as const;
  const result = resultOf(outcome, policy);
  const refusals = [await inviteTo(comment, outcome.job, run), await react(comment, result, run)];
  if (refusals.some((refusal) => refusal?.isLimit)) return "limited";
  if (refusals.some((refusal) => refusal?.isPassing)) return "left";
  const runUrl =
    marker.run === "" ? "" : runAddress(serverUrl, repository, marker.run, marker.attempt);
  const facts = { id: marker.job, job: outcome.job, notes: later?.notes ?? [], runUrl };
  const text = renderReport({ ...result, ...facts, took: undefined });
  const ended = { ...marker, ended: true, ...(later && { later: { ...later, waits: null } }) };
  const place = { repository, issue };
  const comments = new IssueComments(connect, place);
  try {
    const now = await comments.read(id);
    if (now !== body) {
      const what = now === null ? "was deleted" : "was edited";
      log.info(`The comment ${url} ${what} during the sweep. It was left unchanged.`);
      return "left";
    }
    await comments.edit(id, markedText(text, markers.write(place, ended, id)));
    return "finished";
  } catch (error) {
    const { why, isLimit } = explainRefusal(error, PERMISSION);
    log.warning(`The comment ${url} could not be updated: ${why}. The next sweep tries again.`);
    return isLimit ? "limited" : "left";
  }
}

async function inviteTo(
  { marker, issue: requestedIn }: JobComment,
  job: Job | null,
  { inputs: { triggerPhrase: phrase }, context, connect, markers, dependencies }: CollectRun,
): Promise<Refusal | null> {
  if (phrase === "" || !marker.later?.isByPhrase) return null;
  const { later: _, ...ofInvitation }: JobMarker = { ...marker, ended: true };
  const invitation = { requestedIn, phrase, link: linkOf(job), marker: ofInvitation };
  return await invite(invitation, context, { connect, log: dependencies.log, markers });
}

async function react(
  { marker }: JobComment,
  result: StepResult,
  { context, connect, dependencies: { log } }: CollectRun,
): Promise<Refusal | null> {
  const target = marker.later?.reaction ?? null;
  if (target === null) return null;
  const reaction = reactionTo(result);
  const refusal = await addReaction(connect, context.repository, target, reaction, PERMISSION);
  if (refusal !== null) {
    log.warning(`The ${reaction} reaction could not be added: ${refusal.why}.`);
  }
  return refusal;
}
