import { expect, test } from "vitest";
import { type Exploration, explore } from "../../support/ledger-model/explore.ts";
import { type Edit, edited } from "../../support/ledger-model/protocol.ts";
import { isExhaustive } from "../../support/sample.ts";

/** In milliseconds. The longest take a minute, and longer on a machine that is busy. */
const LIMIT = { timeout: 30 * 60_000 };

/** Also how many states there are at least: fewer would mean that something is no longer explored. */
const EXPLORATIONS: (Exploration & { states: number; isLong: boolean })[] = [
  { runs: 1, faults: 2, landed: 1, toLand: 1, states: 1_100, isLong: false },
  { runs: 1, faults: 3, landed: 1, toLand: 1, states: 4_000, isLong: false },
  { runs: 1, faults: 3, landed: 1, toLand: 0, isLater: true, states: 4_500, isLong: false },
  { runs: 1, faults: 4, landed: 1, toLand: 0, isLater: true, states: 25_000, isLong: true },
  { runs: 2, faults: 0, landed: 1, toLand: 1, states: 570, isLong: false },
  { runs: 2, faults: 1, landed: 1, toLand: 1, states: 26_000, isLong: true },
  { runs: 3, faults: 0, landed: 1, toLand: 1, states: 66_000, isLong: true },
  { runs: 3, faults: 1, landed: 2, toLand: 0, states: 550_000, isLong: true },
  { runs: 2, faults: 2, landed: 1, toLand: 1, states: 640_000, isLong: true },
];

test.for(EXPLORATIONS.filter(({ isLong }) => isExhaustive || !isLong))(
  "$runs runs, $faults faults: nothing is accepted twice, lost, or asked about without need",
  LIMIT,
  async ({ states, ...exploration }) => {
    const explored = await explore(exploration);
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBeGreaterThanOrEqual(states);
  },
);

test("the same if the results are recorded after each request", LIMIT, async () => {
  const protocol = await edited([
    { source: "engine", text: "RECORDED_TOGETHER = 5", by: "RECORDED_TOGETHER = 1" },
  ]);
  const runs = isExhaustive ? 2 : 1;
  const explored = await explore({ runs, faults: 3 - runs, landed: 1, toLand: 1, protocol });
  expect(explored.wrong).toEqual([]);
});

const TWICE = "accepted requests";
const LOST = "is lost";
const ASKED = "a person was asked";

interface Mutation {
  name: string;
  /** What it breaks. */
  breaks: string;
  runs: number;
  faults: number;
  isLater?: boolean;
  edits: Edit[];
}

const MUTATIONS: Mutation[] = [
  {
    name: "two runs write the same commit",
    breaks: TWICE,
    runs: 2,
    faults: 0,
    edits: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      { source: "engine", text: "`${store.options.runName}.${attempt}`", by: '"same"' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      { source: "store", text: ", `Run: ${runName}`]", by: "]" },
    ],
  },
  {
    name: "acts are performed before the swap",
    breaks: TWICE,
    runs: 2,
    faults: 0,
    edits: [
      {
        source: "engine",
        text: "        if (isNews(plan, store.head.ledger) && !",
        by: "        await this.#perform(timed);\n        if (isNews(plan, store.head.ledger) && !",
      },
      {
        source: "engine",
        text: "const performed = await this.#perform(timed);",
        by: "const performed = { done: [], unrecorded: null };",
      },
    ],
  },
  {
    name: "acts are performed although another run was first",
    breaks: TWICE,
    runs: 2,
    faults: 0,
    edits: [{ source: "engine", text: "swap(plan))) continue;", by: "swap(plan))) {}" }],
  },
  {
    name: "a result that is recorded again has an effect again",
    breaks: TWICE,
    runs: 1,
    faults: 2,
    edits: [
      {
        source: "program",
        text: ".find((entry) => entry.id === id);",
        by: ".find((entry) => entry.id === id) ?? { id, item: Number(id.at(-1)) };",
      },
    ],
  },
  {
    name: "the intents of a living run are taken for those of a dead one",
    breaks: TWICE,
    runs: 2,
    faults: 0,
    edits: [
      {
        source: "store",
        text: "!(this.namedAt - Date.parse(writtenAt) < INTENT_LIFETIME)",
        by: "true",
      },
    ],
  },
  {
    name: "the intents of a dead run live for ever",
    breaks: LOST,
    runs: 1,
    faults: 1,
    edits: [
      {
        source: "store",
        text: "!(this.namedAt - Date.parse(writtenAt) < INTENT_LIFETIME)",
        by: "false",
      },
    ],
  },
  {
    name: "a run acts however long ago it has decided",
    breaks: TWICE,
    runs: 2,
    faults: 1,
    edits: [{ source: "engine", text: "elapsed() < FRESH && ", by: "" }],
  },
  {
    name: "a request that is being sent is not saved for the post step",
    breaks: TWICE,
    runs: 1,
    faults: 1,
    edits: [
      {
        source: "engine",
        text: "this.#save([...pending, { act, result: INTERRUPTED }], rest);",
        by: "",
      },
    ],
  },
  {
    name: "a result is lost between the main step and the post step",
    breaks: ASKED,
    runs: 1,
    faults: 1,
    edits: [{ source: "engine", text: "        this.#save(pending, rest);\n", by: "" }],
  },
  {
    name: "intents are not saved before they are written",
    breaks: ASKED,
    runs: 1,
    faults: 1,
    edits: [
      {
        source: "engine",
        text: "if (plan.acts.length > 0) this.#save([], intended);",
        by: "",
      },
    ],
  },
  {
    name: "a stale read is believed: the write is made on top of the newest commit",
    breaks: TWICE,
    runs: 2,
    faults: 0,
    edits: [
      {
        source: "engine",
        text: "    const next = await store.commit(revision);",
        by: `    const { sha } = await store.git.readRef();
    store.head = { sha, ledger: store.head.ledger };
    const next = await store.commit(revision);`,
      },
    ],
  },
  {
    name: "a stale read is believed: acts that it does not have are taken for recorded",
    breaks: ASKED,
    runs: 2,
    faults: 1,
    edits: [
      {
        source: "engine",
        text: "ledger.writes >= Math.max(writes, last.ledger.writes)",
        by: "ledger.writes >= writes",
      },
    ],
  },
  {
    name: "a stale read is believed by a post step",
    breaks: ASKED,
    runs: 1,
    faults: 2,
    edits: [
      {
        source: "engine",
        text: "Math.max(writes, last.ledger.writes)",
        by: "last.ledger.writes",
      },
    ],
  },
  {
    name: "the acts of an earlier plan, whose write seemed to be refused, are not saved",
    breaks: ASKED,
    runs: 1,
    faults: 4,
    isLater: true,
    edits: [
      {
        source: "engine",
        text: "plans.flatMap((made) => made.plan.acts)",
        by: "plan.acts",
      },
    ],
  },
  {
    name: "GitHub's time is taken to be the one of its answer, however slow that was",
    breaks: TWICE,
    runs: 2,
    faults: 1,
    edits: [
      { source: "store", text: "    const elapsed = stopwatch(this.#clock);\n", by: "" },
      { source: "store", text: "= elapsed;", by: "= stopwatch(this.#clock);" },
    ],
  },
  {
    name: "the age of an intent is judged by a time that may be later than GitHub's",
    breaks: TWICE,
    runs: 2,
    faults: 1,
    edits: [
      {
        source: "store",
        text: "!(this.namedAt - Date.parse",
        by: "!(this.now - Date.parse",
      },
    ],
  },
  {
    name: "a run takes its own write, whose answer was lost, for that of another one",
    breaks: ASKED,
    runs: 1,
    faults: 3,
    edits: [
      { source: "engine", text: "plans.find(({ plan }) => this.#isHeld(plan))", by: "undefined" },
    ],
  },
];

/** Each takes a rule out of the source of the engine, its store, or the program. */
test.for(MUTATIONS)(
  "is noticed: $name",
  LIMIT,
  async ({ breaks, runs, faults, isLater = false, edits }) => {
    const protocol = await edited(edits);
    const exploration = { runs, faults, landed: 1, toLand: isLater ? 0 : 1, isLater };
    const { wrong } = await explore({ ...exploration, protocol, until: breaks });
    expect(wrong.at(-1)).toContain(breaks);
  },
);
