/** Why a draft of documentation waits for its code, or is closed with it. */

import { DAY } from "../runtime/clock.ts";
import { fixed } from "../runtime/reason.ts";

/** How long code that was merged may take until upkeep has found it on its branch. */
const LANDING_LIMIT = 14 * DAY;

export const CODE_REASONS = {
  "code-open": fixed(
    "code",
    null,
    "It is merged after the code pull request that it documents.",
    "Merge or close the code pull request.",
  ),
  "code-unread": fixed(
    "github",
    DAY,
    "Whether the code pull request that it documents has landed could not be read.",
    "Check that the token can read its repository, or merge it by hand.",
  ),
  "code-elsewhere": fixed(
    "code",
    LANDING_LIMIT,
    "The code pull request that it documents was merged into another branch, and has not landed " +
      "yet on the one that upkeep reads.",
    "Merge that branch and run upkeep, or merge it by hand.",
  ),
  "code-merged": fixed(
    "code",
    LANDING_LIMIT,
    "The code pull request that it documents was merged, which upkeep has not recorded yet.",
    "Run upkeep, or merge it by hand.",
  ),
  "code-changed": fixed(
    "code",
    LANDING_LIMIT,
    "The code was merged at a different commit from the one it documents. Upkeep updates it first.",
    "Run upkeep, which sends the difference, or merge it by hand.",
  ),
  reopened: fixed(
    "person",
    null,
    "The code pull request that it documents was closed without merging, and somebody has reopened this one.",
    "Merge or close it by hand.",
  ),
  "code-closed": fixed(
    "code",
    null,
    "The code pull request that it documents was closed without merging.",
    "Land closes it.",
  ),
};
