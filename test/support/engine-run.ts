/** A run of the ledger's engine over a ref in memory, with the small program of the model. */

import { Engine, Recorder } from "../../src/ledger/engine.ts";
import { unchanged } from "../../src/ledger/file.ts";
import type { Reading, Saved } from "../../src/ledger/program.ts";
import { LedgerStore } from "../../src/ledger/store.ts";
import {
  type ItemLedger,
  ItemProgram,
  type ItemTerms,
  itemFormat,
  type SendResult,
} from "./ledger-model/item-program.ts";
import { MemoryGit } from "./memory-git.ts";

export const REF = "refs/docs-agent/items/p";
export const ACCEPTED: SendResult = { type: "accepted" };

/** A program that sends to nobody, and says whatever a test wants of its reading. */
class TestProgram extends ItemProgram {
  /** Readings before those of the program itself. */
  readonly readings: Reading<ItemTerms>[] = [];
  readonly sent: number[] = [];

  constructor(landed: number, send: (item: number) => SendResult) {
    super({
      countLanded: () => landed,
      ask: async () => [],
      send: async (item) => {
        this.sent.push(item);
        return send(item);
      },
    });
  }

  override async read(head: Parameters<ItemProgram["read"]>[0]): Promise<Reading<ItemTerms>> {
    return this.readings.shift() ?? (await super.read(head));
  }
}

export class TestRun {
  readonly git = new MemoryGit();
  readonly program: TestProgram;
  readonly clock = { time: 0, now: () => this.clock.time, timeOfDay: () => this.clock.time };
  readonly store: LedgerStore<ItemLedger>;
  readonly recorder: Recorder<ItemTerms>;
  readonly saved: (Saved<ItemTerms> | null)[] = [];
  readonly stop = new AbortController();

  constructor(landed = 1, send: (item: number) => SendResult = () => ACCEPTED) {
    this.program = new TestProgram(landed, send);
    const options = { ref: REF, runName: "4242-1-a", format: itemFormat };
    this.store = new LedgerStore<ItemLedger>(this.git, options, this.clock);
    this.recorder = new Recorder(this.program, this.store);
  }

  run(options: { isDryRun?: boolean } = {}) {
    const { program, store, clock } = this;
    const save = (saved: Saved<ItemTerms> | null) => this.saved.push(structuredClone(saved));
    return new Engine({ program, store, clock, stop: this.stop.signal, save }).run(options);
  }

  /** Writes a ledger as another run would. @returns its commit */
  async write(fields: Partial<ItemLedger>): Promise<string> {
    const options = { ref: REF, runName: "other", format: itemFormat };
    const other = new LedgerStore<ItemLedger>(this.git, options, this.clock);
    await other.read();
    const { sha } = await other.commit(unchanged({ ...other.head.ledger, ...fields }));
    this.git.sha = sha;
    return sha;
  }

  /** The ledger that the ref names. */
  async ledger(): Promise<ItemLedger> {
    const options = { ref: REF, runName: "reader", format: itemFormat };
    return (await new LedgerStore<ItemLedger>(this.git, options, this.clock).read()).ledger;
  }
}

/** The intent of another run, which was written at the beginning of time. */
export const INTENT = { id: "old.1", item: 1, at: new Date(0).toISOString() };
