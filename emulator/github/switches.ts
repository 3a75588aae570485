/** Habits of GitHub that are rare, or that only some servers have. A scenario turns them on. */

import { OLD_VERSION } from "./versions.ts";

/** Of the whole site. */
export class Switches {
  /** How long after they are reported checks appear, in milliseconds. */
  checksLate = 0;
  /** Whether `/commits?since=` finds nothing behind an older commit, as `git log --since` does. */
  isSinceLikeGit = false;
  /** Whether lists lack `rel="last"`. Those of issues always do. */
  hasNoLastPage = false;
  /** The version of the REST API for requests that name none. */
  usualVersion = OLD_VERSION;
  /** How far the header `Date` is behind GitHub's time, in milliseconds. */
  dateBehind = 0;
  /** Requests an hour for each account; null for no limit. */
  hourlyLimit: number | null = null;
  /** Fields that GraphQL does not know, as on an older server. */
  unknownFields: readonly string[] = [];
  /** How many fields of the root a query of GraphQL can ask for: with more, it costs too much. Null for no limit. */
  mostRootFields: number | null = null;
  /** Whether lists in GraphQL hold `null` for what the token may not read, without an error. */
  hidesInSilence = false;
  /** Whether reviews and their comments lack `databaseId` in GraphQL. */
  hasNoDatabaseId = false;
  /** Logins of accounts that were deleted: their name is nowhere. */
  readonly ghosts = new Set<string>();
  /** Logins of accounts that are hidden, for example for spam: nobody else sees what they wrote. */
  readonly hidden = new Set<string>();
  /**
   * How long after a push that contains a pull request's commits GitHub notices that it is merged, in milliseconds.
   * Until then it is said to conflict.
   */
  pushedMergeDelay = 0;
}

/** Of one repository. */
export class RepositorySwitches {
  /** Commits that change too much: GitHub answers no request for a diff with them. */
  readonly huge = new Set<string>();
  /** Numbers of pull requests that GraphQL cannot resolve, although REST lists them. */
  readonly unresolvable = new Set<number>();
  /** Names of custom roles, by login; the role that they extend is in `roles`. */
  readonly customRoles = new Map<string, string>();
  /** Logins of members of the organization who keep that private. */
  readonly privateMembers = new Set<string>();
  /** Whether the message of a squash is the pull request's description, and not the messages of its commits. */
  isSquashedWithDescription = false;
  /** Whether it is a private repository on the plan *Free*: one reviewer, one assignee, no teams. */
  isOnFreePlan = false;
  /** Whether the setting *Allow GitHub Actions to create and approve pull requests* is off. */
  mayNotOpenPulls = false;
}
