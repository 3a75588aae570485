import * as z from "zod/mini";
import { createComment, newestComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { type ApiKeys, Markers } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import { pullLink } from "../ledger/dashboard/dashboard-lines.ts";
import type { Batch } from "../ledger/model/record.ts";
import type { Log } from "../runtime/log.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** A comment on a merged pull request: which job documented it. */
interface ToldMarker {
  job: string;
}

/**
 * Comments once on each merged pull request of a batch that is done. A comment that is there already, from
 * a run that was killed, is recognised. What GitHub refuses is a warning. Never throws.
 */
export async function commentOnPulls(
  batch: Batch<UpkeepChange>,
  { keys, projectId }: { keys: ApiKeys; projectId: string },
  connect: Connect,
  log: Log,
): Promise<void> {
  const markers = new Markers<ToldMarker>(
    { name: "upkeep told marker", owner: "project", schema: z.object({ job: z.string() }) },
    keys,
    projectId,
  );
  const job = batch.jobId ?? "";
  for (const { change } of batch.handed) {
    if (change.number === null) continue;
    const place = { repository: change.repository, issue: change.number };
    try {
      const github = await connect();
      let isTold = false;
      for await (const { body } of newestComments(github, place)) {
        isTold ||= markers.verify(body, place) !== null;
      }
      if (isTold) continue;
      const marker = markers.writeDraft(place, { job }, job);
      await createComment(github, place, `${textOf(batch.prLink)}\n\n${marker}`);
    } catch (error) {
      const { why } = explainRefusal(error, "pull-requests: write");
      log.warning(
        `${change.repository}#${change.number} could not be commented on: ${why}. The batch is not affected.`,
      );
    }
  }
}

function textOf(prLink: string | null): string {
  const pull = pullLink("pull request", prLink);
  return pull === null
    ? "### Docs agent\n\nThe documentation needed no change for this pull request."
    : `### Docs agent\n\nThe documentation of this change is in **${pull}**.`;
}
