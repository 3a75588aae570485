/** What a run of land does about docs pull requests, and what comes of it. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { ActKey } from "../ledger/program.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { CodeState } from "./code-state.ts";
import type { PullDecision } from "./decide.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandLedger, Preview, PullEntry } from "./ledger.ts";
import type { LandReads } from "./reads.ts";
import type { LandReasonCode } from "./reasons.ts";
import { mayName, type VisibleRepositories } from "./visibility.ts";

/** A docs pull request that could be read, and what is done about it. */
export interface JudgedDocsPull {
  readonly entry: PullEntry;
  readonly decision: PullDecision;
  readonly pull: DocsPull;
  readonly code: CodeState;
  /** The names of its failed checks that are not sent, because they are red on its base, too. */
  readonly redOnBase: readonly string[];
  readonly visibility: VisibleRepositories;
}

/** Where a docs pull request is on GitHub, and how messages name it. */
export interface PullPlace {
  /** As the ledger knows it. */
  readonly url: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  /** Whether the log may name it. */
  readonly isNamed: boolean;
}

export function pullPlace({ entry: { url }, pull, visibility }: JudgedDocsPull): PullPlace {
  const { repository, number } = pull;
  return { url, repository, number, isNamed: mayName(visibility.inLog, repository) };
}

/** `id`: of its intent, the same for all acts on a docs pull request. */
interface ActOn extends ActKey {
  readonly place: PullPlace;
}

/** An act that is only right for the head and the base that were judged. `base`: the branch's name. */
interface ActAtHead extends ActOn {
  readonly head: string;
  readonly base: string;
}

/** An act on a docs pull request. */
export type PullAct =
  /** Sets labels and assignees, and asks reviewers: logins, and teams as `team:slug`. */
  | (ActOn & {
      readonly type: "set-up";
      readonly labels: readonly string[];
      readonly assignees: readonly string[];
      readonly reviewers: readonly string[];
      /** Whether it is known who all the reviewers are. */
      readonly areAll: boolean;
    })
  /** `problems`: their IDs. */
  | (ActAtHead & {
      readonly type: "follow-up";
      readonly jobId: string;
      readonly prompt: string;
      readonly problems: readonly string[];
    })
  /** `message`: land's own; null for GitHub's. */
  | (ActAtHead & {
      readonly type: "merge";
      readonly method: LandInputs["mergeMethod"];
      readonly message: {
        readonly title: string;
        readonly body: string;
      } | null;
    })
  /** Puts it into the merge queue. `pullId`: of the pull request in GraphQL. */
  | (ActAtHead & { readonly type: "enqueue"; readonly pullId: string })
  /** Has GitHub merge the base into the branch. */
  | (ActAtHead & { readonly type: "update" })
  | (ActAtHead & { readonly type: "close"; readonly reason: LandReasonCode })
  /**
   * Says in a comment why it was closed, and how to continue. `isClosed`: by an earlier run. If it was not, this run
   * first has to close it.
   */
  | (ActOn & { readonly type: "explain"; readonly isClosed: boolean; readonly text: string })
  /** Has the service build a preview. */
  | (ActOn & { readonly type: "preview"; readonly branch: string; readonly head: string })
  | (ActOn & { readonly type: "remind"; readonly text: string })
  /** Brings the comment up to date. It also shows the results of earlier acts, so its text is not known yet. */
  | (ActOn & { readonly type: "comment"; readonly subject: JudgedDocsPull })
  /**
   * Always the last act on a docs pull request: it only ends the intent. Results are recorded in parts, and until this
   * one is recorded, no other run acts on the docs pull request.
   */
  | (ActOn & { readonly type: "release" });

export type LandAct =
  | PullAct
  /**
   * Has the service build the documentation, after the merges of the run. `isDue`: whether a merge waits for it. If
   * none does, the run first has to merge something.
   */
  | (ActKey & { readonly type: "build"; readonly isDue: boolean });
export type ActOf<T extends LandAct["type"]> = Extract<LandAct, { readonly type: T }>;

/** What an accepted act has done. `unchanged`: there was nothing to do. */
export type LandValue =
  | {
      readonly type:
        | "sent"
        | "merged"
        | "closed"
        | "explained"
        | "reminded"
        | "started"
        | "unchanged";
    }
  /** `asked`: the reviewers. `isComplete`: false if the next run repeats it. */
  | { readonly type: "set-up"; readonly asked: readonly string[]; readonly isComplete: boolean }
  | { readonly type: "preview"; readonly preview: Preview }
  /** `queued`: the head that the queue has taken. `updated`: the head before GitHub brings it up to date. */
  | { readonly type: "queued" | "updated"; readonly head: string }
  | { readonly type: "commented"; readonly digest: string };

/** The types of land's program. */
export interface LandTerms {
  ledger: LandLedger;
  reads: LandReads;
  act: LandAct;
  value: LandValue;
}

/** An accepted act. */
export function accepted(value: LandValue): Delivery<LandValue> {
  return { type: "accepted", value };
}

/** The ID of the acts on a docs pull request. Another decision's acts on it have another one. */
export function intentIdOf(decision: string, url: string): string {
  return `${decision} ${url}`;
}
