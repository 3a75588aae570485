/**
 * How long what a batch, a change, a docs pull request or a source waits for may take: after that, it is a person's.
 * This is the only place that says how long. The ledger keeps when each wait began.
 */

import { DAY } from "../runtime/clock.ts";
import { fixed, type Waiter } from "../runtime/reason.ts";
import { minuteText } from "../text/sentence.ts";

/** A wait as long as the input `job-deadline-hours` says. */
const DEADLINE = "job-deadline-hours";

/** What ends a wait for a decision. */
export const BY_DECISION = "a box on the dashboard, or `decisions`";

/** Each text is a sentence about what has to happen. */
export const WAITS = {
  "source-unread": wait(
    "github",
    DAY,
    "A repository could not be read.",
    "the token's permissions `contents: read` and `pull-requests: read` there, or another `repositories`",
  ),
  // Its labels, files or description.
  "change-unread": wait("github", DAY, "The change could not be read.", BY_DECISION),
  "docs-pull-unread": wait("github", DAY, "The docs pull request could not be read.", BY_DECISION),
  // It is not on this GitHub, or the token may not read it.
  "docs-pull-elsewhere": wait(
    "reviewer",
    7 * DAY,
    "The docs pull request cannot be read from here, so it counts as open.",
    "time, or `open-pull-request: new`",
  ),
  "job-at-work": wait("agent", DEADLINE, "The job is at work.", BY_DECISION),
  "job-busy": wait("service", DEADLINE, "The job accepts no message for now.", "a new job"),
  "service-limit": wait(
    "limit",
    DAY,
    "The service's hourly limit is reached.",
    "fewer uses of the service by others",
  ),
  release: wait("release", null, "A release has to contain the change.", "a release"),
  "docs-pull-open": wait(
    "reviewer",
    null,
    "The docs pull request is open.",
    "merge or close it, or set `open-pull-request` to `continue` or `new`",
  ),
  "own-limit": wait("limit", null, "A limit that the workflow sets is reached.", "a higher limit"),
};

/** @param longest in milliseconds, or the input that says it; null for as long as it takes */
function wait(
  waitsFor: Waiter,
  longest: number | typeof DEADLINE | null,
  text: string,
  wayOut: string,
) {
  return { ...fixed(waitsFor, null, text, wayOut), longest };
}

/**
 * Whether a wait has taken longer than it may, so that it is a person's.
 *
 * @param since ISO 8601; what is no time is long ago
 */
export function isOverdue(
  wait: keyof typeof WAITS,
  since: string,
  { now, rules }: { readonly now: number; readonly rules: { readonly deadline: number } },
): boolean {
  const { longest } = WAITS[wait];
  if (longest === null) return false;
  return now - (Date.parse(since) || 0) > (longest === DEADLINE ? rules.deadline : longest);
}

/** Since when a wait has lasted, for people: the rest of a phrase, or nothing if that is not known. */
export function sinceText(since: string): string {
  const time = Date.parse(since);
  return Number.isNaN(time) ? "" : `since ${minuteText(time)}`;
}
