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

export interface ServiceFacts {
  /** What the service answers to a request for the project's jobs; null if nothing was asked. */
  readonly project: ServiceTrial | null;
  /** Whether the request had a key and a project that may be right. */
  readonly isProjectTried: boolean;
  /** The same for the assistant. */
  readonly assistant: ServiceTrial | null;
}

/** Whether the token has a permission. */
export type Rights = Readonly<Partial<Record<TokenPermission, Fact<boolean>>>>;

/** What became of a ref below `refs/docs-agent/` that was made and deleted. */
export type RefTrial =
  | { readonly type: "made-and-deleted" }
  | { readonly type: "refused"; readonly reason: string }
  /** It is still there. */
  | { readonly type: "left"; readonly ref: string; readonly reason: string }
  | { readonly type: "unknown"; readonly reason: string };

/** A workflow file on the default branch. */
export interface WorkflowFile {
  readonly path: string;
  /** The events under `on:`; empty if it cannot be read. */
  readonly events: readonly string[];
  /** Whether a step of it uses one of these actions. */
  readonly isOurs: boolean;
}

/** A scheduled workflow with one of these actions. */
export interface Schedule {
  readonly path: string;
  /** As GitHub calls it: `active`, `disabled_inactivity`, …; null if GitHub does not list the workflow. */
  readonly state: string | null;
  readonly lastRun: LastRun;
}

/** The last run on a schedule. */
export type LastRun =
  | { readonly type: "none" }
  | { readonly type: "unread" }
  /** The conclusion is null while it runs. */
  | { readonly type: "begun"; readonly conclusion: string | null; readonly url: string };

/** What the rules of a branch ask for. */
export interface BranchRules {
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
  /** How many workflow runs wait for an approval. */
  readonly heldRuns: number;
}

/** The documentation's repository. */
export interface DocsFacts {
  /** `owner/name` */
  readonly repository: string;
  /** Whether it is the workflow's own. */
  readonly isOwn: boolean;
  readonly facts: Fact<RepositoryFacts>;
  readonly rights: Rights;
  readonly rules: Fact<BranchRules>;
  readonly workflows: Fact<readonly WorkflowFile[]>;
  /** Absent if it has none. */
  readonly newestPull: Fact<PullChecks>;
  /** The newest pull request of the agent that is known; absent for none. */
  readonly agentPull: Fact<PullChecks>;
}

/** A ledger of upkeep. */
export interface LedgerAge {
  readonly ref: string;
  /** When it was written last, and when its repository's branch changed last, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly changedAt: number;
}

export interface Ledgers {
  readonly ages: readonly LedgerAge[];
  /** How many more there are. */
  readonly unread: number;
}

export interface GitHubFacts {
  readonly type: "access";
  /** The workflow's own repository. */
  readonly own: RepositoryFacts;
  readonly rights: Rights;
  readonly trial: RefTrial;
  readonly workflows: Fact<readonly WorkflowFile[]>;
  readonly schedules: Fact<readonly Schedule[]>;
  readonly docs: DocsFacts;
  readonly ledgers: Fact<Ledgers>;
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
}

/** `no-access`: not even the repository can be read. */
export type GitHubAnswers =
  | GitHubFacts
  | {
      readonly type: "no-access";
      /** Whether somebody has to correct something. */
      readonly isWrong: boolean;
      /** A sentence. */
      readonly problem: string;
    };

/** Everything that findings are made of. */
export interface Facts {
  readonly inputs: DoctorInputs;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  /** Address of GitHub for people. */
  readonly serverUrl: string;
  /** Path of the workflow's file; null if it is not known. */
  readonly workflow: string | null;
  readonly service: ServiceFacts;
  readonly github: GitHubAnswers;
}

/** Whether the answer would be the same the next time, unless somebody corrects something. */
export function isRefusedRead(fact: Absent | Unread): boolean {
  return fact.type === "absent" || kindOfUnread(fact) === "github-refused";
}
