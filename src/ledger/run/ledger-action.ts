import type { LedgerState } from "../model/read-ledger.ts";
import type { Batch, Change } from "../model/record.ts";
import type { Choice, SendResult } from "../protocol/effects.ts";

/** What an action decides, sends and shows, between the reading of its ledger and the writing. */
export interface LedgerAction<C extends Change> {
  choose(state: LedgerState<C>, ticked: string[]): Promise<Choice<C>>;
  send(batch: Batch<C>): Promise<SendResult>;
  /** The body and what its marker keeps beside the ledger. */
  render(state: LedgerState<C>, ticked: string[]): { text: string; shown: unknown };
  /** A batch is done; told before the ledger says so, so that a run that is killed here tells it again. */
  onDone(batch: Batch<C>): Promise<void>;
}
