/** Protocols with one step left out or done wrong, what goes wrong then, and the smallest exploration that finds it. */

import { Engine, type TimedPlan } from "../../../src/ledger/engine.ts";
import type { LedgerFile, Revision } from "../../../src/ledger/file.ts";
import type { ActKey, Done, Plan, PlanFunction, Terms } from "../../../src/ledger/program.ts";
import { Recorder } from "../../../src/ledger/recorder.ts";
import { INTENT_LIFETIME, LedgerStore, stopwatch } from "../../../src/ledger/store.ts";
import type { Exploration } from "./explore.ts";
import { type ItemLedger, ItemProgram, type ItemReads } from "./item-program.ts";
import { PROTOCOL, type Protocol } from "./protocol.ts";

const TWICE = "accepted requests";
const LOST = "is lost";
const ASKED = "a person was asked";
const REVOKED = "had been revoked";

export interface Broken {
  readonly name: string;
  /** A part of the sentence about what goes wrong. */
  readonly breaks: string;
  readonly exploration: Exploration;
}

const ONE_LANDS = { landed: 1, toLand: 1, toRevoke: 0 };
const ONE_IS_REVOKED = { landed: 1, toLand: 0, toRevoke: 1 };

type StoreArguments<L extends LedgerFile> = ConstructorParameters<typeof LedgerStore<L>>;

/** Records the result of each request at once, which is slower, but not wrong. */
export const RECORDING_EACH: Protocol = withEngine(
  class<T extends Terms> extends Engine<T> {
    protected override isTimeToRecord(pending: readonly Done<T>[]): boolean {
      return pending.some(({ delivery }) => delivery.type !== "not-sent");
    }
  },
);

const SWAP: Broken[] = [
  {
    name: "two runs write the same commit",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 0,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          constructor(...[git, options, clock]: StoreArguments<L>) {
            super(git, { ...options, runName: "same" }, clock);
          }
        },
      ),
    },
  },
  {
    name: "acts are performed before the swap",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 0,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override async write(plan: Plan<T, unknown>): Promise<boolean> {
            await super.perform({ plan, elapsed: () => 0 });
            return await super.write(plan);
          }

          protected override async perform() {
            return { done: [], unrecorded: null };
          }
        },
      ),
    },
  },
  {
    name: "acts are performed although another run was first",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 0,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override async write(plan: Plan<T, unknown>): Promise<boolean> {
            await super.write(plan);
            return true;
          }
        },
      ),
    },
  },
  {
    name: "a run takes its own write, whose answer was lost, for that of another one",
    breaks: ASKED,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 4,
      only: ["its answer lost", "stale", "limited"],
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override isWritten(): boolean {
            return false;
          }
        },
      ),
    },
  },
];

const AGE: Broken[] = [
  {
    name: "the intents of a living run are taken for those of a dead one",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 0,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          override readonly isDead = () => true;
        },
      ),
    },
  },
  {
    name: "the intents of a dead run live for ever",
    breaks: LOST,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 1,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          override readonly isDead = () => false;
        },
      ),
    },
  },
  {
    name: "a run acts however long ago it has decided",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override isFresh(): boolean {
            return true;
          }
        },
      ),
    },
  },
  {
    name: "the time that planning takes does not count",
    breaks: TWICE,
    exploration: {
      ...ONE_IS_REVOKED,
      runs: 2,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          #planning = 0;

          override async run<N>(plan: PlanFunction<T, N>, options = {}) {
            const timed: PlanFunction<T, N> = async (...facts) => {
              const elapsed = stopwatch(this.parts.clock);
              const planned = await plan(...facts);
              this.#planning = elapsed();
              return planned;
            };
            return await super.run(timed, options);
          }

          protected override isFresh(elapsed: number): boolean {
            return super.isFresh(elapsed - this.#planning);
          }
        },
      ),
    },
  },
  {
    name: "GitHub's time is taken to be the one of its answer, however slow that was",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 1,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          readonly #clock: StoreArguments<L>[2];
          #elapsed = () => 0;

          constructor(...[git, options, clock]: StoreArguments<L>) {
            super(git, options, clock);
            this.#clock = clock;
          }

          override async read() {
            const head = await super.read();
            this.#elapsed = stopwatch(this.#clock);
            return head;
          }

          override get now(): number {
            return Math.floor(this.namedAt + this.#elapsed());
          }
        },
      ),
    },
  },
  {
    name: "the age of an intent is judged by a time that may be later than GitHub's",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 1,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          override readonly isDead = (writtenAt: string) => {
            return !(this.now - Date.parse(writtenAt) < INTENT_LIFETIME);
          };
        },
      ),
    },
  },
];

const SAVED: Broken[] = [
  {
    name: "a request that is being sent is not saved for the post step",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override saveSending(): void {}
        },
      ),
    },
  },
  {
    name: "a result is lost between the main step and the post step",
    breaks: ASKED,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override saveResults(): void {}
        },
      ),
    },
  },
  {
    name: "a result is saved only when it is recorded",
    breaks: ASKED,
    exploration: {
      ...ONE_IS_REVOKED,
      landed: 2,
      runs: 1,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override saveResults(
            pending: readonly Done<T>[],
            rest: readonly T["act"][],
          ): void {
            if (rest.length === 0 || this.isTimeToRecord(pending)) super.saveResults(pending, rest);
          }
        },
      ),
    },
  },
  {
    name: "intents are not saved before they are written",
    breaks: ASKED,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override savePlans(): void {}
        },
      ),
    },
  },
  {
    name: "the acts of an earlier plan, whose write seemed to be refused, are not saved",
    breaks: ASKED,
    exploration: {
      landed: 1,
      toLand: 0,
      toRevoke: 0,
      isLater: true,
      runs: 1,
      faults: 4,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override savePlans(plans: readonly TimedPlan<T, unknown>[]): void {
            super.savePlans(plans.slice(-1));
          }
        },
      ),
    },
  },
  {
    name: "a result that is recorded again has an effect again",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 2,
      protocol: {
        ...PROTOCOL,
        ItemProgram: class extends ItemProgram {
          override record(...[from, act, delivery]: Parameters<ItemProgram["record"]>) {
            return super.record(withEntry(from, act), act, delivery);
          }
        },
      },
    },
  },
];

const STALE: Broken[] = [
  {
    name: "a stale read is believed: the write is made on top of the newest commit",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 0,
      protocol: withStore(
        class<L extends LedgerFile> extends LedgerStore<L> {
          override async commit(revision: Revision<L>) {
            const { sha } = await this.git.readRef();
            this.head = { sha, ledger: this.head.ledger };
            return await super.commit(revision);
          }
        },
      ),
    },
  },
  {
    name: "a stale read is believed: acts that it does not have are taken for recorded",
    breaks: ASKED,
    exploration: {
      ...ONE_LANDS,
      runs: 2,
      faults: 1,
      protocol: withRecorder(
        class<T extends Terms> extends Recorder<T> {
          protected override hasWrites(ledger: T["ledger"], _: T["ledger"], writes: number) {
            return ledger.writes >= writes;
          }
        },
      ),
    },
  },
  {
    name: "a stale read is believed by a post step",
    breaks: ASKED,
    exploration: {
      ...ONE_LANDS,
      runs: 1,
      faults: 2,
      protocol: withRecorder(
        class<T extends Terms> extends Recorder<T> {
          protected override hasWrites(ledger: T["ledger"], known: T["ledger"]): boolean {
            return ledger.writes >= known.writes;
          }
        },
      ),
    },
  },
  {
    name: "a plan believes an answer that is older than the ledger",
    breaks: TWICE,
    exploration: {
      ...ONE_LANDS,
      toRevoke: 1,
      runs: 2,
      faults: 0,
      protocol: {
        ...PROTOCOL,
        ItemProgram: class extends ItemProgram {
          protected override countFound(_: ItemLedger, landed: number): number {
            return landed;
          }
        },
      },
    },
  },
];

const CONFIRM: Broken[] = [
  {
    name: "an act is not confirmed",
    breaks: REVOKED,
    exploration: {
      ...ONE_IS_REVOKED,
      runs: 1,
      faults: 0,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override async confirm() {
            return null;
          }
        },
      ),
    },
  },
  {
    name: "an act is begun whatever confirming it says",
    breaks: REVOKED,
    exploration: {
      ...ONE_IS_REVOKED,
      runs: 1,
      faults: 0,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          protected override async confirm(act: T["act"]) {
            await super.confirm(act);
            return null;
          }
        },
      ),
    },
  },
  {
    name: "an act is confirmed by what the plan has read",
    breaks: REVOKED,
    exploration: {
      ...ONE_IS_REVOKED,
      runs: 1,
      faults: 0,
      protocol: {
        ...PROTOCOL,
        ItemProgram: class extends ItemProgram {
          #reads: ItemReads | null = null;

          override reads(): ItemReads {
            this.#reads ??= super.reads();
            return this.#reads;
          }
        },
      },
    },
  },
  {
    name: "only the first act is confirmed",
    breaks: REVOKED,
    exploration: {
      ...ONE_IS_REVOKED,
      landed: 2,
      runs: 1,
      faults: 0,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          #isFirst = true;

          protected override async confirm(act: T["act"]) {
            const confirmed = this.#isFirst ? await super.confirm(act) : null;
            this.#isFirst = false;
            return confirmed;
          }
        },
      ),
    },
  },
  {
    name: "the time that confirming takes does not count",
    breaks: TWICE,
    exploration: {
      ...ONE_IS_REVOKED,
      runs: 2,
      faults: 1,
      protocol: withEngine(
        class<T extends Terms> extends Engine<T> {
          #confirming = 0;

          protected override async confirm(act: T["act"]) {
            const elapsed = stopwatch(this.parts.clock);
            const confirmed = await super.confirm(act);
            this.#confirming = elapsed();
            return confirmed;
          }

          protected override isFresh(elapsed: number): boolean {
            return super.isFresh(elapsed - this.#confirming);
          }
        },
      ),
    },
  },
];

export const BROKEN: readonly Broken[] = [...SWAP, ...AGE, ...SAVED, ...STALE, ...CONFIRM];

function withEngine(engine: typeof Engine): Protocol {
  return { ...PROTOCOL, Engine: engine };
}

function withStore(store: typeof LedgerStore): Protocol {
  return { ...PROTOCOL, LedgerStore: store };
}

/** Both the main step and the post step use it. */
function withRecorder(recorder: typeof Recorder): Protocol {
  const engine = class<T extends Terms> extends Engine<T> {
    protected override readonly recorder = new recorder<T>(
      this.parts.program.record.bind(this.parts.program),
      this.parts.store,
    );
  };
  return { ...PROTOCOL, Engine: engine, Recorder: recorder };
}

/** With an entry for an act, if the ledger no longer has one. */
function withEntry(from: Revision<ItemLedger>, { id }: ActKey): Revision<ItemLedger> {
  const { intents, uncertain } = from.ledger;
  if ([...intents, ...uncertain].some((entry) => entry.id === id)) return from;
  const added = { id, item: Number(id.at(-1)), at: "" };
  return { ...from, ledger: { ...from.ledger, intents: [...intents, added] } };
}
