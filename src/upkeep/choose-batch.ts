import {
  detailsOfKnown,
  type MergedChange,
  passedOver,
  readDetails,
} from "../github/changes/change-details.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { FollowUp, Group, PassedOver, Review } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { Choice } from "../ledger/protocol/port.ts";
import { DAY } from "../runtime/clock.ts";
import { counted } from "../text/sentence.ts";
import type { Search } from "./find-changes.ts";

/**
 * Decides by the ledger alone whether and where the waiting changes are handed over.
 *
 * @returns `later`: why they are not handed over now, for the output `result`; null if they are. `jobId`: the job for a
 *   follow-up; null for a new job
 */
export function decideHandOver(
  edit: LedgerEdit,
  { openPullRequest, maxJobsPerDay }: Pick<UpkeepInputs, "openPullRequest" | "maxJobsPerDay">,
) {
  const { waiting, reviews } = edit.ledger;
  const later = (reason: string, warning = "") => ({ later: reason, jobId: null, warning });
  if (edit.active.length > 0) return later("busy");
  if (!waiting.some(({ isReleased }) => isReleased)) return later("idle");
  const isLimited = edit.startsWithin(DAY) >= maxJobsPerDay;
  const { followUp } = waiting.find(isFollowUp) ?? {};
  if (followUp !== undefined && !isLimited) {
    return { later: null, jobId: draftersJob(edit, followUp), warning: "" };
  }
  const review = openPullRequest === "new" ? undefined : reviews.at(-1);
  const isUnread = review !== undefined && review.unread > 0;
  if (review !== undefined && openPullRequest === "hold" && !isUnread) return later("held");
  if (isLimited) {
    return later(
      "limited",
      `The limit of ${counted(maxJobsPerDay, "job")} in 24 hours, set by \`max-jobs-per-day\`, is reached. The changes wait for a later run.`,
    );
  }
  const warning = isUnread
    ? `The docs pull request ${review.prLink} could not be read, so it counts as ${openPullRequest === "hold" ? "closed" : "open"} this time.`
    : "";
  const jobId = openPullRequest === "continue" ? jobOf(edit, review) : null;
  return { later: null, jobId, warning };
}

/** Follow-ups to a draft's job come first. */
function isFollowUp({ isReleased, followUp }: Group): boolean {
  return isReleased && followUp !== undefined;
}

/** The draft's job; null for a new one, if the docs pull request was merged or closed meanwhile. */
function draftersJob({ ledger }: LedgerEdit, { jobId, prLink }: FollowUp): string | null {
  const review = ledger.reviews.find((one) => one.prLink === prLink);
  return prLink === null || (review && !review.isClosedToBatches) ? jobId : null;
}

/** A pull request that cannot be read counts as open once. A job that takes too long gets no follow-ups. */
function jobOf({ ledger }: LedgerEdit, review: Review | undefined): string | null {
  if (review === undefined || review.isClosedToBatches || review.unread > 1) return null;
  const { jobId } = review;
  return ledger.batches.some((it) => it.state === "running" && it.jobId === jobId) ? null : jobId;
}

/**
 * Chooses the batch: a group that was handed over before, unchanged; otherwise the oldest changes that no filter excludes
 * by their labels and files.
 *
 * @param search gets the details of the changes that were found in earlier runs
 */
export async function chooseBatch(search: Search): Promise<Choice["batches"]> {
  const { edit, inputs, details, historyOf, requestsLeft } = search;
  const released = edit.ledger.waiting.filter(({ isReleased }) => isReleased);
  const first = released.find(isFollowUp) ?? released[0];
  const isAgain = first !== undefined && (first.attempts > 0 || isFollowUp(first));
  const chosen: MergedChange[] = [];
  const left: PassedOver[] = [];
  const groups = isAgain ? [first] : released.filter(({ attempts }) => attempts === 0);
  const changes = groups.flatMap((group) => group.changes).filter((one) => one.kind === "change");
  for (const change of changes) {
    const mayRead = requestsLeft() > 0;
    if (!isAgain && (chosen.length >= inputs.maxChanges || !mayRead)) break;
    const found = details.get(change.key);
    const read = mayRead
      ? await readDetails(found, change, await historyOf(change.repository))
      : (found ?? detailsOfKnown(change));
    details.set(change.key, read);
    const why = isAgain ? null : passedOver(read, inputs);
    if (why === null) chosen.push(change);
    else left.push({ change, why });
  }
  edit.passOver(left);
  if (chosen.length === 0) return [];
  const { attempts = 0, followUp } = first ?? {};
  return [{ changes: chosen, attempt: attempts + 1, ...(followUp && { followUp }) }];
}
