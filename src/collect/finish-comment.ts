import { reactionTo, renderReport } from "../github/comment-text.ts";
import { addReaction, editComment, type Reaction, readComment } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { invite, takesFollowUps } from "../github/feedback.ts";
import type { JobComment, JobMarker, JobMarkers } from "../github/job-marker.ts";
import { explainRefusal, type Refusal } from "../github/refusal.ts";
import { type RunContext, runAddress } from "../github/run-context.ts";
import { markedText } from "../github/status-comment.ts";
import type { CollectInputs } from "../inputs/collect.ts";
import { linkOf, type Outcome, resultOf } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job } from "../service/agent.ts";

/** What a run of collect works with. */
export interface CollectRun {
  inputs: CollectInputs;
  context: RunContext;
  connect: Connect;
  markers: JobMarkers;
  dependencies: Dependencies;
}

const PERMISSION = "issues: write` and `pull-requests: write";

/**
 * Brings a comment to its end, as its run would have if it had waited: invitation, reaction and, last of
 * all, the text. A sweep that is killed on the way leaves the comment as it was, so that the next one does
 * it all again, and nothing twice. Never throws.
 *
 * @returns `left`: the next sweep looks at it again. `limited`: GitHub takes no more requests for now.
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
  const refusals = [
    await inviteTo(comment, outcome.job, run),
    await react(comment, reactionTo(result), run),
  ];
  if (refusals.some((it) => it?.isLimit)) return "limited";
  if (refusals.some((it) => it?.isPassing)) return "left";
  const runUrl =
    marker.run === "" ? "" : runAddress(serverUrl, repository, marker.run, marker.attempt);
  const facts = { id: marker.job, job: outcome.job, notes: later?.notes ?? [], runUrl };
  const text = renderReport({ ...result, ...facts, took: undefined });
  const ended = { ...marker, ended: true, ...(later && { later: { ...later, waits: null } }) };
  const place = { repository, issue };
  try {
    const github = await connect();
    const now = await readComment(github, place, id);
    if (now !== body) {
      const what = now === null ? "was deleted" : "was edited";
      log.info(`The comment ${url} ${what} during the sweep. It was left unchanged.`);
      return "left";
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
  { marker, issue: requestedIn }: JobComment,
  job: Job | null,
  { inputs: { triggerPhrase: phrase }, context, connect, markers, dependencies }: CollectRun,
): Promise<Refusal | null> {
  const link = linkOf(job);
  const isInvited = phrase !== "" && takesFollowUps(marker.api) && marker.later?.isByPhrase;
  if (!isInvited || link === null) return null;
  const { later: _, ...ofInvitation }: JobMarker = { ...marker, ended: true };
  const invitation = { requestedIn, phrase, link, marker: ofInvitation };
  return await invite(invitation, context, { connect, log: dependencies.log, markers });
}

/** A reaction that is there already stays the one that it is. */
async function react(
  { marker }: JobComment,
  reaction: Reaction,
  { context, connect, dependencies: { log } }: CollectRun,
): Promise<Refusal | null> {
  const target = marker.later?.reaction ?? null;
  if (target === null) return null;
  try {
    await addReaction(await connect(), context.repository, target, reaction);
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSION);
    log.warning(`The ${reaction} reaction could not be added: ${refusal.why}.`);
    return refusal;
  }
}
