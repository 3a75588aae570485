/** A run of the ledger's engine over a ref in memory, with the small program of the model. */

import type { DryRun } from "../../src/inputs/ledger.ts";
import { Engine } from "../../src/ledger/engine.ts";
import { unchanged } from "../../src/ledger/file.ts";
import type { ActKey, Planned, Program, Saved } from "../../src/ledger/program.ts";
import { Recorder } from "../../src/ledger/recorder.ts";
import { LedgerStore } from "../../src/ledger/store.ts";
import type { Delivery } from "../../src/runtime/delivery.ts";
import {
  type ItemLedger,
  ItemProgram,
  type ItemTerms,
  itemFormat,
} from "./ledger-model/item-program.ts";
import { MemoryGit } from "./memory-git.ts";

export const REF = "refs/docs-agent/items/p";
export const ACCEPTED: Delivery<null> = { type: "accepted", value: null };

/** A program that sends to nobody, and plans whatever a test wants. */
class TestProgram extends ItemProgram {
  /** What is planned before the plans of the program itself. */
  readonly planned: Planned<ItemTerms, null>[] = [];
  /** Items that a person has revoked. */
  readonly revoked: number[] = [];
  /** The requests that were made, in their order: `landed?`, `revoked? 1,2`, `send 1`. */
  readonly requests: string[] = [];
  /** Called before each request. */
  beforeRequest: (request: string) => void = () => {};

  constructor(landed: number, send: (item: number) => Delivery<null>) {
    super({
      countLanded: () => {
        this.#note("landed?");
        return landed;
      },
      ask: async () => [],
      readRevoked: async (items) => {
        this.#note(`revoked? ${items}`);
        return items.filter((item) => this.revoked.includes(item));
      },
      send: async (item) => {
        this.#note(`send ${item}`);
        return send(item);
      },
    });
  }

  #note(request: string): void {
    this.beforeRequest(request);
    this.requests.push(request);
  }

  get sent(): number[] {
    const sends = this.requests.filter((request) => request.startsWith("send "));
    return sends.map((request) => Number(request.slice(5)));
  }

  override async plan(...args: Parameters<ItemProgram["plan"]>) {
    return this.planned.shift() ?? (await super.plan(...args));
  }
}

export class TestRun {
  readonly git: MemoryGit;
  readonly program: TestProgram;
  readonly clock = { time: 0, now: () => this.clock.time, timeOfDay: () => this.clock.time };
  readonly store: LedgerStore<ItemLedger>;
  readonly recorder: Recorder<ItemTerms>;
  readonly engine: Engine<ItemTerms>;
  readonly saved: (Saved<ItemTerms> | null)[] = [];
  readonly stop = new AbortController();

  constructor(
    landed = 1,
    send: (item: number) => Delivery<null> = () => ACCEPTED,
    git = new MemoryGit(),
  ) {
    this.git = git;
    this.program = new TestProgram(landed, send);
    const options = { ref: REF, runName: "4242-1-a", format: itemFormat };
    this.store = new LedgerStore<ItemLedger>(this.git, options, this.clock);
    this.recorder = new Recorder<ItemTerms>(this.program.record.bind(this.program), this.store);
    const { program, store, clock } = this;
    const save = (saved: Saved<ItemTerms> | null) => this.saved.push(structuredClone(saved));
    this.engine = new Engine({ program, store, clock, stop: this.stop.signal, save });
  }

  /** Runs the program's plan. */
  run(options: { dryRun?: DryRun; isRead?: boolean; leavesResults?: boolean } = {}) {
    return this.engine.run(this.program.plan.bind(this.program), options);
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

/** The types of a program with one act, of any type. */
interface OneActTerms {
  ledger: ItemLedger;
  reads: null;
  act: ActKey;
  value: null;
}

/** What a run asks of its program whose plan is one act of this type. */
export async function requestsOf(type: string): Promise<string[]> {
  const requests: string[] = [];
  const program: Program<OneActTerms> = {
    reads: () => {
      requests.push("reads");
      return null;
    },
    confirm: async () => {
      requests.push(`confirm ${type}`);
      return null;
    },
    perform: async () => {
      requests.push(`perform ${type}`);
      return ACCEPTED;
    },
    record: (from) => from,
    expire: (from) => from,
    hasIntent: () => false,
    shouldRun: () => true,
  };
  const { store, clock, stop } = new TestRun();
  const engine = new Engine({ program, store, clock, stop: stop.signal, save: () => {} });
  await engine.run<null>(async (from) => {
    return { type: "plan", plan: { ...from, acts: [{ type, id: "1" }], notes: null } };
  });
  return requests;
}
