import * as z from "zod/mini";
import type { RequestState } from "../job/request-state.ts";
import { type ApiKeys, Markers, type Purpose } from "./markers.ts";
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
}

export type JobMarkers = Markers<JobMarker>;

const JOB: Purpose<JobMarker> = {
  name: "comment marker",
  owner: "project",
  schema: z.object({
    job: z.string(),
    api: z.string(),
    request: z.enum(["accepted", "refused", "uncertain"]),
    ended: z.boolean(),
    ...stepShape,
  }),
};

/** The markers of jobs, for one project. */
export function jobMarkers(keys: ApiKeys, projectId: string): JobMarkers {
  return new Markers(JOB, keys, projectId);
}
