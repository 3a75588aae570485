import * as z from "zod/mini";
import { endPolicy } from "../../job/step-result.ts";
import { ActionError } from "../../runtime/errors.ts";
import { known, type Read, type Unread } from "../../runtime/fact.ts";
import type * as issueAnswers from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import { kindOfUnread } from "../api/explain.ts";
import { type Comment, commentOf } from "./comments.ts";
import { MarkerReader } from "./marker-reader.ts";
import { type ApiKeys, Markers, type Purpose, stepShape } from "./markers.ts";

/** What a status comment stores for the run that finishes it later. */
const finishingFacts = z.extend(endPolicy, {
  /** How long the run may still wait, in milliseconds; null if it has ended. */
  waits: z.nullable(z.number()),
  /** Whether the request was made by phrase. */
  isByPhrase: z.boolean(),
  /** Whether an end may be from before the request, because the job was not seen at work on it. */
  mayBeOld: z.boolean(),
  /** What one poll of a sweep of collect found, which alone proves nothing, and when; null for nothing. */
  doubt: z._default(
    z.nullable(z.object({ found: z.enum(["no-job", "no-pull"]), at: z.string() })),
    null,
  ),
  notes: z.readonly(z.array(z.string())),
  /** The target of the reaction that shows how the job ended; null for none. */
  reaction: z.nullable(z.union([z.object({ path: z.string() }), z.object({ node: z.string() })])),
});

/** What a comment stores about its job. */
const marker = z.object({
  /** The job's ID; null if there is none. The ID for a follow-up is always known. */
  job: z.nullable(z.string()),
  /** Version of the agent interface, `v1` or `v2`. */
  api: z.string(),
  request: z.enum(["accepted", "refused", "uncertain"]),
  /**
   * How the job ended, if the comment shows it: `unknown` in invitations, and for a job that the service does not know.
   * Null if it does not.
   */
  ended: z.nullable(z.enum(["completed", "archived", "failed", "unknown"])),
  ...stepShape,
  /** Only in status comments, but not in those of earlier versions of the action. */
  later: z.optional(finishingFacts),
});

export type JobMarker = z.infer<typeof marker>;
export type FinishingFacts = z.infer<typeof finishingFacts>;

/** A marker that names its job. */
export type MarkerWithJob = JobMarker & { job: string };

export function namesJob(marker: JobMarker): marker is MarkerWithJob {
  return marker.job !== null;
}

export const JOB: Purpose<JobMarker> = {
  name: "comment marker",
  schema: marker,
};

/** The markers of jobs, for one project. */
export function jobMarkers(keys: ApiKeys, projectId: string): Markers<JobMarker> {
  return new Markers(JOB, keys, projectId);
}

/** A comment about a job that accepted its run's request. */
export interface JobComment extends Comment {
  marker: MarkerWithJob;
}

/**
 * The comments about jobs on all issues and pull requests since a time, the newest first: if one is added meanwhile,
 * another one appears twice, but none is missed.
 *
 * @returns `isComplete`: false if more comments were changed than one run reads. `now`: the time by GitHub's clock, in
 * milliseconds since 1970; null if unknown
 */
export async function recentJobs(
  connect: Connect,
  { repository, repositoryId }: { repository: string; repositoryId: number | null },
  markers: Markers<JobMarker>,
  since: number,
): Promise<Read<{ comments: JobComment[]; isComplete: boolean; now: number | null }>> {
  const from = new Date(since).toISOString().replace(/\.\d+Z$/, "Z");
  const reader = new MarkerReader(markers, connect);
  const unread: Unread[] = [];
  // The texts of other comments are not kept.
  const keep = async (answers: readonly z.infer<typeof issueAnswers.comment>[]) => {
    const jobs: JobComment[] = [];
    for (const comment of answers.map(commentOf)) {
      const place = { repository, repositoryId, issue: comment.issue };
      const read = await reader.read(comment, place);
      if (read.type === "unread") unread.push(read);
      if (read.type !== "known" || read.value.request !== "accepted") continue;
      if (namesJob(read.value)) jobs.push({ ...comment, marker: read.value });
    }
    return jobs;
  };
  const isEnough = () => unread.length > 0;
  const github = await connect();
  const fact = await github.comments.changed({ repository, since: from }, { keep, isEnough });
  const [first = fact] = unread;
  if (first.type === "unread") return first;
  const comments = fact.type === "known" ? fact.value.items : [];
  const isComplete = fact.type !== "known" || fact.value.isComplete;
  return known({ comments, isComplete, now: github.traffic.now });
}

/** The warning of a run that has not read all comments. */
export const NOT_ALL_COMMENTS =
  "The repository has more changed comments than one run reads. Those that changed longest ago were left out.";

/** The error of a run that cannot do without the comments. */
export function unreadComments(unread: Unread): ActionError {
  const problem = `The repository's comments could not be read: ${unread.reason}.`;
  const advice = "Nothing was changed. The next run starts over.";
  return new ActionError(kindOfUnread(unread), problem, advice);
}
