/** What land knows about docs pull requests. Times are ISO 8601, by GitHub's clock. */

import type { MergedChange } from "../github/changes/change-details.ts";
import { type LedgerFile, type Revision, timeText } from "../ledger/file.ts";
import type { ProblemCounts } from "./reason-kinds.ts";
import type { Reason } from "./reasons.ts";

/** A follow-up that went to the job of a docs pull request. */
export interface SentFollowUp {
  readonly at: string;
  /** Its problems. */
  readonly about: ProblemCounts;
  /** The head with these problems. */
  readonly head: string;
  /** Whether the service may not have received it. */
  readonly isUncertain: boolean;
}

/** A follow-up that a run is about to send. */
export interface IntendedFollowUp {
  readonly about: ProblemCounts;
  readonly head: string;
  /** IDs of its problems. */
  readonly problems: readonly string[];
}

/** What a run is about to do. Until it is done, no other run acts on the docs pull request. */
export interface Intent {
  /** The name of the decision that it follows from: no other decision of any run has it. */
  readonly decision: string;
  readonly at: string;
  /** Null for none, and as soon as its result is recorded. */
  readonly followUp: IntendedFollowUp | null;
  /** A hash of what GitHub's refusal of a merge or closing may depend on; null for other acts. */
  readonly circumstances: string | null;
}

/** A merge or closing that GitHub refused. */
export interface Refused {
  readonly act: "merge" | "close";
  readonly at: string;
  /** A hash of what was read then. */
  readonly circumstances: string;
  readonly reason: Reason;
}

/** A preview of a head. */
export type Preview = {
  readonly head: string;
} /** The log of a build is in no ledger: who sees the ledger may not be allowed to see it. */ & (
  | {
      readonly state: "building" | "built" | "failed";
      readonly statusId: string;
      readonly url: string;
    }
  /** The service builds none of this head. `words`: its own. */
  | { readonly state: "refused"; readonly words: string }
  /** The service no longer knows the build. */
  | { readonly state: "forgotten" }
);

/** A head that GitHub was asked to bring up to date with the base. `headAt`: as in {@link Entry}. */
export interface UpdatedHead {
  readonly head: string;
  readonly headAt: string;
}

/** What was read of a docs pull request last. `openedAt`: when it was opened. */
export interface LastRead {
  readonly openedAt: string;
  readonly head: string;
}

/** An open docs pull request. */
export interface Entry {
  readonly url: string;
  /** Its repository's ID, which stays when that is renamed or transferred; null if not known. */
  readonly repositoryId: number | null;
  readonly jobId: string;
  /** The merged changes that it documents. */
  readonly changes: readonly MergedChange[];
  /** Link to the comment in which the job was requested; null for a job from a ledger. */
  readonly askedAt: string | null;
  /** Link to the code pull request for which it is a draft; null for none. */
  readonly codePull: string | null;
  /** What was read of it last; null if it was not read yet. */
  readonly lastRead: LastRead | null;
  /** When a run first saw it, and first saw its head. */
  readonly foundAt: string;
  readonly headAt: string;
  /** Since when it cannot be read; null if it can. */
  readonly unreadFrom: string | null;
  /** E-mail address of the author of its first commit when it was first read: the agent. Null if not known. */
  readonly agent: string | null;
  readonly isEditedByOthers: boolean;
  /** Whether labels, assignees and reviewers were set. */
  readonly isSetUp: boolean;
  /** The reviewers. */
  readonly asked: readonly string[];
  /** Hash of the text of its comment; null if it has none. */
  readonly comment: { readonly digest: string } | null;
  readonly preview: Preview | null;
  readonly followUps: readonly SentFollowUp[];
  /** IDs of the checks, reviews and comments in follow-ups, even if they are gone: they may come back. */
  readonly sent: readonly string[];
  /** Whether the job accepts no follow-ups. */
  readonly isClosedToFollowUps: boolean;
  /** Whether GitHub refused a comment because its conversation is locked, and it still is. */
  readonly isClosedToComments: boolean;
  /** The last merge or closing that GitHub refused; null for none. */
  readonly refused: Refused | null;
  readonly isReminded: boolean;
  /** The heads from which GitHub was asked to bring its branch up to date. */
  readonly updated: readonly UpdatedHead[];
  /** The head that was put into the merge queue last; null for none. */
  readonly queued: string | null;
  /** Why it needs a person, as in the last warning; null if it does not. */
  readonly needs: Reason | null;
  readonly intent: Intent | null;
}

/** A docs pull request that was merged or closed. */
export interface Ended {
  readonly url: string;
  readonly state: "merged" | "closed";
  readonly openedAt: string | null;
  readonly endedAt: string;
  readonly isEditedByOthers: boolean;
  /** How many changes it documents. */
  readonly changes: number;
  /** The time of each. */
  readonly followUps: readonly string[];
}

/** What a run is about to do about a build. Until it is done, no other run starts one for the same merge. */
export interface BuildIntent {
  readonly decision: string;
  readonly at: string;
}

/** A merge that no build of the documentation was started for, although `deploy` asked for one. */
export interface UnbuiltMerge {
  /** The docs pull request. */
  readonly url: string;
  /** Null if the next run starts a build. */
  readonly intent: BuildIntent | null;
}

/** The job of a status comment. */
export interface AskedJob {
  readonly id: string;
  /** Link to the comment; null if it is not safe to show. */
  readonly askedAt: string | null;
  /** When the comment was last edited. */
  readonly at: string;
}

/** How many requests a ledger's actions sent to the agent, by day. */
export type DailyRequests = Readonly<Record<string, number>>;

export interface LandLedger extends LedgerFile {
  /** The commits at which other ledgers were read, by ref. */
  readonly ledgers: Readonly<Record<string, string>>;
  /** The requests of these ledgers, by ref. */
  readonly requests: Readonly<Record<string, DailyRequests>>;
  /** All status comments before this time were read; null before the first run. */
  readonly commentsFrom: string | null;
  /** Those that have not opened a pull request yet. */
  readonly jobs: readonly AskedJob[];
  readonly open: readonly Entry[];
  /** Those of the last 31 days, and at least ten, oldest first. */
  readonly ended: readonly Ended[];
  readonly unbuilt: readonly UnbuiltMerge[];
}

export type LandRevision = Revision<LandLedger>;

/** The facts about a docs pull request before it is read. */
export type FoundPull = Pick<Entry, "url" | "jobId" | "changes" | "askedAt" | "codePull">;

/** @param now GitHub's time, in milliseconds since 1970 */
export function newEntry(
  { url, jobId, changes, askedAt, codePull }: FoundPull,
  now: number,
): Entry {
  const at = timeText(now);
  return {
    url,
    repositoryId: null,
    jobId,
    changes,
    askedAt,
    codePull,
    lastRead: null,
    foundAt: at,
    headAt: at,
    unreadFrom: null,
    agent: null,
    isEditedByOthers: false,
    isSetUp: false,
    asked: [],
    comment: null,
    preview: null,
    followUps: [],
    sent: [],
    isClosedToFollowUps: false,
    isClosedToComments: false,
    refused: null,
    isReminded: false,
    updated: [],
    queued: null,
    needs: null,
    intent: null,
  };
}
