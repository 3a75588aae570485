import type { LabelledIssue } from "../../github/labelled-issue.ts";
import type { Delivered } from "../../job/start.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Decision, Polled, PullRequest } from "../model/batch-ends.ts";
import type { BatchSent } from "../model/batch-requests.ts";
import type { LedgerIdentity } from "../model/file.ts";
import { type Batch, batchFormat, type Ledger } from "../model/ledger.ts";
import { type BatchRules, LedgerEdit } from "../model/ledger-edit.ts";
import type { LedgerStore, StoreOptions } from "./store.ts";

/** Which ledger of batches it is, and its rules: plain data. */
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
  /** Why it is no more than that, as the action calls it. */
  reason: string;
}

/** How the request for a batch came out. */
export interface Delivery extends Pick<Delivered, "isKeyRefused"> {
  sent: BatchSent;
  /** No further request makes sense in this run. */
  isLast: boolean;
}

/** What the post step needs of the batches of a run that was killed: by ID, how their requests came out. */
export type RunMemory = { id: string; sent: BatchSent }[];

/** What an action adds to its ledger. */
export interface LedgerAction {
  /**
   * Finds out what there is, writes it into the edit, and chooses what to hand over.
   *
   * @param sha the commit that the ledger is at; null: there is none yet
   * @throws ActionError: nothing is sent and nothing written
   */
  choose(edit: LedgerEdit, sha: string | null): Promise<Choice>;
  send(batch: Pick<Batch, "id" | "changes">): Promise<Delivery>;
  /** Waits for the end of a batch's job, if the workflow wants that. Null: it has none yet. */
  wait?(batch: Batch): Promise<Polled | null>;
  /** Comments on merged pull requests. @returns those that need no comment any more, by their keys */
  tell?(untold: Ledger["untold"]): Promise<string[]>;
  /** The dashboard's body, without its mark. */
  render(edit: LedgerEdit, ticked: readonly Decision[]): string;
}

/**
 * All that a run of a ledger does to the world. A run may die before and after each call, and other runs
 * may do anything in between.
 */
export interface LedgerPort {
  store: LedgerStore<Ledger, LedgerEdit>;
  issue: Pick<LabelledIssue, "find" | "open" | "read" | "write">;
  action: LedgerAction;
  clock: Pick<Clock, "now" | "timeOfDay">;
  /** @returns null: nothing that could be read */
  poll(batch: Pick<Batch, "jobId" | "isFollowUp" | "acceptedAt">): Promise<Polled | null>;
  readPullRequest(link: string): Promise<PullRequest>;
  /** Leaves to the post step what it needs should the run be killed; null: nothing. */
  remember(memory: RunMemory | null): void;
}
