/** Habits of GitHub that are rare, or that only some servers have. A scenario turns them on. */

import { OLD_VERSION } from "./versions.ts";

export class Switches {
  /** How long after they are reported checks appear, in milliseconds. */
  checksLate = 0;
  /** Whether `/commits?since=` finds nothing behind an older commit, as `git log --since` does. */
  isSinceLikeGit = false;
  /** Whether lists lack `rel="last"`. Those of issues always do. */
  hasNoLastPage = false;
  /** The version of the REST API for requests that name none. */
  usualVersion = OLD_VERSION;
}
