import { pullNumber } from "../../text/link.ts";
import type { Batch, Review } from "./ledger.ts";
import type { LedgerEdit } from "./ledger-edit.ts";
import { namesOf } from "./names.ts";

/** A batch's job is done. @param prLink null: nothing had to change */
export function finish(edit: LedgerEdit, batch: Batch, prLink: string | null): void {
  if (batch.isOutdated) {
    goOn(edit, batch, prLink);
    return;
  }
  const { changes } = batch;
  const jobId = batch.jobId ?? "";
  edit.endBatch({ ...batch, prLink }, "done");
  const number = prLink === null ? "" : pullNumber(prLink);
  const pull = `docs pull request ${number === "" ? prLink : `#${number}`}`;
  edit.events.push(`Job ${jobId} completed: ${prLink === null ? "nothing to change" : pull}`);
  if (edit.rules.tells) {
    const told = changes.filter((it) => it.kind === "change" && it.number !== null);
    const untold = told.map((change) => ({ change, prLink, job: jobId }));
    edit.change({ untold: [...edit.ledger.untold, ...untold] });
  }
  if (prLink === null) {
    edit.addDone("none", null, changes);
    return;
  }
  const review = reviewOf(edit, prLink);
  edit.setReview({
    ...review,
    ...{ jobId, isClosedToBatches: false, changes: [...review.changes, ...changes] },
  });
}

/** A draft's job is done, and what was merged has commits that it does not know: they follow. */
function goOn(edit: LedgerEdit, batch: Batch, prLink: string | null): void {
  const { changes } = batch;
  const jobId = batch.jobId ?? "";
  edit.endBatch({ ...batch, prLink }, "again");
  edit.events.push(`Job ${jobId} drafted ${namesOf(changes)}, which got commits since`);
  edit.putBack([{ changes, attempts: 0, followUp: { jobId, prLink } }]);
  if (prLink !== null) edit.setReview({ ...reviewOf(edit, prLink), jobId });
}

/** What is known of a docs pull request. */
function reviewOf(edit: LedgerEdit, prLink: string): Omit<Review, "jobId"> {
  const known = edit.ledger.reviews.find((it) => it.prLink === prLink);
  return known ?? { prLink, at: edit.time, unread: 0, changes: [], isClosedToBatches: false };
}
