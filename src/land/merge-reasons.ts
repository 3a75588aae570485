/** What previews, checks and GitHub keep land from merging, and what came of it when it tried. */

import { DAY, HOUR } from "../runtime/clock.ts";
import { fixed, varying } from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";
import { minuteText } from "../text/sentence.ts";
import { BY_HAND, BY_ITSELF, BY_PUSH, checkName, mergedOnce } from "./reason-kinds.ts";

const SAID = { words: "GitHub says `Squash merges are not allowed.`" };
const IF_REFUSED = "Change what GitHub names, then comment on the pull request.";
const CHECKS_LIMIT = 6 * HOUR;
const BY_CHECKS = "Run them again, or name them in `ignore-checks`.";

/** @param verb what could not be done */
function refusal(verb: string): (given: { readonly words: string }) => string {
  return ({ words }) => `It could not ${verb}: ${words}.`;
}

export const MERGE_REASONS = {
  // Previews and checks.
  "preview-building": fixed("service", DAY, mergedOnce("its preview is built"), BY_HAND),
  "preview-failed": fixed("checks", CHECKS_LIMIT, mergedOnce("its preview can be built"), BY_PUSH),
  "checks-unreadable": fixed(
    "person",
    null,
    "The token cannot read its checks, so failed checks are not sent to the agent, and it is not " +
      "merged. A token with `checks: read` and `statuses: read` can.",
    "Merge it by hand, or give the token `checks: read` and `statuses: read`.",
  ),
  "too-many-checks": fixed(
    "person",
    null,
    "It has too many checks to read them all, so a person has to merge it.",
    "Merge it by hand.",
  ),
  "too-many-runs": fixed(
    "person",
    null,
    "It has too many workflow runs to read them all, so a person has to merge it.",
    "Merge it by hand.",
  ),
  "check-failed": varying(
    "checks",
    CHECKS_LIMIT,
    { name: "links" },
    (given) => mergedOnce(`the check ${checkName(given.name)} is green`),
    "Fix it, or name it in `ignore-checks`.",
  ),
  "check-failed-approved": varying(
    "person",
    null,
    { name: "links", conclusion: "failure" },
    (given) =>
      `The check ${checkName(given.name)} ended with ` +
      `${inlineCode(given.conclusion) || "no conclusion"}, so it is not merged, although it is ` +
      "approved. Fix it, or name it in `ignore-checks`.",
    "Fix it, or name it in `ignore-checks`.",
  ),
  "check-missing": varying(
    "checks",
    CHECKS_LIMIT,
    { name: "build" },
    (given) => mergedOnce(`the check ${checkName(given.name)} has succeeded`),
    "Let it run, or take it out of `required-checks`.",
  ),
  "check-without-success": varying(
    "checks",
    CHECKS_LIMIT,
    { name: "build", conclusion: "skipped" },
    (given) =>
      mergedOnce(
        `the check ${checkName(given.name)} has succeeded, and it ended with ` +
          `${inlineCode(given.conclusion)}: run it again`,
      ),
    "Run it again.",
  ),
  "checks-pending": fixed(
    "checks",
    CHECKS_LIMIT,
    mergedOnce("its checks have finished"),
    BY_CHECKS,
  ),
  "workflows-pending": fixed(
    "checks",
    CHECKS_LIMIT,
    mergedOnce("its workflows have finished"),
    BY_CHECKS,
  ),
  // What GitHub says about the merge.
  "head-moved": fixed(
    "github",
    DAY,
    "Somebody has pushed while it was read. The next run reads it again.",
    BY_HAND,
  ),
  "in-queue": fixed("github", DAY, "It is in the merge queue.", BY_HAND),
  "merge-state-unknown": fixed(
    "github",
    DAY,
    "GitHub has not worked out yet whether it can be merged.",
    BY_HAND,
  ),
  "blocked-by-check": varying(
    "checks",
    CHECKS_LIMIT,
    { name: "build" },
    ({ name }) =>
      mergedOnce(`the check ${checkName(name)}, which a rule of its base wants, has succeeded`),
    "Run it again, or take it out of the rules of the base.",
  ),
  "blocked-by-threads": fixed(
    "reviewer",
    null,
    mergedOnce("all its review threads are resolved, as a rule of its base wants"),
    "Resolve them.",
  ),
  "blocked-by-signatures": fixed(
    "person",
    null,
    "A rule of its base wants signed commits.",
    "Merge it by hand, or take the rule out.",
  ),
  "blocked-by-deployments": fixed(
    "person",
    null,
    "A rule of its base wants a deployment of it to succeed.",
    "Deploy it, or take the rule out.",
  ),
  blocked: fixed(
    "person",
    null,
    "A rule of its base keeps it from being merged, which GitHub does not name to land.",
    "See the merge box of the pull request.",
  ),
  "queue-needs-token": fixed(
    "person",
    null,
    "Its base has a merge queue. What the workflow's own token puts into it starts no checks there.",
    "Add it to the queue by hand, or give land [another token](several-repositories.md).",
  ),
  "skip-mark": fixed(
    "person",
    null,
    "Its title, its description or a commit has a mark that skips workflows, such as " +
      "`[skip ci]`, which would be in the message of the merge.",
    "Merge it by hand, or take the mark out.",
  ),
  conflict: fixed("person", null, "It conflicts with its base.", "Resolve the conflict."),
  "merge-delay": varying(
    "limit",
    null,
    { until: "2026-11-22T14:05:00Z" },
    ({ until }) => `It is merged after ${minuteText(Date.parse(until))}, unless something changes.`,
    BY_ITSELF,
  ),
  "left-queue": fixed(
    "person",
    null,
    "The merge queue removed it. Check there why, then add it again.",
    "Add it to the queue again.",
  ),
  "not-updated": fixed(
    "person",
    null,
    "GitHub did not update its branch when asked. Update it by hand.",
    "Choose *Update branch*.",
  ),
  behind: fixed(
    "person",
    null,
    "A branch rule requires an up-to-date branch. Update it by hand, or give land a token other " +
      "than the workflow's own.",
    "Choose *Update branch*, or give land [another token](several-repositories.md).",
  ),
  // What came of an act.
  "merge-refused": varying("person", null, SAID, refusal("be merged"), IF_REFUSED),
  "queue-refused": varying(
    "person",
    null,
    SAID,
    refusal("be put into the merge queue"),
    IF_REFUSED,
  ),
  "update-refused": varying(
    "person",
    null,
    SAID,
    refusal("be brought up to date with its base"),
    IF_REFUSED,
  ),
  "close-refused": varying("person", null, SAID, refusal("be closed"), IF_REFUSED),
  "not-done": fixed("github", DAY, "The next run tries again.", BY_HAND),
  "not-confirmed": fixed(
    "github",
    DAY,
    "Right before it was done, this could not be confirmed: something has changed, or could not " +
      "be read. The next run decides again.",
    BY_HAND,
  ),
  queued: fixed("github", DAY, "It was put into the merge queue.", BY_HAND),
  updating: fixed(
    "github",
    DAY,
    "GitHub brings its branch up to date with its base, and the next run goes on.",
    BY_HAND,
  ),
  "maybe-sent": fixed(
    "agent",
    HOUR / 2,
    "The follow-up may have been received. The next run checks the result.",
    BY_ITSELF,
  ),
};
