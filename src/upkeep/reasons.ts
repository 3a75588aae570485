/** Why upkeep hands over no more, or something else than planned: codes, and what each means. */

import { entryText, type RunTable, SHARED_REASONS, type SharedReason } from "../batches/reasons.ts";
import type { Exclusion } from "../github/changes/change-details.ts";
import { DAY } from "../runtime/clock.ts";
import { fixed, type ReasonOf, textOfReason, varying } from "../runtime/reason.ts";
import { capitalized, counted } from "../text/sentence.ts";

export const UPKEEP_REASONS = {
  ...SHARED_REASONS,
  // Nothing waits that may be handed over.
  "nothing-new": {
    result: "idle",
    ...fixed(
      "nobody",
      null,
      "Nothing is new, or all of it waits for a release.",
      "the next merge, or with `after: release` the next release",
    ),
  },
  // The last batch is at work.
  "at-work": {
    result: "busy",
    ...fixed(
      "agent",
      null,
      "The last batch is still at work.",
      "the end of its job; after `job-deadline-hours`, the boxes on the dashboard",
    ),
  },
  // With `open-pull-request: hold`.
  "docs-pull-open": {
    result: "held",
    ...fixed(
      "reviewer",
      null,
      "Changes wait until the docs pull request is merged or closed.",
      "merge or close it, or set `open-pull-request` to `continue` or `new`",
    ),
  },
  "daily-limit": {
    result: "limited",
    ...varying(
      "limit",
      null,
      { most: 24 },
      ({ most }) =>
        `The limit of ${counted(most, "job")} in 24 hours, set by \`max-jobs-per-day\`, is reached. ` +
        "The changes wait for a later run.",
      "a higher `max-jobs-per-day`, or time",
    ),
  },
  // The run's requests were used up: sources or changes wait for the next run.
  behind: {
    result: "behind",
    ...varying(
      "limit",
      null,
      { runs: 3 },
      ({ runs }) =>
        "This run's requests to GitHub were used up before all was read. The rest takes at least " +
        `${counted(runs, "more run")}.`,
      "the next runs; more runs, or several workflows with a `name` each, if it stays so",
    ),
  },
  // Their labels, files or description could not be read. `reason`: of the first one, the end of a sentence.
  "changes-unread": {
    result: "idle",
    ...varying(
      "github",
      DAY,
      { count: 2, reason: "GitHub returned 502" },
      ({ count, reason }) =>
        `${capitalized(counted(count, "change"))} could not be read, and ${count === 1 ? "waits" : "wait"}: ${reason}.`,
      "the next run reads them again; after a day, the boxes on the dashboard",
    ),
  },
} satisfies RunTable;

/** Why a run hands over no more. */
export type UpkeepReason = ReasonOf<typeof UPKEEP_REASONS>;

/** What there is to say besides. */
export const UPKEEP_WARNINGS = {
  "daily-limit": UPKEEP_REASONS["daily-limit"],
  behind: UPKEEP_REASONS.behind,
  "changes-unread": UPKEEP_REASONS["changes-unread"],
  "docs-pull-unread": varying(
    "github",
    null,
    { prLink: "https://github.com/acme/docs/pull/7" },
    ({ prLink }) => `The docs pull request ${prLink} could not be read, so it counts as open.`,
    "the token's permission `pull-requests: read` in its repository",
  ),
};

export type UpkeepWarning = ReasonOf<typeof UPKEEP_WARNINGS>;

/** What had changed right before a request, beside what all actions have. Each text is the middle of a sentence. */
export const CHANGED_REASONS = {
  excluded: varying<{ readonly place: string; readonly by: Exclusion }>(
    "nobody",
    null,
    { place: "acme/code#12", by: { code: "label", label: "skip-docs" } },
    ({ place, by }) => `${place} was excluded (${entryText(by)})`,
    "the next run passes it over, and hands over the others",
  ),
  // The next batch goes somewhere else, or waits: the docs pull request is another one, or in another state.
  "docs-pull-changed": fixed(
    "nobody",
    null,
    "the docs pull request was not what it had been",
    "the next run decides anew",
  ),
  // Fewer people can read the repository than the workflow's.
  "less-visible": varying(
    "person",
    null,
    { repository: "acme/code" },
    ({ repository }) => `${repository} could be read by fewer people than this repository`,
    "run upkeep in a private repository",
  ),
  "other-repository": varying(
    "nobody",
    null,
    { repository: "acme/code" },
    ({ repository }) => `another repository had the name ${repository}`,
    "the next run reads it by its present name",
  ),
  // What decides could not be read. `reason`: the end of a sentence.
  unread: varying(
    "github",
    null,
    { reason: "GitHub returned 502" },
    ({ reason }) => `what decides could not be read: ${reason}`,
    "the next run asks again",
  ),
};

export type ChangedReason = SharedReason | ReasonOf<typeof CHANGED_REASONS>;

/** The result and the explanation if a request was not sent. */
export function notSentResult(reason: ChangedReason) {
  if (isShared(reason)) {
    const { result } = SHARED_REASONS[reason.code];
    return { result, explanation: textOfReason(SHARED_REASONS, reason) };
  }
  const text = textOfReason(CHANGED_REASONS, reason);
  const explanation =
    `Right before the request, ${text}, so nothing was handed over. ` +
    "The next run decides again.";
  return { result: "idle" as const, explanation };
}

function isShared(reason: ChangedReason): reason is SharedReason {
  return reason.code in SHARED_REASONS;
}
