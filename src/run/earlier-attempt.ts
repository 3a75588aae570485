import { type MarkedComment, markedComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import type { JobMarker, JobMarkers } from "../github/job-marker.ts";
import type { Place } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { StepIdentity } from "../github/step-identity.ts";
import { ActionError } from "../runtime/errors.ts";

export interface EarlierAttempt {
  place: Place;
  markers: JobMarkers;
  step: StepIdentity<JobMarker>;
  connect: Connect;
  /** What the token needs to read comments, as an error names it. */
  permission: string;
}

/**
 * The comment of an earlier attempt of this step; null when there is none.
 *
 * @throws ActionError `github-unavailable` when the comments cannot be read: there may be a job
 */
export async function findEarlierAttempt({
  place,
  markers,
  step,
  connect,
  permission,
}: EarlierAttempt): Promise<MarkedComment<JobMarker> | null> {
  const found: MarkedComment<JobMarker>[] = [];
  try {
    for await (const it of markedComments(await connect(), place, markers)) {
      if (!step.isEarlier(it.marker)) continue;
      found.push(it);
      if (hasUnreportedJob(it.marker)) break;
    }
  } catch (error) {
    const { why } = explainRefusal(error, permission);
    throw new ActionError(
      "github-unavailable",
      `The comments of the earlier attempt could not be read: ${why}.`,
      "It may have started a job, so no other was started. Run again when GitHub answers.",
      { cause: error },
    );
  }
  return chooseEarlier(found);
}

/**
 * Two jobs of a run that ask for the very same cannot be told apart: one that nobody was told the end of is
 * the one to go on with; else the newest.
 *
 * @param found newest first
 */
export function chooseEarlier(
  found: readonly MarkedComment<JobMarker>[],
): MarkedComment<JobMarker> | null {
  return found.find(({ marker }) => hasUnreportedJob(marker)) ?? found[0] ?? null;
}

/** Whether there is a job whose end the comment does not tell. */
export function hasUnreportedJob({ job, request, ended }: JobMarker): boolean {
  return job !== "" && request === "accepted" && !ended;
}
