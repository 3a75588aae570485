/** What a run of land reads before it decides: plain data. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import type { AskedJob, DailyRequests, FoundPull } from "./ledger.ts";
import type { Sight } from "./sight.ts";

/** A poll of a job, with the pull request in its record; null for none. */
export interface JobFacts {
  /** `unknown`: the service no longer knows the job. */
  readonly state: "active" | "ended" | "unknown" | "unread";
  readonly prLink: string | null;
}

/** `outdated`: merged at another head than the one that is documented. */
type CodePullState = "open" | "merged" | "outdated" | "closed" | "unread";

/** What was read about a docs pull request. */
export interface PullFacts {
  readonly pull: DocsPull;
  readonly job: JobFacts;
  /** The files that it changes at its head; null if it is not merged by them now. */
  readonly files: PullFiles | null;
  /** The state of the code pull request for which it is a draft; null for none. */
  readonly codePull: CodePullState | null;
  /** The end of the log of its preview's build; null if that did not fail, or could not be read. */
  readonly buildLog: string | null;
  readonly sight: Sight;
}

/** The build of a preview. */
export type BuildFacts =
  | { readonly type: "building" | "built" }
  /** `log`: its end. */
  | { readonly type: "failed"; readonly log: string }
  /** The service no longer knows the build. */
  | { readonly type: "forgotten" };

/**
 * `reason`: a sentence. `plainReason`: one that names neither accounts nor repositories. `isPassing`: whether the next
 * run may well read it.
 */
export interface UnreadPull {
  readonly type: "unread";
  readonly reason: string;
  readonly plainReason: string;
  readonly isPassing: boolean;
}

export type PullReading =
  /** `build`: null if no preview is being built, or it could not be read. */
  | { readonly type: "read"; readonly facts: PullFacts; readonly build: BuildFacts | null }
  | UnreadPull;

/** Another action's ledger at a commit. */
export interface OtherLedger {
  readonly ref: string;
  readonly sha: string;
  /** Its open docs pull requests. */
  readonly pulls: readonly FoundPull[];
  /** How many requests it sent to the agent, by day. */
  readonly requests: DailyRequests;
}

/** A job of a status comment that was polled. */
export interface AskedJobFacts {
  readonly job: AskedJob;
  readonly poll: JobFacts;
}

/** Where docs pull requests were found. */
export interface Sources {
  /** GitHub's time when the reading began, in milliseconds since 1970. Later comments are left to the next run. */
  readonly readAt: number;
  /** The ledgers that have changed. */
  readonly ledgers: readonly OtherLedger[];
  /** Jobs without a known docs pull request. */
  readonly jobs: readonly AskedJobFacts[];
}

export interface LandFacts {
  readonly sources: Sources;
  /** The open docs pull requests, by their URLs. */
  readonly pulls: ReadonlyMap<string, PullReading>;
  /** What the run warns of when it is over: sentences. */
  readonly warnings: readonly string[];
}
