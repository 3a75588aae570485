import type { Connect } from "../github/api/connect.ts";
import { reasonOf, type Sent } from "../github/api/explain.ts";
import { mayPass, unsentAfter } from "../github/api/sent.ts";
import { reactionTo, renderReport } from "../github/conversation/comment-text.ts";
import { addReaction, IssueComments } from "../github/conversation/comments.ts";
import { markedText } from "../github/conversation/feedback.ts";
import { invite } from "../github/conversation/invitation.ts";
import type {
  FinishingFacts,
  JobComment,
  JobMarker,
  MarkerWithJob,
} from "../github/conversation/job-marker.ts";
import { type Markers, withMarker } from "../github/conversation/markers.ts";
import { type RepositoryContext, runAddress } from "../github/trigger/run-context.ts";
import { NONE_FOUND } from "../job/doubt.ts";
import {
  finishingPolicy,
  linkOf,
  type Outcome,
  type StepResult,
  shownResultOf,
  stepResultOf,
} from "../job/step-result.ts";
import { MOST_POLLS, SinglePolls } from "../job/wait.ts";
import { type Dependencies, drawName, inParallel } from "../runtime/dependencies.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import { createAgent } from "../service/agent-v2.ts";
import type { parseCollectInputs } from "./inputs.ts";
import { type JobPoll, summed } from "./judge.ts";

/** The parts of a run of collect. */
export interface CollectRun {
  inputs: ReturnType<typeof parseCollectInputs>;
  context: RepositoryContext;
  connect: Connect;
  markers: Markers<JobMarker>;
  dependencies: Dependencies;
}

/** A finished comment in the output `finished`. */
export interface FinishedComment {
  jobId: string;
  /** Null if the service no longer knows the job. */
  status: string | null;
  /** Null for none. */
  prLink: string | null;
  commentUrl: string;
}

/** What a sweep has done, counted in comments. */
export interface SweepResult {
  checked: number;
  running: number;
  finished: FinishedComment[];
  /** Set if no job can be polled: the service refuses the key, or is not at this URL. */
  refused: ActionError | null;
}

/** After this many failed polls in a row, a sweep makes no more. */
const MOST_FAILED = 16;

/**
 * One sweep: polls the job of each comment once, and finishes the comments of those that have ended.
 *
 * @param comments the unfinished comments whose runs have ended
 * @param now milliseconds since 1970 by GitHub's clock
 */
export async function sweep(
  comments: readonly JobComment[],
  now: number,
  run: CollectRun,
): Promise<SweepResult> {
  const { log, cancellation } = run.dependencies;
  const { ended, doubted, isNoneFound, ...counts } = await pollJobs(comments, now, run);
  const finished: FinishedComment[] = [];
  if (isNoneFound) log.warning(NONE_FOUND);
  // GitHub's guidelines require one write after the other.
  for (const { comment, outcome } of ended) {
    if (cancellation.stop.aborted) break;
    const written = await finishComment(comment, outcome, run);
    if (written === "limited") {
      log.warning("GitHub's rate limit is reached. The next sweep does the rest.");
      break;
    }
    if (written === "deferred") continue;
    const entry = finishedComment(comment, outcome.job);
    const { commentUrl, status } = entry;
    log.info(`Finished ${commentUrl}${status === null ? "" : ` (job ${status})`}.`);
    finished.push(entry);
  }
  for (const { comment, doubt } of doubted) {
    if (cancellation.stop.aborted) break;
    if ((await rememberDoubt(comment, doubt, run)) === "limited") break;
  }
  return { ...counts, finished };
}

function finishedComment({ marker, url }: JobComment, job: Job | null): FinishedComment {
  return {
    jobId: marker.job,
    status: job?.status ?? null,
    prLink: linkOf(job),
    commentUrl: url,
  };
}

async function pollJobs(
  comments: readonly JobComment[],
  now: number,
  run: CollectRun,
): Promise<ReturnType<typeof summed>> {
  const { inputs, dependencies } = run;
  const { stop } = dependencies.cancellation;
  const polls = new SinglePolls(dependencies, MOST_FAILED);
  /** Aborted once no job can be polled. */
  const refused = new AbortController();
  const pollOnce = async ({ api, job }: JobComment["marker"]) =>
    polls.poll(await createAgent(api, inputs, dependencies), job);
  const poll = async (ofJob: readonly JobComment[]): Promise<JobPoll> => {
    const [newest] = ofJob;
    const isOver = refused.signal.aborted || polls.isOver || stop.aborted;
    if (newest === undefined || isOver) return { type: "skipped" };
    const job = await valueOrError(pollOnce(newest.marker), ActionError);
    if (job instanceof ActionError) {
      refused.abort();
      return { type: "refused", comments: ofJob, error: job };
    }
    if (job === null) return { type: "unread", comments: ofJob };
    return { type: "polled", comments: ofJob, job };
  };
  const jobs = Map.groupBy(comments, ({ marker }) => marker.job);
  return summed(await inParallel([...jobs.values()], MOST_POLLS, poll), now);
}

/** What a comment stores that says nothing of how to finish it. */
const NOTHING_STORED: FinishingFacts = {
  ifNoChanges: "ignore",
  waits: null,
  isByPhrase: false,
  mayBeOld: false,
  doubt: null,
  notes: [],
  reaction: null,
};

/** Remembers in a comment's marker what one poll alone does not prove. What a reader sees stays as it is. */
async function rememberDoubt(
  { marker, url, id, body, issue }: JobComment,
  doubt: FinishingFacts["doubt"],
  { context, connect, markers, dependencies }: CollectRun,
): Promise<"done" | "limited"> {
  const { repository, repositoryId } = context;
  const place = { repository, repositoryId, issue };
  const comments = new IssueComments(connect, place);
  const now = await comments.read(id);
  if (now.type !== "known" || now.value !== body) return "done";
  const later = { ...(marker.later ?? NOTHING_STORED), waits: null, doubt };
  const text = withMarker(body, markers.write(place, { ...marker, later }, id));
  const sent = await comments.edit(id, text);
  if (sent.type === "accepted") return "done";
  dependencies.log.warning(`The comment ${url} could not be updated: ${reasonOf(sent)}.`);
  return sent.type === "limited" ? "limited" : "done";
}

/**
 * Finishes a comment like a run that waits: with an invitation, a reaction and, at last, the text. If a sweep is killed
 * before the text, the next one repeats all of it, without duplicates.
 *
 * @returns `deferred`: the next sweep tries again. `limited`: GitHub accepts no more requests for now.
 */
async function finishComment(
  comment: JobComment,
  outcome: Outcome,
  run: CollectRun,
): Promise<"finished" | "deferred" | "limited"> {
  const { marker, url, id, body, issue } = comment;
  const { context, connect, markers, dependencies } = run;
  const { log } = dependencies;
  const { later } = marker;
  const { repository, repositoryId, serverUrl } = context;
  const result = stepResultOf(outcome, finishingPolicy(later ?? null));
  const before = [await inviteTo(comment, outcome.job, run), await react(comment, result, run)];
  if (before.some(({ type }) => type === "limited")) return "limited";
  if (before.some((sent) => sent.type !== "accepted" && mayPass(sent))) return "deferred";
  const runUrl =
    marker.run === null ? null : runAddress(serverUrl, repository, marker.run, marker.attempt);
  const facts = { id: marker.job, job: outcome.job, notes: later?.notes ?? [], runUrl };
  const shown = shownResultOf(result, outcome);
  const text = renderReport({ ...shown, ...facts, took: undefined });
  // What became of a job that the service does not know is not known.
  const withEnd = {
    ...marker,
    ended: outcome.type === "ended" ? outcome.job.status : "unknown",
  } as const;
  const ended = later === undefined ? withEnd : { ...withEnd, later: { ...later, waits: null } };
  const place = { repository, repositoryId, issue };
  const comments = new IssueComments(connect, place);
  const now = await comments.read(id);
  if (now.type === "absent" || (now.type === "known" && now.value !== body)) {
    const change = now.type === "absent" ? "was deleted" : "was edited";
    log.info(`The comment ${url} ${change} during the sweep. It was left unchanged.`);
    return "deferred";
  }
  const sent =
    now.type === "unread"
      ? unsentAfter(now)
      : await comments.edit(id, markedText(text, markers.write(place, ended, id)));
  if (sent.type === "accepted") return "finished";
  const reason = reasonOf(sent);
  log.warning(`The comment ${url} could not be updated: ${reason}. The next sweep tries again.`);
  return sent.type === "limited" ? "limited" : "deferred";
}

/** There is nothing to do. */
const NOTHING = { type: "accepted", value: null } as const;

async function inviteTo(
  { marker, issue: requestedIn }: JobComment,
  job: Job | null,
  { inputs: { triggerPhrase: phrase }, context, connect, markers, dependencies }: CollectRun,
): Promise<Sent<unknown>> {
  if (phrase === null || !marker.later?.isByPhrase) return NOTHING;
  const { later: _, ...ofInvitation }: MarkerWithJob = { ...marker, ended: "unknown" };
  const link = linkOf(job);
  const draft = [context.runId, drawName(dependencies)].join("-");
  const invitation = { requestedIn, phrase, link, draft, marker: ofInvitation };
  return await invite(invitation, context, { connect, log: dependencies.log, markers });
}

async function react(
  { marker }: JobComment,
  result: StepResult,
  { context, connect, dependencies: { log } }: CollectRun,
): Promise<Sent<unknown>> {
  const target = marker.later?.reaction ?? null;
  if (target === null) return NOTHING;
  const reaction = reactionTo(result.severity);
  const sent = await addReaction(connect, context.repository, target, reaction);
  if (sent.type !== "accepted") {
    log.warning(`The ${reaction} reaction could not be added: ${reasonOf(sent)}.`);
  }
  return sent;
}
