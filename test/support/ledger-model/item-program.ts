/**
 * The smallest program that needs all of the engine: it sends each item that has landed to a service, exactly once.
 *
 *     waiting ──▶ intent ──▶ accepted
 *        ▲           │           ▲
 *        ├───────────┤ withdrawn │ the answer becomes known
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
import type { ActKey, Moment, Plan, Program, Reading } from "../../../src/ledger/program.ts";
import type { Head } from "../../../src/ledger/store.ts";

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

interface Send extends ActKey {
  readonly type: "send";
  readonly item: number;
}

export type SendResult =
  | { readonly type: "accepted" }
  | { readonly type: "withdrawn" }
  | { readonly type: "uncertain"; readonly reason: string };

export interface ItemTerms {
  ledger: ItemLedger;
  /** `notReceived`: uncertain items that a person did not find at the service. */
  facts: { landed: number; notReceived: readonly number[] };
  stop: never;
  act: Send;
  result: SendResult;
  notes: null;
}

/** What the program needs of the world. */
export interface ItemPort {
  /** @returns how many items have landed */
  countLanded(): number;
  /** Asks a person about items. @returns those that the service has not received */
  ask(items: readonly number[]): Promise<readonly number[]>;
  send(item: number): Promise<SendResult>;
}

export class ItemProgram implements Program<ItemTerms> {
  readonly #port: ItemPort;

  constructor(port: ItemPort) {
    this.#port = port;
  }

  async read({ ledger: { uncertain } }: Head<ItemLedger>): Promise<Reading<ItemTerms>> {
    const landed = this.#port.countLanded();
    const notReceived =
      uncertain.length > 0 ? await this.#port.ask(uncertain.map(({ item }) => item)) : [];
    return { type: "facts", facts: { landed, notReceived } };
  }

  /** Takes all items that no intent holds. */
  decide(
    from: Revision<ItemLedger>,
    { landed, notReceived }: ItemTerms["facts"],
    { now, name }: Moment,
  ): Plan<ItemTerms> {
    const { ledger } = from;
    const landedSince = Array.from({ length: landed - ledger.found }, (_, nth) => {
      return ledger.found + nth + 1;
    });
    const items = [...ledger.waiting, ...notReceived, ...landedSince];
    const acts = items.map((item): Send => ({ type: "send", id: `${name}.${item}`, item }));
    const intents = acts.map(({ id, item }) => ({ id, item, at: timeText(now) }));
    const planned: ItemLedger = {
      ...ledger,
      found: landed,
      waiting: [],
      intents: [...ledger.intents, ...intents],
      uncertain: ledger.uncertain.filter(({ item }) => !notReceived.includes(item)),
    };
    return { ...from, ledger: planned, acts, notes: null };
  }

  perform({ item }: Send): Promise<SendResult> {
    return this.#port.send(item);
  }

  record(from: Revision<ItemLedger>, { id }: ActKey, result: SendResult): Revision<ItemLedger> {
    const { ledger } = from;
    const held = [...ledger.intents, ...ledger.uncertain].find((entry) => entry.id === id);
    if (held === undefined) return from;
    const { item } = held;
    const { waiting, accepted } = ledger;
    const intents = ledger.intents.filter((entry) => entry.id !== id);
    const uncertain = ledger.uncertain.filter((entry) => entry.id !== id);
    const rest: ItemLedger = { ...ledger, intents, uncertain };
    switch (result.type) {
      case "accepted":
        return { ...from, ledger: { ...rest, accepted: [...accepted, item] } };
      case "withdrawn":
        return { ...from, ledger: { ...rest, waiting: [...waiting, item] } };
      case "uncertain":
        return { ...from, ledger: { ...rest, uncertain: [...uncertain, { id, item }] } };
    }
  }

  expire(from: Revision<ItemLedger>, isDead: (writtenAt: string) => boolean): Revision<ItemLedger> {
    const dead = from.ledger.intents.filter(({ at }) => isDead(at));
    if (dead.length === 0) return from;
    const intents = from.ledger.intents.filter(({ at }) => !isDead(at));
    const uncertain = [...from.ledger.uncertain, ...dead.map(({ id, item }) => ({ id, item }))];
    return { ...from, ledger: { ...from.ledger, intents, uncertain } };
  }

  holds({ intents }: ItemLedger, { id }: ActKey): boolean {
    return intents.some((intent) => intent.id === id);
  }

  /** After a request that was not accepted, no other is made. */
  goesOn(_act: Send, done: readonly { result: { type: string } }[]): boolean {
    return done.every(({ result }) => result.type === "accepted");
  }
}
