import type { Log } from "../runtime/log.ts";
import { markedComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, Markers, Place } from "./markers.ts";
import { explainRefusal } from "./refusal.ts";

/**
 * The job that the newest marker of an issue or pull request names; null when there is none.
 *
 * @param permission what the token needs, as a warning names it
 */
export async function findConversation(
  { place, markers, permission }: { place: Place; markers: Markers; permission: string },
  connect: Connect,
  log: Log,
): Promise<JobMarker | null> {
  try {
    for await (const { marker } of markedComments(await connect(), place, markers)) return marker;
  } catch (error) {
    const { why } = explainRefusal(error, permission);
    log.warning(`The conversation could not be read, so a new job is started: ${why}.`);
  }
  return null;
}
