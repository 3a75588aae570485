import type { DashboardWords } from "../dashboard/render.ts";
import type { Polled } from "../model/batch-events.ts";
import type { Batch, Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { Choice, Delivery } from "../protocol/port.ts";

/** What an action with a ledger adds to it: what there is to hand over, and how that is described. */
export interface LedgerAction {
  /**
   * Finds out what there is, writes it into the edit, and chooses what to hand over.
   *
   * @param sha the commit that the ledger is at; null: there is none yet
   * @throws ActionError: nothing is sent and nothing written
   */
  choose(edit: LedgerEdit, sha: string | null): Promise<Choice>;
  /** Sends a batch. */
  send(batch: Batch): Promise<Delivery>;
  /** Waits for the end of a batch's job, if the workflow wants that. Null: it has none yet. */
  wait(batch: Batch): Promise<Polled | null>;
  /** Comments on merged pull requests. @returns keys of those that need no comment any more */
  tell(untold: Ledger["untold"]): Promise<string[]>;
  dashboard(edit: LedgerEdit): DashboardWords;
}
