import * as z from "zod/mini";
import { ActionError } from "../runtime/errors.ts";
import { type Comment, recentComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import {
  type ApiKeys,
  Markers,
  type Place,
  type Purpose,
  stepShape,
  unverifiedMarker,
} from "./markers.ts";
import { explainRefusal } from "./refusal.ts";

/** What a status comment remembers for whoever finishes it after its run has left. */
const finishingFacts = z.object({
  /** Milliseconds that the run may go on after this text was written; null: it has left. */
  waits: z.nullable(z.number()),
  /** Whether somebody asked by phrase. */
  isByPhrase: z.boolean(),
  /** Whether the job was not seen at work on the request: an end may be the one from before it. */
  mayBeOld: z.boolean(),
  ifNoChanges: z.enum(["ignore", "warn", "error"]),
  /** What there is to know about the run. */
  notes: z.readonly(z.array(z.string())),
  /** What gets the reaction that tells how the job ended; null for nothing. */
  reaction: z.nullable(z.union([z.object({ path: z.string() }), z.object({ node: z.string() })])),
});

export type FinishingFacts = z.infer<typeof finishingFacts>;

/** What a comment remembers of the job that it is about. */
const marker = z.object({
  /** The job's id; empty when there is none. Of a follow-up, it is known whatever became of the request. */
  job: z.string(),
  /** Version of the agent interface, `v1` or `v2`. */
  api: z.string(),
  request: z.enum(["accepted", "refused", "uncertain"]),
  /** Whether the comment tells how the job ended. */
  ended: z.boolean(),
  ...stepShape,
  /** Of a status comment. Invitations have none, nor have the comments of earlier versions of the action. */
  later: z.optional(finishingFacts),
});

export type JobMarker = z.infer<typeof marker>;
export type JobMarkers = Markers<JobMarker>;

const JOB: Purpose<JobMarker> = { name: "comment marker", owner: "project", schema: marker };

/** The markers of jobs, for one project. */
export function jobMarkers(keys: ApiKeys, projectId: string): JobMarkers {
  return new Markers(JOB, keys, projectId);
}

/** What the marker of a bot's comment says, for a run without a key. See {@link unverifiedMarker}. */
export function unverifiedJobMarker(body: string, place: Place, comment: number): JobMarker | null {
  return unverifiedMarker(body, place, comment, JOB);
}

/** A comment about a job that took its run's request. */
export interface JobComment extends Comment {
  marker: JobMarker;
}

/**
 * The comments about jobs, as {@link recentComments} brings them.
 *
 * @throws ActionError `github-unavailable`
 */
export async function* recentJobs(
  connect: Connect,
  repository: string,
  markers: JobMarkers,
  since: number,
) {
  try {
    for await (const { comments, now } of recentComments(await connect(), repository, since)) {
      const jobs = comments.flatMap((it): JobComment[] => {
        const found = markers.read(it.body, { repository, issue: it.issue }, it.id);
        const isTaken = found?.request === "accepted" && found.job !== "";
        return isTaken ? [{ ...it, marker: found }] : [];
      });
      yield { comments: jobs, now };
    }
  } catch (error) {
    const { why } = explainRefusal(error, "issues: write");
    const what = `The repository's comments could not be read: ${why}.`;
    const advice = "Nothing was changed. The next run starts over.";
    throw new ActionError("github-unavailable", what, advice, { cause: error });
  }
}
