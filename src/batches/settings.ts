/** What the plans and records of a run go by. */

import type { Answer } from "../inputs/decisions.ts";
import type { DashboardPlace } from "./dashboard-issue.ts";
import type { BatchRules } from "./model/revision.ts";

/** Identifies a ledger of batches, with its rules. Plain data, which the main step saves for its post step. */
export interface LedgerAddress {
  identity: { action: string; project: string };
  rules: BatchRules;
  ref: string;
  runName: string;
  repository: string;
  githubApiUrl: string;
}

/** What every plan of a run goes by. */
export interface PlanSettings {
  rules: BatchRules;
  runName: string;
  /** Where the ledger is shown. */
  place: DashboardPlace;
  /** What a person answers in this run, if it is by hand. */
  answered: {
    readonly answers: readonly Answer[];
    /** The ID of the workflow run; null if it is not known. */
    readonly run: string | null;
  };
  /** The edit of an issue that triggered the run. */
  edit: /** Another event triggered the run. */
    | { type: "none" }
    /** It needs no action: another action of this event, or an edit by a bot or by the action itself. */
    | { type: "ignored" }
    /** The run continues only if the issue is its dashboard. `body`: after the edit. */
    | { type: "edited"; issue: number; body: string };
}
