import fc from "fast-check";
import { expect, test } from "vitest";
import { isExhaustive, sampleOf, seed } from "../../support/sample.ts";
import { FRAUDS } from "./frauds.ts";
import { type Fraud, LandPlay, rounds, setting } from "./land-play.ts";

const LIMIT = { timeout: 60 * 60_000 };
/** How many histories run in full. */
const ALL = Number(process.env.HISTORIES ?? 2000);

interface Played {
  counts: Record<"histories" | "runs" | "merge" | "close" | "send" | "heldBack", number>;
  /** With the story of the shortest history in which it was; empty if nothing is wrong. */
  wrong: string;
}

/** Plays histories until something is wrong, or all are over. */
async function play(count: number, fraud: Fraud = {}, isShrunk = true): Promise<Played> {
  const counts = { histories: 0, runs: 0, merge: 0, close: 0, send: 0, heldBack: 0 };
  const property = fc.asyncProperty(setting, rounds, async (given, all) => {
    const history = new LandPlay(given, fraud);
    for (const round of all) {
      await history.happen(round);
      if (history.wrong.length > 0) break;
    }
    counts.histories += 1;
    counts.runs += history.runs;
    counts.heldBack += history.heldBack;
    for (const kind of ["merge", "close", "send"] as const) {
      counts[kind] += history.judge.counts[kind];
    }
    if (history.wrong.length > 0) {
      throw new Error([...history.wrong, "", ...history.story].join("\n"));
    }
  });
  const options = { numRuns: count, seed: Number(seed), endOnFailure: !isShrunk };
  const result = await fc.check(property, options);
  return { counts, wrong: result.failed ? textOf(result) : "" };
}

/** The shortest history in which something is wrong. */
function textOf<T extends unknown[]>(result: fc.RunDetails<T>): string {
  const { errorInstance, counterexample } = result;
  const [given] = counterexample ?? [];
  return `${String(errorInstance)}\n\n${JSON.stringify(given)}`;
}

test("land merges, closes and sends nothing against a no that stands", LIMIT, async () => {
  const { counts, wrong } = await play(isExhaustive ? ALL : 40);
  console.log(JSON.stringify(counts));
  expect(wrong).toBe("");
});

test.each(sampleOf(Object.keys(FRAUDS), 1, "frauds"))(
  "the judge finds what land does wrong if %s",
  LIMIT,
  async (name) => {
    const { counts, wrong } = await play(ALL, FRAUDS[name], false);
    console.log(`${name}: ${counts.histories} histories. ${wrong.split("\n")[0]}`);
    expect(wrong).not.toBe("");
  },
);
