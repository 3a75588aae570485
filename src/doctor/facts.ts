/** What doctor knows, before it judges. Every text in it is the rest of a sentence, unless it says otherwise. */

import { kindOfUnread, type TokenPermission } from "../github/api/explain.ts";
import type { RepositoryFacts } from "../github/changes/history-records.ts";
import type { PlainError } from "../runtime/delivery.ts";
import type { Absent, Fact, Unread } from "../runtime/fact.ts";
import type { Failure } from "../service/errors.ts";
import type { DoctorInputs } from "./inputs.ts";

/** The answer of the service to a trial. */
export type ServiceTrial =
  | { readonly type: "accepted" }
  /** The request was refused for its content, as it was meant to be. */
  | { readonly type: "content-refused" }
  | {
      readonly type: "failed";
      readonly failure: Failure;
      readonly explained: PlainError;
    }
  /** A proxy whose settings cannot be used: a sentence. */
  | { readonly type: "proxy"; readonly problem: string };

/** Whether the token has a permission. */
export type Rights = Readonly<Partial<Record<TokenPermission, Fact<boolean>>>>;

/** A workflow file on the default branch. */
export interface WorkflowFile {
  readonly path: string;
  /** What starts it; null if the file was not read to its end, or cannot be read. */
  readonly triggers: Triggers | null;
  /** Whether a step of it uses one of these actions. */
  readonly isOurs: boolean;
}

export interface Triggers {
  /** The events under `on:` about which something is found. */
  readonly events: readonly string[];
  readonly crons: readonly string[];
  /** Whether the schedule is in UTC, without a time zone of its own. */
  readonly isUtc: boolean;
}

/** A scheduled workflow with one of these actions. */
export interface Schedule extends Pick<Triggers, "crons" | "isUtc"> {
  readonly path: string;
  /** As GitHub calls it: `active`, `disabled_inactivity`, …; null if GitHub does not list the workflow. */
  readonly state: string | null;
  /** Since when it could run: when it was made, or was enabled again. In milliseconds since 1970; null if not known. */
  readonly since: number | null;
  /** The newest runs on a schedule. */
  readonly runs: Fact<{
    /** When the newest began, whatever came of it, in milliseconds since 1970; null if there is none. */
    readonly newestAt: number | null;
    /** The newest that succeeded or failed; null if none of those that were read did. */
    readonly concluded: {
      readonly isFailed: boolean;
      readonly conclusion: string;
      readonly url: string;
    } | null;
  }>;
}

/** What the rules of a branch ask for. */
export interface DocsBranchRules {
  /** Names of the checks that have to be green. */
  readonly requiredChecks: readonly string[];
  readonly hasMergeQueue: boolean;
}

/** The newest pull request, or another one, and what was reported on its head. */
export interface PullChecks {
  readonly number: number;
  readonly url: string;
  /** Names of its checks and statuses. */
  readonly checks: readonly string[];
  /** Names of those that are no job of a workflow. */
  readonly fromElsewhere: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  /** When it was changed last, in milliseconds since 1970. */
  readonly changedAt: number;
  /** How many workflow runs wait for an approval; null if that is not known. */
  readonly heldRuns: number | null;
}

/** The documentation's repository. */
export interface DocsFacts {
  /** `owner/name` */
  readonly repository: string;
  /** Whether it is the workflow's own. */
  readonly isOwn: boolean;
  /** Whether an input or a pull request of the agent names it. Otherwise it is taken for the workflow's own. */
  readonly isNamed: boolean;
  readonly facts: Fact<RepositoryFacts>;
  readonly rights: Rights;
  readonly rules: Fact<DocsBranchRules>;
  readonly workflows: Fact<readonly WorkflowFile[]>;
  /** Absent if it has none. */
  readonly newestPull: Fact<PullChecks>;
  /** The newest pull request of the agent that is known; absent for none. */
  readonly agentPull: Fact<PullChecks>;
}

/** A ledger of upkeep. */
export interface LedgerAge {
  readonly ref: string;
  /** When it was written last, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** Whether a branch that it watches has changed since. Read only of a ledger that was silent for long. */
  readonly isBehind: Fact<boolean>;
  /** The dashboard that somebody closed to pause upkeep; absent for none. Read only of a ledger that is behind. */
  readonly closedDashboard: Fact<number>;
}

/** What GitHub makes of the token. `problem`: a sentence. */
export type TokenFact =
  | { readonly type: "accepted" }
  | { readonly type: "refused" | "unknown"; readonly problem: string };

export interface GitHubFacts {
  readonly token: TokenFact;
  /** The workflow's own repository. */
  readonly own: Fact<RepositoryFacts>;
  readonly rights: Rights;
  /** What became of a ref beside those of ledgers that was made and deleted. */
  readonly trial:
    | { readonly type: "made-and-deleted" }
    | { readonly type: "refused"; readonly reason: string }
    /** It is still there. */
    | { readonly type: "left"; readonly ref: string; readonly reason: string }
    | { readonly type: "unknown"; readonly reason: string };
  readonly workflows: Fact<readonly WorkflowFile[]>;
  /** Everything that is known of schedules. */
  readonly schedules: Fact<{
    readonly named: readonly Schedule[];
    /** Paths of files that may have a schedule with one of these actions, and could not be read. */
    readonly unreadFiles: readonly string[];
  }>;
  readonly docs: DocsFacts;
  readonly ledgers: Fact<{
    readonly ages: readonly LedgerAge[];
    /** How many more there are. */
    readonly unread: number;
  }>;
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
}

/** Everything that findings are made of. */
export interface Facts {
  readonly inputs: DoctorInputs;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  /** Address of GitHub for people. */
  readonly serverUrl: string;
  /** Path of the workflow's file; null if it is not known. */
  readonly workflow: string | null;
  readonly service: {
    /** What the service answers to a request for the project's jobs; null if nothing was asked. */
    readonly project: ServiceTrial | null;
    /** Whether the request had a key and a project that may be right. */
    readonly isProjectTried: boolean;
    /** The same for the assistant. */
    readonly assistant: ServiceTrial | null;
  };
  readonly github: GitHubFacts;
}

/** Whether the answer would be the same the next time, unless somebody corrects something. */
export function isRefusedRead(fact: Absent | Unread): boolean {
  return fact.type === "absent" || kindOfUnread(fact) === "github-refused";
}
