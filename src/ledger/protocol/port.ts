import type { LabelledIssue } from "../../github/conversation/labelled-issue.ts";
import type { Delivered } from "../../job/send.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { BatchSent, Decision, Polled, PullRequest } from "../model/batches.ts";
import type { LedgerIdentity } from "../model/file.ts";
import { type Batch, batchFormat, type Ledger } from "../model/ledger.ts";
import { type BatchRules, LedgerEdit } from "../model/ledger-edit.ts";
import type { Head, LedgerStore, StoreOptions } from "./store.ts";

/** Identifies a ledger of batches, with its rules. Plain data. */
export interface LedgerSettings {
  identity: LedgerIdentity;
  rules: BatchRules;
  ref: string;
  runName: string;
}

export function storeOptions(settings: LedgerSettings): StoreOptions<Ledger, LedgerEdit> {
  const { identity, rules } = settings;
  const editOf = ({ ledger, now }: Head<Ledger>) => new LedgerEdit(ledger, now, rules);
  return { ...settings, format: batchFormat(identity), editOf };
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

/** A batch that a run handed over, or tried to. */
export interface Handed extends Pick<Batch, "id" | "changes"> {
  sent: BatchSent;
}

/** An action's part in a run of its ledger. */
export interface LedgerAction {
  /**
   * Finds changes or tasks, records them in the edit, and chooses what to hand over.
   *
   * @throws ActionError: nothing is sent and nothing written
   */
  choose(edit: LedgerEdit): Promise<Choice>;
  send(batch: Pick<Batch, "changes">): Promise<Delivery>;
  /** Waits for the end of the job that took a batch, if the workflow wants that. Null if it has not ended. */
  wait?(): Promise<Polled | null>;
  /** Comments on merged pull requests. @returns the keys of those that need no further attempt */
  commentOn?(untold: Ledger["untold"]): Promise<string[]>;
  /** The dashboard's body, without its mark. */
  render(edit: LedgerEdit, ticked: readonly Decision[]): string;
}

export interface RunSettings {
  /** The issue that the workflow names. */
  dashboard: number | null;
  /** Whether nothing is written or sent. */
  isDryRun: boolean;
  /**
   * The issue whose edit triggered the run. The run continues only if it is the dashboard. 0 if the edit needs no
   * action; null for another event.
   */
  editedIssue: number | null;
}

/**
 * The settings of a ledger's run, and all its effects but for those of the action. A run may be killed before and after
 * each call, and other runs may act in between.
 */
export interface LedgerPort {
  settings: RunSettings;
  store: LedgerStore<Ledger, LedgerEdit>;
  issue: Pick<LabelledIssue, "find" | "open" | "read" | "write">;
  dependencies: { clock: Pick<Clock, "now" | "timeOfDay"> };
  /** @returns null if nothing could be read */
  poll(batch: Pick<Batch, "jobId" | "isFollowUp" | "acceptedAt">): Promise<Polled | null>;
  readPullRequest(link: string): Promise<PullRequest>;
  /** Saves what the post step records if the run is killed; null for nothing. */
  remember(handed: readonly Handed[] | null): void;
}
