import type { Octokit } from "@octokit/core";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import type { Log } from "../runtime/log.ts";
import { ownPullNumber } from "../text/link.ts";
import { renderInvitation } from "./comment-text.ts";
import {
  addReaction,
  createComment,
  deleteComment,
  editComment,
  newestComments,
  type Reaction,
} from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import type { Markers, Place } from "./markers.ts";
import type { Named, Permission } from "./permission.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";
import {
  isOnPullRequest,
  type ReactionTarget,
  type RunContext,
  reactionTarget,
  triggeringSubject,
} from "./run-context.ts";
import { markedText, StatusComment } from "./status-comment.ts";

/** Where the requester sees the progress. Plain data, so that the post step can use it too. */
export interface FeedbackPlan {
  /** Where the status comment belongs; null for none. */
  place: Place | null;
  reactionTarget: ReactionTarget | null;
  permission: string;
  repository: string;
  /** Names the comment before it has an id: no other comment has this name. */
  draft: string;
}

/** @param isRequest whether the run answers a request by phrase, which always gets at least a reaction */
export function planFeedback(
  settings: GitHubSettings,
  context: RunContext,
  isRequest: boolean,
  random: () => number,
): FeedbackPlan {
  return {
    place: settings.comment ? commentPlace(settings, context) : null,
    reactionTarget: settings.comment || isRequest ? reactionTarget(context) : null,
    permission: commentPermission(settings, context),
    repository: context.repository,
    draft: `${context.runId}-${context.attempt}-${drawName({ random })}`,
  };
}

export interface Feedback<M extends object> {
  comment: StatusComment<M> | null;
  reactions: {
    /** Adds a reaction to what triggered the run, after those before it. Never throws. */
    add(content: Reaction): Promise<void>;
  };
}

/** Nothing is sent yet. @param subject what a refusal does not affect, for warnings */
export function createFeedback<M extends object>(
  { place, reactionTarget: target, permission, repository, draft }: FeedbackPlan,
  subject: "job" | "answer",
  markers: Markers<M>,
  connect: Connect,
  { log, clock, cancellation: { stop } }: Dependencies,
): Feedback<M> {
  let queue = Promise.resolve();
  let isRefused = false;
  const react = async (content: Reaction) => {
    if (target === null || isRefused) return;
    try {
      await addReaction(await connect(), repository, target, content);
    } catch (error) {
      const { why, isLimit } = explainRefusal(error, permission);
      // After any other refusal, no more is tried.
      isRefused = !isLimit;
      const what = `The ${content} reaction could not be added`;
      log.warning(`${what}: ${why}. The ${subject} is not affected.`);
    }
  };
  const options = { subject, connect, log, permission, clock, stop, markers, draft };
  return {
    comment: place === null ? null : new StatusComment({ ...options, place }),
    reactions: {
      add: (content) => {
        queue = queue.then(() => react(content));
        return queue;
      },
    },
  };
}

interface Invitation {
  /** The issue or pull request where the job was requested; null if there is none. */
  requestedIn: number | null;
  phrase: string;
  /** The pull request's address, checked. */
  link: string;
  marker: JobMarker;
}

/** Whether a job accepts further requests. */
export function takesFollowUps(api: string): boolean {
  return api === "v2";
}

/**
 * Comments once on the pull request of a job that was requested by phrase, if it is in this repository, to invite to
 * further requests there. Never throws. It returns a refusal, after a warning.
 */
export async function invite(
  { requestedIn, phrase, link, marker }: Invitation,
  { serverUrl, repository }: Pick<RunContext, "serverUrl" | "repository">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Refusal | null> {
  const issue = ownPullNumber(link, serverUrl, repository);
  if (issue === null || issue === requestedIn) return null;
  const place: Place = { repository, issue };
  const draft = `invitation ${marker.job}`;
  const text = renderInvitation(phrase, requestedIn);
  try {
    const github = await connect();
    const existing = () => invitationsOn(github, place, markers, draft, marker.job);
    const name = (id: number) =>
      editComment(github, place, id, markedText(text, markers.write(place, marker, id)));
    const before = await existing();
    if (before.some(({ isNamed }) => isNamed)) return null;
    // A comment without a name is from a run that was killed, or that is still writing it.
    const first = markedText(text, markers.writeDraft(place, marker, draft));
    const { id } = before[0] ?? (await createComment(github, place, first));
    await name(id);
    // Another run of the same job may have commented at the same time. The oldest comment stays.
    const [oldest] = await existing();
    if (oldest === undefined || oldest.id >= id) return null;
    if (!oldest.isNamed) await name(oldest.id);
    await deleteComment(github, place, id);
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, "pull-requests: write");
    const { why } = refusal;
    log.warning(`The pull request could not be commented on: ${why}. The job is not affected.`);
    return refusal;
  }
}

/** Comments that name a job, and drafts of its invitation, oldest first. */
async function invitationsOn(
  github: Octokit,
  place: Place,
  markers: JobMarkers,
  draft: string,
  job: string,
): Promise<{ id: number; isNamed: boolean }[]> {
  const found: { id: number; isNamed: boolean }[] = [];
  for await (const { id, body } of newestComments(github, place)) {
    const isNamed = markers.read(body, place, id)?.job === job;
    if (isNamed || markers.isDraft(body, place, draft)) found.unshift({ id, isNamed });
  }
  return found;
}

/** What the inputs say about GitHub, for every action that may run by phrase and may comment. */
export interface GitHubSettings extends Named {
  requiredPermission: Permission;
  comment: boolean;
  issueNumber: number | null;
  /** The matrix leg that this job is, as JSON. */
  matrix: string;
  githubToken: string;
  githubApiUrl: URL;
}

/** The issue or pull request for a run's comment; null for none. */
export function commentPlace(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): Place | null {
  const issue = issueNumber ?? triggeringSubject(context)?.number;
  const { repository } = context;
  return issue !== undefined && repository !== "" ? { repository, issue } : null;
}

/** The permission that the token needs for the comment and reactions. */
export function commentPermission(
  { issueNumber }: Pick<GitHubSettings, "issueNumber">,
  context: RunContext,
): string {
  if (issueNumber !== null) return "issues: write` or `pull-requests: write";
  return isOnPullRequest(context) ? "pull-requests: write" : "issues: write";
}
