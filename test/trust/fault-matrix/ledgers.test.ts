import { expect, test } from "vitest";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { FAULTS } from "../../support/memory-world/faulty-servers.ts";
import { sampleOf } from "../../support/sample.ts";
import type { Event, Run } from "../ledger/events.ts";
import type { History } from "../ledger/history.ts";
import { type QueueEvent, QueueHistory } from "../ledger/queue-history.ts";
import { type UpkeepEvent, UpkeepHistory, type UpkeepSetting } from "../ledger/upkeep-history.ts";

const LIMIT = 20 * 60_000;
/** How many cells of each row a sample has. */
const SAMPLE = 8;

const WELL: Plan[] = [{ outcome: "completed", takes: 0 }];
const BADLY: Plan[] = [{ outcome: "failed", takes: 0 }];

const hour = { kind: "pass", minutes: 60 } as const;
const run = { kind: "run", run: {} } as const;
const land = { kind: "land", method: "squash", commits: 1, by: "writer" } as const;
const add = { kind: "add", what: "named", count: 3, at: 0 } as const;
const pages = { kind: "add", what: "page", count: 3, at: 0 } as const;

const upkeep =
  (before: Event<UpkeepEvent>[], over: Partial<UpkeepSetting> = {}) =>
  (at: number) => {
    const fixed = {
      mode: "continue",
      after: "merge",
      perDay: 24,
      comment: true,
      sources: 1,
    } as const;
    return { history: new UpkeepHistory({ ...fixed, plans: WELL, ...over, seed: at }), before };
  };

const queue =
  (before: Event<QueueEvent>[], plans = WELL) =>
  (at: number) => ({ history: new QueueHistory({ perHour: 50, plans, seed: at }), before });

type Scene = (at: number) => { history: History<never>; before: Event<never>[] };

/** What there is before the run that goes wrong, and what it ends with if it does not. */
const ROWS = [
  ["the first run of upkeep", "started", upkeep([land, land])],
  ["a run that goes on with a job", "continued", upkeep([land, run, hour, land])],
  ["a run that reads two repositories", "started", upkeep([land], { sources: 2 })],
  ["a run that hands over what failed", "started", upkeep([land, run, hour], { plans: BADLY })],
  [
    "a run that does what was decided",
    "started",
    upkeep(
      [land, run, hour, run, hour, run, hour, run, hour, { kind: "tick", what: "again", box: 0 }],
      { plans: BADLY },
    ),
  ],
  [
    "a run after a force-push",
    "continued",
    upkeep([land, land, run, hour, { kind: "rewrite", commits: 2 }, land]),
  ],
  ["a run without its ref", "idle", upkeep([land, run, { kind: "ref", is: "deleted", by: 1 }])],
  [
    "a run without its dashboard",
    "continued",
    upkeep([land, run, { kind: "dashboard", is: "deleted" }, hour, land]),
  ],
  ["the first run of a queue", "started", queue([add, pages])],
  ["a run of a queue whose tasks are at their end", "finished", queue([add, run, hour])],
  ["a run of a queue whose tasks failed", "started", queue([pages, run, hour], BADLY)],
] as unknown as [name: string, result: string, scene: Scene][];

/** Plays a scene up to a run, and the run itself. */
async function play(scene: Scene, last: Run<never>, at: number): Promise<History<never>> {
  const { history, before } = scene(at);
  for (const event of before) await history.happen(event);
  await history.happen({ kind: "run", run: last });
  return history;
}

test.each(ROWS)(
  "%s: whatever goes wrong at each of its requests, nothing is accepted twice and nothing lost",
  { timeout: LIMIT },
  async (name, result, scene) => {
    using undisturbed = await play(scene, {}, 0);
    expect(undisturbed.last?.outputs.result).toBe(result);
    const requests = undisturbed.last?.requests ?? [];
    const cells = requests.flatMap((_, at): Run<never>[] => [
      ...FAULTS.map((fault) => ({ faults: [{ at, fault }] })),
      // From there on, for good.
      ...FAULTS.map((fault) => ({
        faults: Array.from({ length: 60 }, (__, nth) => ({ at: at + nth, fault })),
      })),
      ...(["before", "after"] as const).flatMap((when) =>
        [false, true].map((post) => ({ kill: { at, when }, post })),
      ),
    ]);
    for (const [nth, cell] of sampleOf(cells, SAMPLE, name).entries()) {
      using history = await play(scene, cell, nth);
      if (history.wrong.length === 0) await history.settle();
      expect(history.wrong, JSON.stringify(cell).slice(0, 200)).toEqual([]);
    }
  },
);
