/** Why upkeep hands over no more, or something else than planned: codes, and what each means. */

import {
  entryText,
  type RunTable,
  SHARED_REASONS,
  type SharedReason,
  sharedText,
  type WaitResult,
} from "../batches/reasons.ts";
import type { Exclusion } from "../github/changes/change-details.ts";
import type { ReasonEntry, ReasonTable } from "../runtime/reason.ts";
import { counted } from "../text/sentence.ts";

/** Why a run hands over no more. */
export type UpkeepReason =
  | SharedReason
  /** Nothing waits that may be handed over. */
  | { readonly code: "nothing-new" }
  /** The last batch is at work. */
  | { readonly code: "at-work" }
  /** With `open-pull-request: hold`. */
  | { readonly code: "docs-pull-open"; readonly prLink: string }
  | { readonly code: "daily-limit"; readonly most: number };

/** What there is to say besides. */
export type UpkeepWarning =
  | Extract<UpkeepReason, { code: "daily-limit" }>
  | {
      readonly code: "docs-pull-unread";
      readonly prLink: string;
      readonly countsAs: "open" | "closed";
    };

/** What had changed right before a request. Each text is the middle of a sentence, but for those that all actions have. */
export type ChangedReason =
  | SharedReason
  | { readonly code: "excluded"; readonly place: string; readonly by: Exclusion }
  /** The next batch goes somewhere else, or waits: the docs pull request is another one, or in another state. */
  | { readonly code: "docs-pull-changed" }
  /** Fewer people can read the repository than the workflow's. */
  | { readonly code: "less-visible"; readonly repository: string }
  /** What decides could not be read. `reason`: the end of a sentence. */
  | { readonly code: "unread"; readonly reason: string };

export const UPKEEP_REASONS: RunTable<UpkeepReason> = {
  ...SHARED_REASONS,
  "nothing-new": {
    result: "idle",
    waitsFor: "nobody",
    longest: null,
    text: () => "Nothing is new, or all of it waits for a release.",
    wayOut: "the next merge, or with `after: release` the next release",
  },
  "at-work": {
    result: "busy",
    waitsFor: "agent",
    longest: null,
    text: () => "The last batch is still at work.",
    wayOut: "the end of its job; after `job-deadline-hours`, the boxes on the dashboard",
  },
  "docs-pull-open": {
    result: "held",
    waitsFor: "reviewer",
    longest: null,
    text: () => "Changes wait until the docs pull request is merged or closed.",
    wayOut: "merge or close it, or set `open-pull-request` to `continue` or `new`",
  },
  "daily-limit": {
    result: "limited",
    waitsFor: "limit",
    longest: null,
    text: ({ most }) =>
      `The limit of ${counted(most, "job")} in 24 hours, set by \`max-jobs-per-day\`, is reached. The changes wait for a later run.`,
    wayOut: "a higher `max-jobs-per-day`, or time",
  },
};

const UPKEEP_WARNINGS: ReasonTable<UpkeepWarning> = {
  "daily-limit": UPKEEP_REASONS["daily-limit"],
  "docs-pull-unread": {
    waitsFor: "github",
    longest: null,
    text: ({ prLink, countsAs }) =>
      `The docs pull request ${prLink} could not be read, so it counts as ${countsAs} this time.`,
    wayOut: "the token's permission `pull-requests: read` in its repository",
  },
};

export const CHANGED_REASONS: ReasonTable<ChangedReason> = {
  ...SHARED_REASONS,
  excluded: {
    waitsFor: "nobody",
    longest: null,
    text: ({ place, by }) => `${place} was excluded (${entryText(by)})`,
    wayOut: "the next run passes it over, and hands over the others",
  },
  "docs-pull-changed": {
    waitsFor: "nobody",
    longest: null,
    text: () => "the docs pull request was not what it had been",
    wayOut: "the next run decides anew",
  },
  "less-visible": {
    waitsFor: "person",
    longest: null,
    text: ({ repository }) => `${repository} could be read by fewer people than this repository`,
    wayOut: "run upkeep in a private repository",
  },
  unread: {
    waitsFor: "github",
    longest: null,
    text: ({ reason }) => `what decides could not be read: ${reason}`,
    wayOut: "the next run asks again",
  },
};

export function reasonText(reason: UpkeepReason): string {
  const entry: ReasonEntry<UpkeepReason> = UPKEEP_REASONS[reason.code];
  return entry.text(reason);
}

export function reasonResult({ code }: UpkeepReason): WaitResult {
  return UPKEEP_REASONS[code].result;
}

export function upkeepWarningText(warning: UpkeepWarning): string {
  const entry: ReasonEntry<UpkeepWarning> = UPKEEP_WARNINGS[warning.code];
  return entry.text(warning);
}

/** Why a request was not sent. */
export function changedText(reason: ChangedReason): string {
  if (isShared(reason)) return sharedText(reason);
  const entry: ReasonEntry<ChangedReason> = CHANGED_REASONS[reason.code];
  const text = entry.text(reason);
  return `Right before the request, ${text}, so nothing was handed over. The next run decides again.`;
}

export function changedResult(reason: ChangedReason): WaitResult {
  return isShared(reason) ? SHARED_REASONS[reason.code].result : "idle";
}

function isShared(reason: ChangedReason): reason is SharedReason {
  return reason.code in SHARED_REASONS;
}
