import { expect, test } from "vitest";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import { timeText } from "../../../src/ledger/file.ts";
import { isExhaustive } from "../../support/sample.ts";
import { type Exploration, explore } from "../../support/waits-model/explore.ts";

/** In milliseconds. */
const LIMIT = { timeout: 30 * 60_000 };

/** So many show what is broken. */
const FEW_STATES = 100;
const MOST_STATES = isExhaustive ? 1_000 : FEW_STATES;

const EXPLORATIONS: Pick<Exploration, "inputs" | "changes">[] = [
  { inputs: {}, changes: 1 },
  { inputs: {}, changes: 2 },
  { inputs: { "open-pull-request": "hold" }, changes: 2 },
];

test.for(EXPLORATIONS)(
  "$changes landed, $inputs: nothing waits in silence beyond its time, and people can end every wait",
  LIMIT,
  async (exploration) => {
    const explored = await explore({ ...exploration, mostStates: MOST_STATES });
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBe(MOST_STATES);
  },
);

/** A ledger in which every wait has just begun: none is ever over. */
function withoutBeginnings(ledger: Ledger, now: number): Ledger {
  const text = JSON.stringify(ledger);
  return JSON.parse(text.replace(/"20\d\d-\d\d-\d\dT[^"]+"/g, JSON.stringify(timeText(now))));
}

/** Each leaves out what ends a wait. */
test.for<[string, Partial<Exploration>, string]>([
  ["no wait keeps its beginning", { spoil: withoutBeginnings }, "is at work for too long"],
  ["nobody reads what people decide", { isDeaf: true }, "leads to no end"],
  [
    "nothing needs a decision",
    {
      spoil: (ledger) => ({
        ...ledger,
        batches: ledger.batches.filter(({ state }) => state === "running"),
      }),
    },
    "is lost",
  ],
])("is noticed: %s", LIMIT, async ([, broken, words]) => {
  const explored = await explore({ inputs: {}, changes: 1, mostStates: FEW_STATES, ...broken });
  expect(explored.wrong.join()).toContain(words);
});
