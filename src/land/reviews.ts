/** Whose reviews and comments on a docs pull request count, and what they keep from happening. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { OpenComment, Review } from "../github/changes/docs-pull-words.ts";
import type { LandInputs } from "./inputs.ts";
import type { PullEntry } from "./ledger.ts";
import type { LandReason } from "./reasons.ts";

/** Whether the words of an account count: a person's with write permission, or those of a bot that is named. */
function counts({ author, isByBot, mayWrite }: Review | OpenComment, { allowedBots }: LandInputs) {
  if (!isByBot) return mayWrite;
  return author !== null && allowedBots.some((login) => withoutBot(login) === withoutBot(author));
}

function withoutBot(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, "");
}

/** Whether a text is between people: it begins with `/aside`. */
export function isAside(body: string): boolean {
  return /^\s*\/aside(?![\w-])/i.test(body);
}

/** The newest opinions that count. The author's own does not. */
function opinionsOf({ reviews, author }: DocsPull, rules: LandInputs): Review[] {
  return reviews.filter((review) => counts(review, rules) && review.author !== author);
}

/** The requests for changes that still stand. */
export function objections(pull: DocsPull, rules: LandInputs): Review[] {
  return opinionsOf(pull, rules).filter(({ state }) => state === "changes_requested");
}

/**
 * The newest approval of the last commit; null if there is none. An update of its branch by land is not a commit. It
 * ends when its author is asked for another review, and when the base is changed.
 */
export function approvalOf(
  pull: DocsPull,
  { updated }: PullEntry,
  rules: LandInputs,
): Review | null {
  const before = pull.headsBeforeUpdates.filter((sha) => updated.some(({ head }) => head === sha));
  const heads = [pull.head, ...before];
  const approvals = opinionsOf(pull, rules).filter(
    ({ state, head, at, isAskedAgain }) =>
      state === "approved" &&
      head !== null &&
      heads.includes(head) &&
      !isAskedAgain &&
      isAfter(at, pull.baseChangedAt),
  );
  const byTime = approvals.toSorted(
    (review, other) => Date.parse(review.at) - Date.parse(other.at),
  );
  return byTime.at(-1) ?? null;
}

/** Whether something was later than something else, if that was at all. Both are GitHub's times. */
function isAfter(at: string, other: string | null): boolean {
  return other === null || Date.parse(at) > Date.parse(other);
}

/** Whether its base was changed after land found it, so that what was judged before was about another one. */
export function isRetargeted({ baseChangedAt }: DocsPull, { foundAt }: PullEntry): boolean {
  return baseChangedAt !== null && !isAfter(foundAt, baseChangedAt);
}

/** The unresolved comments that count, without those between people. */
export function commentsOf({ openComments, author }: DocsPull, rules: LandInputs): OpenComment[] {
  return openComments.filter(
    (comment) => counts(comment, rules) && comment.author !== author && !isAside(comment.body),
  );
}

/** Whether all reviews and comments that may count were read. */
export function areReviewsRead(pull: DocsPull, { allowedBots }: LandInputs): boolean {
  return pull.hasAllWords && (allowedBots.length === 0 || pull.hasAllBotReviews);
}

/**
 * What people still have to say before a merge; null for nothing.
 *
 * @param approval of its last commit
 * @param needsApproval whether it is merged only once it is approved
 */
export function missingReviews(
  pull: DocsPull,
  approval: Review | null,
  needsApproval: boolean,
  rules: LandInputs,
): LandReason | null {
  const [against] = objections(pull, rules);
  if (against !== undefined) return { code: "objection", author: against.author };
  const comments = commentsOf(pull, rules);
  if (approval !== null) {
    // Whoever approved knew what was said before.
    const isLater = ({ at }: OpenComment) => isAfter(at, approval.at);
    if (comments.some(isLater)) return { code: "comments-after-approval" };
  } else {
    if (needsApproval) return { code: "approval" };
    if (comments.length > 0) return { code: "comments-open" };
  }
  return pull.lacksReviews ? { code: "reviews-wanted" } : null;
}
