import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, sampleOf, seed } from "../../support/sample.ts";
import { FRAUDS, GATE_FRAUDS } from "./frauds.ts";
import {
  type GateFraud,
  GatePlay,
  type GateRound,
  type GateSetting,
  gateRounds,
  gateSetting,
} from "./gate-play.ts";
import { type Fraud, LandPlay, type Round, rounds, type Setting, setting } from "./land-play.ts";

const LIMIT = { timeout: 60 * 60_000 };
/** How many histories run in full. */
const ALL = Number(process.env.HISTORIES ?? 2000);

/** A history that is over, or in which something is wrong. */
interface History {
  runs: number;
  wrong: readonly string[];
  story: readonly string[];
  /** How much of each thing happened. */
  counts: Readonly<Record<string, number>>;
}

interface Played {
  counts: Record<string, number>;
  /** With the story of the shortest history in which it was; empty if nothing is wrong. */
  wrong: string;
}

/** Plays histories until something is wrong, or all are over. */
async function play<Drawn>(
  drawn: fc.Arbitrary<Drawn>,
  run: (it: Drawn) => Promise<History>,
  { count, isShrunk }: { count: number; isShrunk: boolean },
): Promise<Played> {
  const sums: Record<string, number> = { histories: 0, runs: 0 };
  const add = (name: string, by: number) => {
    sums[name] = (sums[name] ?? 0) + by;
  };
  const property = fc.asyncProperty(drawn, async (it) => {
    const { runs, wrong, story, counts } = await run(it);
    for (const [name, by] of Object.entries({ histories: 1, runs, ...counts })) add(name, by);
    if (wrong.length > 0) throw new Error([...wrong, "", ...story].join("\n"));
  });
  const options = { numRuns: count, seed: Number(seed), endOnFailure: !isShrunk };
  const { failed, errorInstance, counterexample } = await fc.check(property, options);
  return {
    counts: sums,
    wrong: failed ? `${String(errorInstance)}\n\n${JSON.stringify(counterexample)}` : "",
  };
}

async function playLand([given, all]: [Setting, Round[]], fraud: Fraud): Promise<History> {
  const history = new LandPlay(given, fraud);
  for (const round of all) {
    await history.happen(round);
    if (history.wrong.length > 0) break;
  }
  const { merge, update, close, send } = history.judge.counts;
  const counts = {
    merges: merge,
    updates: update,
    closings: close,
    "follow-ups": send,
    "held back by confirm": history.heldBack,
  };
  return { ...history, counts };
}

async function playGate(
  [given, all]: [GateSetting, GateRound[]],
  fraud: GateFraud | null,
): Promise<History> {
  const history = new GatePlay(given, fraud);
  for (const round of all) {
    await history.happen(round);
    if (history.wrong.length > 0) break;
  }
  return {
    ...history,
    counts: { "green statuses": history.judge.greens, drafts: history.judge.starts },
  };
}

const ofLand = fc.tuple(setting, rounds);
const ofGate = fc.tuple(gateSetting, gateRounds);

function shown(counts: Played["counts"]): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

test("land merges, closes and sends nothing against a no that stands", LIMIT, async () => {
  const options = { count: isExhaustive ? ALL : 25, isShrunk: true };
  const { counts, wrong } = await play(ofLand, (it) => playLand(it, {}), options);
  console.log(`${shown(counts)}.`);
  expect(wrong).toBe("");
});

test(
  "the gate sets no status green while documentation is needed, and drafts none against a no",
  LIMIT,
  async () => {
    const options = { count: isExhaustive ? ALL : 40, isShrunk: true };
    const { counts, wrong } = await play(ofGate, (it) => playGate(it, null), options);
    console.log(`${shown(counts)}.`);
    expect(wrong).toBe("");
  },
);

const FIRST = { count: ALL, isShrunk: false };

test.each(sampleOf(Object.keys(FRAUDS), 1, "frauds"))(
  "the judge finds what land does wrong if %s",
  LIMIT,
  async (name) => {
    const { counts, wrong } = await play(ofLand, (it) => playLand(it, FRAUDS[name] ?? {}), FIRST);
    console.log(`${name}: ${shown(counts)}. ${wrong.split("\n")[0]}`);
    expect(wrong).not.toBe("");
  },
);

test.each(sampleOf(Object.keys(GATE_FRAUDS), 1, "frauds of the gate"))(
  "the judge finds what the gate does wrong if %s",
  LIMIT,
  async (name) => {
    const fraud = GATE_FRAUDS[name] ?? null;
    const { counts, wrong } = await play(ofGate, (it) => playGate(it, fraud), FIRST);
    console.log(`${name}: ${shown(counts)}. ${wrong.split("\n")[0]}`);
    expect(wrong).not.toBe("");
  },
);
