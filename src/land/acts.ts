/** What a run of land does about docs pull requests, and the results. */

import type { ActKey, BasicResult, Done } from "../ledger/program.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { LandFacts, PullFacts, PullReading } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry, LandLedger, Preview } from "./ledger.ts";
import { maySee } from "./sight.ts";
import type { Step } from "./step.ts";

/** Where a docs pull request is on GitHub, and how messages name it. */
export interface PullPlace {
  readonly url: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  /** Whether the log may name it. */
  readonly isNamed: boolean;
}

/** @param entry has the URL that the ledger knows it by */
export function placeOf(
  { url }: Pick<Entry, "url">,
  { pull: { repository, number }, sight }: Pick<PullFacts, "pull" | "sight">,
): PullPlace {
  return { url, repository, number, isNamed: maySee(sight.inLog, repository) };
}

/** `id`: of its intent, the same for all acts on a docs pull request. */
interface ActOn extends ActKey {
  readonly place: PullPlace;
}

/** An act that is only right for what was read about the docs pull request. */
interface ActOnFacts extends ActOn {
  /** GitHub's time when the reading began, in milliseconds since 1970. */
  readonly readAt: number;
}

/** Sets labels and assignees, and asks reviewers. */
export interface SetUp extends ActOn {
  readonly type: "set-up";
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** Logins, and teams as `team:slug`. */
  readonly reviewers: readonly string[];
}

/** Has the service build a preview. */
export interface StartPreview extends ActOn {
  readonly type: "preview";
  readonly branch: string;
  readonly head: string;
}

export interface SendFollowUp extends ActOnFacts {
  readonly type: "follow-up";
  readonly jobId: string;
  readonly prompt: string;
}

/** Merges the head that was judged. */
export interface Merge extends ActOnFacts {
  readonly type: "merge";
  readonly sha: string;
  /** A hash of what GitHub's refusal may depend on. */
  readonly circumstances: string;
  readonly method: LandInputs["mergeMethod"];
}

/** Puts the head that was judged into the merge queue. */
export interface Enqueue extends ActOnFacts {
  readonly type: "enqueue";
  /** ID of the pull request in GraphQL. */
  readonly pullId: string;
  readonly sha: string;
  readonly circumstances: string;
}

/** Has GitHub merge the base into the branch, at the head that was judged. */
export interface Update extends ActOnFacts {
  readonly type: "update";
  readonly sha: string;
  readonly circumstances: string;
}

/** Closes it, and then says in a comment why, and how to continue. */
export interface Close extends ActOnFacts {
  readonly type: "close";
  readonly circumstances: string;
  readonly text: string;
}

export interface Remind extends ActOn {
  readonly type: "remind";
  readonly text: string;
}

/** A docs pull request that could be read, and what is done about it. */
export interface ReadPull {
  readonly entry: Entry;
  readonly facts: PullFacts;
  readonly step: Step;
}

/** Brings the comment up to date. It also shows the results of earlier acts, so its text is not known yet. */
export interface KeepComment extends ActOn {
  readonly type: "comment";
  readonly subject: ReadPull;
}

/**
 * Always the last act on a docs pull request: it only ends the intent. Results are recorded in parts, and until this
 * one is recorded, no other run acts on the docs pull request.
 */
export interface Release extends ActOn {
  readonly type: "release";
}

/** Has the service build the documentation, after the merges of the run. */
export interface StartBuild extends ActKey {
  readonly type: "build";
  /** Whether a merge waits for it. If none does, the run first has to merge something. */
  readonly isDue: boolean;
}

/** An act on a docs pull request. */
export type PullAct =
  | SetUp
  | StartPreview
  | SendFollowUp
  | Merge
  | Enqueue
  | Update
  | Close
  | Remind
  | KeepComment
  | Release;

export type LandAct = PullAct | StartBuild;

/** The error with which the step fails. */
export type KeyError = Pick<ActionError, "kind" | "problem" | "advice">;

export type LandResult =
  /** `asked`: the reviewers. `isComplete`: false if the next run repeats it. */
  | { readonly type: "set-up"; readonly asked: readonly string[]; readonly isComplete: boolean }
  | { readonly type: "preview"; readonly preview: Preview }
  /** The service has accepted a build of the documentation. */
  | { readonly type: "started" }
  /** The job accepted the follow-up. */
  | { readonly type: "accepted" }
  /** The service accepts no more of these requests for now. */
  | { readonly type: "limited" }
  /** The job accepts no message for now. */
  | { readonly type: "busy" }
  /** The job accepts no follow-ups, or not this one. */
  | { readonly type: "refused"; readonly by: "job" | "content" }
  | { readonly type: "refused"; readonly by: "key"; readonly error: KeyError }
  /** Someone has pushed to its branch or its base meanwhile. The next run decides again. */
  | { readonly type: "overtaken" }
  /** Its reading is too long ago. The next run decides again. */
  | { readonly type: "outdated" }
  /** GitHub does not merge or close it. `reason`: a sentence. */
  | {
      readonly type: "unmergeable" | "unclosable";
      readonly reason: string;
      readonly circumstances: string;
    }
  /** Its conversation is locked, and takes no comment. */
  | { readonly type: "locked" }
  | { readonly type: "merged" }
  /** `head`: which the merge queue has taken. */
  | { readonly type: "queued"; readonly head: string }
  /** GitHub brings the branch up to date. `head`: before that. */
  | { readonly type: "updated"; readonly head: string }
  | { readonly type: "closed" }
  | { readonly type: "reminded" }
  | { readonly type: "commented"; readonly digest: string }
  /** There was nothing to do. */
  | { readonly type: "unchanged" }
  /** It failed, and the next run tries again. A warning has said why. */
  | { readonly type: "not-done" };

/** The types of land's program. */
export interface LandTerms {
  ledger: LandLedger;
  facts: LandFacts;
  stop: never;
  act: LandAct;
  result: LandResult;
  notes: LandNotes;
}

export type ActResult = LandResult | BasicResult;
export type DoneAct = Done<LandTerms>;
/** What identifies an act in the ledger. */
export type LandActKey = Pick<LandAct, "type" | "id">;

/** A docs pull request in a plan. */
export interface TrackedPull {
  /** As it is in the ledger once the plan is written. */
  readonly entry: Entry;
  readonly reading: PullReading;
  /** What is done about it, or why nothing is. */
  readonly step: Step;
  /** Why it needed a person when the run began; null if it did not. */
  readonly needed: string | null;
}

/** What a run says about its plan. */
interface LandNotes {
  readonly pulls: readonly TrackedPull[];
  /** As in {@link LandFacts}. */
  readonly warnings: readonly string[];
}

/** The ID of the acts on a docs pull request. Another decision's acts on it have another one. */
export function intentIdOf(decision: string, url: string): string {
  return `${decision} ${url}`;
}
