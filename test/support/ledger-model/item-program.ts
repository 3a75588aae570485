/**
 * The smallest program that needs all of the engine: it sends each item that has landed to a service, exactly once, and
 * not if a person has revoked it.
 *
 *     waiting ──▶ intent ──▶ accepted
 *        ▲           │           ▲
 *        ├───────────┤ not sent  │ the answer becomes known
 *        │           ▼           │
 *        └────── uncertain ──────┘
 *         a person finds that the service has not received it
 */

import * as z from "zod/mini";
import {
  type LedgerFormat,
  ledgerFile,
  type Revision,
  type Stored,
  timeText,
} from "../../../src/ledger/file.ts";
import type { ActKey, Done, Moment, Planned, Program } from "../../../src/ledger/program.ts";
import type { Head } from "../../../src/ledger/store.ts";
import { type Delivery, type NotSent, notSent } from "../../../src/runtime/delivery.ts";

const itemNumber = z.number();
const itemLedger = z.extend(ledgerFile, {
  /** How many items were found. */
  found: z.number(),
  waiting: z.array(itemNumber),
  /** Items that a run is about to send. `at`: when that was written. */
  intents: z.array(z.object({ id: z.string(), item: itemNumber, at: z.string() })),
  /** Items that the service may have received. */
  uncertain: z.array(z.object({ id: z.string(), item: itemNumber })),
  accepted: z.array(itemNumber),
});

export type ItemLedger = Stored<typeof itemLedger>;

const BEGIN: ItemLedger = {
  version: 1,
  action: "items",
  project: "p",
  writes: 0,
  historyFiles: [],
  found: 0,
  waiting: [],
  intents: [],
  uncertain: [],
  accepted: [],
};

export const itemFormat: LedgerFormat<ItemLedger> = {
  begin: BEGIN,
  schema: itemLedger,
  recent: (ledger) => ledger,
};

/** Sends an item. */
interface Start extends ActKey {
  readonly type: "start";
  readonly item: number;
}

export interface ItemTerms {
  ledger: ItemLedger;
  reads: ItemReads;
  act: Start;
  value: null;
}

/** What the program needs of the world. */
export interface ItemPort {
  /** @returns how many items have landed */
  countLanded(): number;
  /** Asks a person about items. @returns those that the service has not received */
  ask(items: readonly number[]): Promise<readonly number[]>;
  /** @returns those of the items that are revoked */
  readRevoked(items: readonly number[]): Promise<readonly number[]>;
  send(item: number): Promise<Delivery<null>>;
}

interface Entry {
  /** What an answer is about: that of an uncertain request says nothing about a later one with the same item. */
  readonly id: string;
  readonly item: number;
}

/** A question about items, which is asked at most once about each. */
class Question {
  readonly #ask: (items: readonly number[]) => Promise<readonly number[]>;
  readonly #asked = new Set<string>();
  readonly #yes = new Set<string>();

  /** @param ask gives back the items for which the answer is yes */
  constructor(ask: (items: readonly number[]) => Promise<readonly number[]>) {
    this.#ask = ask;
  }

  /** @returns the items for which the answer is yes */
  async about(entries: readonly Entry[]): Promise<number[]> {
    const isNew = ({ id }: Entry) => !this.#asked.has(id);
    const asked = entries.filter(isNew);
    if (asked.length > 0) {
      const yes = await this.#ask(asked.map(({ item }) => item));
      for (const { id, item } of asked) {
        this.#asked.add(id);
        if (yes.includes(item)) this.#yes.add(id);
      }
    }
    return entries.filter(({ id }) => this.#yes.has(id)).map(({ item }) => item);
  }
}

/** What a plan and `confirm` ask for. */
export class ItemReads {
  readonly #port: ItemPort;
  readonly #notReceived: Question;
  readonly #revoked: Question;
  #landed: number | null = null;

  constructor(port: ItemPort) {
    this.#port = port;
    this.#notReceived = new Question((items) => port.ask(items));
    this.#revoked = new Question((items) => port.readRevoked(items));
  }

  landed(): number {
    this.#landed ??= this.#port.countLanded();
    return this.#landed;
  }

  /** Those of the uncertain items that the service has not received. */
  async notReceived(uncertain: readonly Entry[]): Promise<number[]> {
    return await this.#notReceived.about(uncertain);
  }

  /** The items without those that are revoked. */
  async open(items: readonly number[]): Promise<number[]> {
    const revoked = await this.#revoked.about(items.map((item) => ({ id: String(item), item })));
    return items.filter((item) => !revoked.includes(item));
  }
}

export class ItemProgram implements Program<ItemTerms> {
  readonly #port: ItemPort;

  constructor(port: ItemPort) {
    this.#port = port;
  }

  reads(): ItemReads {
    return new ItemReads(this.#port);
  }

  /** Takes all items that no intent holds. */
  async plan(
    from: Revision<ItemLedger>,
    reads: ItemReads,
    { now, name }: Moment,
  ): Promise<Planned<ItemTerms, null>> {
    const { ledger } = from;
    const found = this.countFound(ledger, reads.landed());
    const notReceived = await reads.notReceived(ledger.uncertain);
    const landedSince = Array.from({ length: found - ledger.found }, (_, nth) => {
      return ledger.found + nth + 1;
    });
    const items = await reads.open([...ledger.waiting, ...notReceived, ...landedSince]);
    const acts = items.map((item): Start => ({ type: "start", id: `${name}.${item}`, item }));
    const intents = acts.map(({ id, item }) => ({ id, item, at: timeText(now) }));
    const planned: ItemLedger = {
      ...ledger,
      found,
      waiting: [],
      intents: [...ledger.intents, ...intents],
      uncertain: ledger.uncertain.filter(({ item }) => !notReceived.includes(item)),
    };
    return { type: "plan", plan: { ...from, ledger: planned, acts, notes: null } };
  }

  /** If another run was first, the ledger is newer than what this run has read. */
  protected countFound(ledger: ItemLedger, landed: number): number {
    return Math.max(ledger.found, landed);
  }

  async confirm(
    { item }: Start,
    _head: Head<ItemLedger>,
    reads: ItemReads,
  ): Promise<NotSent | null> {
    const open = await reads.open([item]);
    return open.includes(item) ? null : notSent("changed");
  }

  perform({ item }: Start): Promise<Delivery<null>> {
    return this.#port.send(item);
  }

  record(
    from: Revision<ItemLedger>,
    { id }: ActKey,
    delivery: Delivery<null>,
  ): Revision<ItemLedger> {
    const { ledger } = from;
    const held = [...ledger.intents, ...ledger.uncertain].find((entry) => entry.id === id);
    if (held === undefined) return from;
    const { item } = held;
    const { waiting, accepted } = ledger;
    const intents = ledger.intents.filter((entry) => entry.id !== id);
    const uncertain = ledger.uncertain.filter((entry) => entry.id !== id);
    const rest: ItemLedger = { ...ledger, intents, uncertain };
    switch (delivery.type) {
      case "accepted":
        return { ...from, ledger: { ...rest, accepted: [...accepted, item] } };
      case "uncertain":
        return { ...from, ledger: { ...rest, uncertain: [...uncertain, { id, item }] } };
      case "limited":
      case "busy":
      case "refused":
      case "not-sent":
        return { ...from, ledger: { ...rest, waiting: [...waiting, item] } };
    }
  }

  expire(from: Revision<ItemLedger>, isDead: (writtenAt: string) => boolean): Revision<ItemLedger> {
    const dead = from.ledger.intents.filter(({ at }) => isDead(at));
    if (dead.length === 0) return from;
    const intents = from.ledger.intents.filter(({ at }) => !isDead(at));
    const uncertain = [...from.ledger.uncertain, ...dead.map(({ id, item }) => ({ id, item }))];
    return { ...from, ledger: { ...from.ledger, intents, uncertain } };
  }

  hasIntent({ intents }: ItemLedger, { id }: ActKey): boolean {
    return intents.some((intent) => intent.id === id);
  }

  /** After a request that was not accepted, no other is made. */
  shouldRun(_act: Start, done: readonly Done<ItemTerms>[]): boolean {
    return done.every(({ delivery }) => delivery.type === "accepted");
  }
}
