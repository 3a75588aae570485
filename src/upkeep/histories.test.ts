import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOf, missingOf } from "../../test/support/landed.ts";
import {
  applyRepositoryEvent,
  type RepositoryEvent,
} from "../../test/support/repository-events.ts";
import { runs } from "../../test/support/sample.ts";
import { scene } from "../../test/support/upkeep-scene.ts";

/** What happens to a repository and its runs, one after the other. */
type Event =
  | RepositoryEvent
  | { kind: "forget" }
  | { kind: "pass" }
  | { kind: "run"; max: number; requests: number };

const method = fc.constantFrom("merge" as const, "squash" as const, "rebase" as const);
const person = fc.constantFrom("writer", "maintainer");

const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("push" as const), author: person }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("land" as const),
        method,
        commits: fc.integer({ min: 1, max: 4 }),
        by: person,
      }),
    },
    fc.record({ kind: fc.constant("open" as const) }),
    fc.record({ kind: fc.constant("merge open" as const), method }),
    fc.record({ kind: fc.constant("close open" as const) }),
    fc.record({ kind: fc.constant("pull" as const), back: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("drop" as const), commits: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant("forget" as const) }),
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("run" as const),
        max: fc.integer({ min: 1, max: 4 }),
        requests: fc.integer({ min: 4, max: 12 }),
      }),
    },
  ),
  { maxLength: 30 },
);

type Scene = ReturnType<typeof scene>;

/** @param tips where the branch was before, the last first */
async function happen(history: Scene, event: Event, tips: readonly string[]): Promise<void> {
  const { repository, pass, run, cursor } = history;
  switch (event.kind) {
    case "forget": {
      const sha = cursor()?.sha ?? "";
      if (!lineOf(repository).includes(sha)) repository.gone.add(sha);
      return;
    }
    case "pass":
      pass(60_000);
      return;
    case "run":
      await run(event);
      return;
    default:
      applyRepositoryEvent(repository, event, tips);
  }
}

test("every change of any history is handed over once, however often a run ends early", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (history) => {
      const it = scene();
      const tips = [it.repository.tip()];
      for (const event of history) {
        await happen(it, event, tips);
        if (it.repository.tip() !== tips[0]) tips.unshift(it.repository.tip());
      }
      let before = -1;
      while (it.handed.length > before) {
        before = it.handed.length;
        await it.run();
      }
      expect(new Set(it.handed).size).toBe(it.handed.length);
      const line = lineOf(it.repository);
      const whole = it.repository.pulls.filter(({ landed }) =>
        landed.every((sha) => line.includes(sha)),
      );
      const byPull = new Set(whole.flatMap(({ landed }) => landed.map(it.key)));
      expect(it.handed.filter((key) => byPull.has(key))).toEqual([]);
      expect(missingOf(it.repository, it.handed)).toEqual([]);
    }),
    { numRuns: Number(process.env.HISTORIES ?? runs(300)) },
  );
});
