/** The drafts of open pull requests: documentation that was requested before the merge. */

import type { MergedChange } from "../../github/changes/change-details.ts";
import { withFields } from "../../ledger/file.ts";
import { intended } from "./batches.ts";
import { finish } from "./ends.ts";
import type { Draft, Ledger } from "./ledger.ts";
import { namesOf } from "./names.ts";
import {
  addStarts,
  type BatchRevision,
  isFollowable,
  removeBatch,
  timeOf,
  withEvent,
} from "./revision.ts";

/** Maximum number of drafts. Those of pull requests that were closed without a merge stay. */
const MOST_DRAFTS = 500;

/** The draft of a pull request, by the key that it has once it is merged. */
export function draftOf({ drafts }: Pick<Ledger, "drafts">, key: string): Draft | undefined {
  return drafts.find(({ changes }) => changes[0]?.key === key);
}

/** Records the intent to request the documentation of an open pull request. */
export function intendDraft(
  revision: BatchRevision,
  id: string,
  change: MergedChange,
): BatchRevision {
  const at = timeOf(revision);
  const draft = intended(
    { id, changes: [change], attempt: 1, followUp: null, origin: null, sentTo: null },
    at,
  );
  const drafts = [...revision.ledger.drafts, draft].slice(-MOST_DRAFTS);
  return withFields(
    addStarts(revision, [id]),
    { drafts },
    `Draft the documentation of ${namesOf([change])}`,
  );
}

/**
 * Turns the draft of a merged pull request into a batch with the draft's job.
 *
 * @param change the pull request as it was merged
 * @param head the tip of its branch, as it was merged
 * @returns whether there is such a batch; false also for a draft that failed, which is removed. One of whose job more
 *   may be known later needs a decision.
 */
export function takeMerged(
  revision: BatchRevision,
  change: MergedChange,
  head: string,
): { revision: BatchRevision; isTaken: boolean } {
  const draft = draftOf(revision.ledger, change.key);
  if (draft === undefined) return { revision, isTaken: false };
  const removed = removeBatch(revision, draft.id);
  const isFailed = draft.state === "failed" && !isFollowable(draft, revision.now);
  if (isFailed) return { revision: removed, isTaken: false };
  const isOutdated = draft.changes.some((it) => it.kind === "change" && it.sha !== head);
  const merged = { ...draft, changes: [change], isOutdated: draft.isOutdated || isOutdated };
  const event = `${namesOf([change])}, which has a draft, was merged`;
  const noted = withEvent(removed, event);
  if (merged.state === "done") {
    return { revision: finish(noted, merged, merged.job, merged.job.prLink), isTaken: true };
  }
  const batches = [...removed.ledger.batches, merged];
  return { revision: withFields(noted, { batches }), isTaken: true };
}
