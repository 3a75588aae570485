import { type Hold, limitHold } from "../batches/dashboard/open-items.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import { ignoringUnread } from "../batches/model/unread.ts";
import { WAITS } from "../batches/waits.ts";
import { textOfReason } from "../runtime/reason.ts";
import { decideTarget } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";
import { UPKEEP_REASONS } from "./reasons.ts";

/** What holds the waiting changes back by itself, for the dashboard; null if the next run hands them over. */
export function holdOf(revision: BatchRevision, inputs: UpkeepInputs): Hold | null {
  const target = decideTarget(ignoringUnread(revision), inputs);
  const { reviews, busyJobs } = revision.ledger;
  if (target.type === "hand-over") {
    const busy = busyJobs.find(({ jobId }) => jobId === target.jobId);
    return busy === undefined ? null : { text: WAITS["job-busy"].text({}), since: busy.since };
  }
  const { reason } = target;
  const text = textOfReason(UPKEEP_REASONS, reason);
  if (reason.code === "docs-pull-open") return { text, since: reviews.at(-1)?.endedAt ?? "" };
  return reason.code === "daily-limit" ? limitHold(revision.ledger, text) : null;
}
