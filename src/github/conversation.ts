import type { Log } from "../runtime/log.ts";
import { markedComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import type { Place } from "./markers.ts";
import { explainRefusal } from "./refusal.ts";

/**
 * The newest marker of an issue or pull request that names a job; null when there is none.
 *
 * @param permission permission that the token needs, for use in warnings
 */
export async function findConversation(
  { place, markers, permission }: { place: Place; markers: JobMarkers; permission: string },
  connect: Connect,
  log: Log,
): Promise<JobMarker | null> {
  try {
    for await (const { marker } of markedComments(await connect(), place, markers)) {
      if (marker.job !== "") return marker;
    }
  } catch (error) {
    const { why } = explainRefusal(error, permission);
    log.warning(`The conversation could not be read, so a new job is started: ${why}.`);
  }
  return null;
}
