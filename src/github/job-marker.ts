import * as z from "zod/mini";
import type { RequestState } from "../job/send.ts";
import type { Policy } from "../job/step-result.ts";
import { type ApiKeys, Markers, type Place, type Purpose, unverifiedMarker } from "./markers.ts";
import type { ReactionTarget } from "./run-context.ts";
import { type StepMarker, stepShape } from "./step-identity.ts";

/** What a comment remembers of the job that it is about. */
export interface JobMarker extends StepMarker {
  /** The job's id; empty when there is none. Of a follow-up, it is known whatever became of the request. */
  job: string;
  /** Version of the agent interface, `v1` or `v2`. */
  api: string;
  request: RequestState;
  /** Whether the comment tells how the job ended. */
  ended: boolean;
  /** Of a status comment. Invitations have none, nor have the comments of earlier versions of the action. */
  later?: FinishingFacts | undefined;
}

/** What a status comment remembers for whoever finishes it after its run has left. */
export interface FinishingFacts {
  /** Milliseconds that the run may go on after this text was written; null: it has left. */
  waits: number | null;
  /** Whether somebody asked by phrase. */
  isByPhrase: boolean;
  /** Whether the job was not seen at work on the request: an end may be the one from before it. */
  mayBeOld: boolean;
  ifNoChanges: Policy["ifNoChanges"];
  /** What there is to know about the run. */
  notes: readonly string[];
  /** What gets the reaction that tells how the job ended; null for nothing. */
  reaction: ReactionTarget | null;
}

export type JobMarkers = Markers<JobMarker>;

const later = z.object({
  waits: z.nullable(z.number()),
  isByPhrase: z.boolean(),
  mayBeOld: z.boolean(),
  ifNoChanges: z.enum(["ignore", "warn", "error"]),
  notes: z.array(z.string()),
  reaction: z.nullable(z.union([z.object({ path: z.string() }), z.object({ node: z.string() })])),
});

const JOB: Purpose<JobMarker> = {
  name: "comment marker",
  owner: "project",
  schema: z.object({
    job: z.string(),
    api: z.string(),
    request: z.enum(["accepted", "refused", "uncertain"]),
    ended: z.boolean(),
    ...stepShape,
    later: z.optional(later),
  }),
};

/** The markers of jobs, for one project. */
export function jobMarkers(keys: ApiKeys, projectId: string): JobMarkers {
  return new Markers(JOB, keys, projectId);
}

/** What the marker of a bot's comment says, for a run without a key. See {@link unverifiedMarker}. */
export function unverifiedJobMarker(body: string, place: Place, comment: number): JobMarker | null {
  return unverifiedMarker(body, place, comment, JOB);
}
