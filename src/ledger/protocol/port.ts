import type { LabelledIssue } from "../../github/labelled-issue.ts";
import type { Delivered } from "../../job/start.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Decision, Polled, PullRequest } from "../model/batch-ends.ts";
import type { BatchSent } from "../model/batch-requests.ts";
import type { LedgerIdentity } from "../model/file.ts";
import { type Batch, batchFormat, type Ledger } from "../model/ledger.ts";
import { type BatchRules, LedgerEdit } from "../model/ledger-edit.ts";
import type { LedgerStore, StoreOptions } from "./store.ts";

/** Identifies a ledger of batches, with its rules. Plain data. */
export interface LedgerSettings {
  identity: LedgerIdentity;
  rules: BatchRules;
  ref: string;
  runName: string;
}

export function storeOptions({
  ref,
  runName,
  identity,
  rules,
}: LedgerSettings): StoreOptions<Ledger, LedgerEdit> {
  const editOf = ({ ledger, now }: { ledger: Ledger; now: number }) =>
    new LedgerEdit(ledger, now, rules);
  return { ref, runName, format: batchFormat(identity), editOf };
}

/** What an action wants to hand over. */
export interface Choice {
  batches: Pick<Batch, "changes" | "attempt" | "followUp">[];
  /** Why it is not more, in the action's words. */
  reason: string;
}

/** The result of a batch's request. */
export interface Delivery extends Pick<Delivered, "isKeyRefused"> {
  sent: BatchSent;
  /** Whether it is the run's last request. */
  isLast: boolean;
}

/** The results of a run's requests, by the batch's ID. The post step of a killed run records them. */
export type RunMemory = { id: string; sent: BatchSent }[];

/** An action's part in a run of its ledger. */
export interface LedgerAction {
  /**
   * Finds changes or tasks, records them in the edit, and chooses what to hand over.
   *
   * @param sha the ledger's commit; null if there is none yet
   * @throws ActionError: nothing is sent and nothing written
   */
  choose(edit: LedgerEdit, sha: string | null): Promise<Choice>;
  send(batch: Pick<Batch, "id" | "changes">): Promise<Delivery>;
  /** Waits for the end of a batch's job, if the workflow wants that. Null if it has not ended. */
  wait?(batch: Batch): Promise<Polled | null>;
  /** Comments on merged pull requests. @returns the keys of those that need no further attempt */
  commentOn?(untold: Ledger["untold"]): Promise<string[]>;
  /** The dashboard's body, without its mark. */
  render(edit: LedgerEdit, ticked: readonly Decision[]): string;
}

/**
 * All effects of a ledger's run. A run may be killed before and after each call, and other runs may act in between.
 */
export interface LedgerPort {
  store: LedgerStore<Ledger, LedgerEdit>;
  issue: Pick<LabelledIssue, "find" | "open" | "read" | "write">;
  action: LedgerAction;
  clock: Pick<Clock, "now" | "timeOfDay">;
  /** @returns null if nothing could be read */
  poll(batch: Pick<Batch, "jobId" | "isFollowUp" | "acceptedAt">): Promise<Polled | null>;
  readPullRequest(link: string): Promise<PullRequest>;
  /** Saves what the post step needs if the run is killed; null for nothing. */
  remember(memory: RunMemory | null): void;
}
