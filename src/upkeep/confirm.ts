/** The decision on one batch, taken again right before its request. */

import type { HandOver } from "../batches/batch-program.ts";
import { pauseNow } from "../batches/confirm.ts";
import type { DashboardPlace } from "../batches/dashboard-issue.ts";
import { withdraw } from "../batches/model/batches.ts";
import type { Batch, Ledger } from "../batches/model/ledger.ts";
import { takeReview } from "../batches/model/reviews.ts";
import { type BatchRevision, type BatchRules, revisionOf } from "../batches/model/revision.ts";
import {
  changePlace,
  detailsOfKnown,
  type MergedChange,
  passedOver,
  repositoryIdIn,
} from "../github/changes/change-details.ts";
import { isLessVisible } from "../github/changes/history-records.ts";
import type { PresentState } from "../github/changes/present-state.ts";
import { type Fact, whyUnknown } from "../runtime/fact.ts";
import { pullRequestAt } from "../text/link.ts";
import { decideTarget } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { UpkeepReads } from "./reads.ts";
import type { ChangedReason } from "./reasons.ts";
import { isSame } from "./sources.ts";

/** What has changed since a hand-over was planned, in at most two requests; null if it is still to be sent. */
export async function confirmHandOver(
  act: HandOver,
  ledger: Ledger,
  reads: UpkeepReads,
  settings: {
    inputs: UpkeepInputs;
    rules: BatchRules;
    place: DashboardPlace;
    /** Of the workflow, as `owner/name`. */
    repository: string;
    serverUrl: string;
    /** GitHub's time, in milliseconds since 1970. */
    now: number;
  },
): Promise<ChangedReason | null> {
  const pause = await pauseNow(ledger, reads, settings.place);
  if (pause !== null) return pause;
  const intent = ledger.batches.find(({ id }) => id === act.id);
  if (intent?.state !== "intended") return { code: "other-run" };
  const revision = withdraw(revisionOf(ledger, settings.now, settings.rules), intent);
  const changes = act.changes.filter((change) => change.kind === "change");
  const others = otherRepositories(changes, settings.repository);
  const link = docsLink(intent, revision, settings.inputs);
  const question = {
    repositories: others.size === 0 ? [] : [settings.repository, ...others.keys()],
    changes: isFiltered(intent) ? changes.flatMap(pullPlace) : [],
    docsPull: link === null ? null : pullRequestAt(link, settings.serverUrl),
  };
  const isEmpty = question.repositories.length + question.changes.length === 0;
  if (isEmpty && question.docsPull === null) return null;
  const present = await reads.present(question);
  if (present.type !== "known") return ifUnread(present, others.size > 0);
  return (
    changedRepository(others, present.value, settings.repository) ??
    excludedChange(isFiltered(intent) ? changes : [], present.value, settings.inputs) ??
    otherTarget(act, revision, link, present.value, settings.inputs)
  );
}

/** Nothing is spent by what could not be read. Only of its own repository, what is refused for good changes nothing. */
function ifUnread(
  present: Exclude<Fact<PresentState>, { type: "known" }>,
  hasOthers: boolean,
): ChangedReason | null {
  const isRefused = present.type === "absent" || !present.isPassing;
  if (isRefused && !hasOthers) return null;
  return { code: "unread", reason: whyUnknown(present) };
}

/** What was handed over before goes out again, whatever its labels are. */
function isFiltered({ attempt, followUp }: Batch): boolean {
  return attempt === 1 && followUp === null;
}

/** IDs of the repositories of some changes, by their names as the plan read them. */
function otherRepositories(
  changes: readonly MergedChange[],
  own: string,
): ReadonlyMap<string, number | null> {
  const others = changes.filter(({ repository }) => !isSame(repository, own));
  return new Map(others.map(({ repository, key }) => [repository, repositoryIdIn(key)]));
}

/** The docs pull request that decides where a batch goes; null for none. */
function docsLink(
  { followUp }: Batch,
  { ledger }: BatchRevision,
  { openPullRequest }: UpkeepInputs,
): string | null {
  if (followUp !== null) return followUp.prLink;
  return openPullRequest === "new" ? null : (ledger.reviews.at(-1)?.prLink ?? null);
}

function pullPlace({ repository, number }: MergedChange) {
  return number === null ? [] : [{ repository, number }];
}

/** What GitHub says at this moment of the repositories that changes are from. */
function changedRepository(
  others: ReadonlyMap<string, number | null>,
  present: PresentState,
  own: string,
): ChangedReason | null {
  const place = present.repository(own);
  for (const [repository, id] of others) {
    const read = present.repository(repository);
    for (const fact of [read, place]) {
      if (fact.type === "unread" && fact.isPassing) return { code: "unread", reason: fact.reason };
    }
    const visibility = read.type === "known" ? read.value.visibility : null;
    const placeVisibility = place.type === "known" ? place.value.visibility : null;
    if (isLessVisible({ visibility }, { visibility: placeVisibility })) {
      return { code: "less-visible", repository };
    }
    const isOther = read.type !== "known" || (read.value.id !== null && read.value.id !== id);
    if (isOther) return { code: "other-repository", repository };
  }
  return null;
}

function excludedChange(
  changes: readonly MergedChange[],
  present: PresentState,
  inputs: UpkeepInputs,
): ChangedReason | null {
  for (const change of changes) {
    const [place] = pullPlace(change);
    const labels = place === undefined ? null : present.labels(place);
    if (labels?.type === "unread" && labels.isPassing) {
      return { code: "unread", reason: labels.reason };
    }
    if (labels?.type !== "known") continue;
    const details = { ...detailsOfKnown(change), labels: [...labels.value] };
    const by = passedOver(details, inputs);
    if (by !== null) return { code: "excluded", place: changePlace(change), by };
  }
  return null;
}

/** The same decision where the batch goes, by the docs pull request as it is now. */
function otherTarget(
  act: HandOver,
  revision: BatchRevision,
  link: string | null,
  { docsPull }: PresentState,
  inputs: UpkeepInputs,
): ChangedReason | null {
  const isKnown = link !== null && docsPull.type === "known";
  const target = decideTarget(isKnown ? takeReview(revision, link, docsPull) : revision, inputs);
  const jobId = act.type === "follow-up" ? act.jobId : null;
  const isStill = target.type === "hand-over" && target.jobId === jobId;
  return isStill ? null : { code: "docs-pull-changed" };
}
