/** The classes that a run of the model is made of: the real ones, or some of them with a step left out. */

import { Engine } from "../../../src/ledger/engine.ts";
import { Recorder } from "../../../src/ledger/recorder.ts";
import { LedgerStore } from "../../../src/ledger/store.ts";
import { ItemProgram } from "./item-program.ts";

export interface Protocol {
  readonly Engine: typeof Engine;
  /** Of the post step. */
  readonly Recorder: typeof Recorder;
  readonly LedgerStore: typeof LedgerStore;
  readonly ItemProgram: typeof ItemProgram;
}

export const PROTOCOL: Protocol = { Engine, Recorder, LedgerStore, ItemProgram };
