import { expect, test } from "vitest";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { FAULTS, type Fault } from "../../support/memory-world/faulty-servers.ts";
import { changesNothing, momentsOf } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";
import type { Event, Run } from "../ledger/events.ts";
import type { History } from "../ledger/history.ts";
import { type QueueEvent, QueueHistory } from "../ledger/queue-history.ts";
import { type UpkeepEvent, UpkeepHistory, type UpkeepSetting } from "../ledger/upkeep-history.ts";

const LIMIT = 20 * 60_000;
/** How many cells of each row a sample has. */
const SAMPLE = 2;

export const WELL: Plan[] = [{ outcome: "completed", takes: 0 }];
export const BADLY: Plan[] = [{ outcome: "failed", takes: 0 }];

export const hour = { kind: "pass", minutes: 60 } as const;
export const run = { kind: "run", run: {} } as const;
export const land = { kind: "land", method: "squash", commits: 1, by: "writer" } as const;
export const add = { kind: "add", what: "named", count: 3, at: 0 } as const;
export const pages = { kind: "add", what: "page", count: 3, at: 0 } as const;

export const upkeep =
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

export const queue =
  (before: Event<QueueEvent>[], plans = WELL) =>
  (at: number) => ({ history: new QueueHistory({ maxJobsPerHour: 50, plans, seed: at }), before });

type LastRun = { last: { requests: string[]; outputs: Record<string, string> } | null };
type Played = History<never> & LastRun;
type Scene = (at: number) => { history: Played; before: Event<never>[] };

/** What there is before the run that goes wrong, and what it ends with if it does not. */
type Row = [name: string, result: string, scene: Scene];

/** Rows of upkeep, of a queue or of land, whose events differ. */
export const rowsOf = (...rows: [name: string, result: string, scene: unknown][]) => rows as Row[];

/** Plays a scene up to a run, and the run itself. */
async function play(scene: Scene, last: Run<never>, at: number): Promise<Played> {
  const { history, before } = scene(at);
  for (const event of before) await history.happen(event);
  await history.happen({ kind: "run", run: last });
  return history;
}

/** Faults that mean the same to whoever made the request. */
const ALIKE = [
  ["error 500", "error 502", "error 503"],
  ["error after 502", "error after 500"],
  ["refused 400", "refused 422"],
  ["refused 401", "refused 403"],
  ["behind 200", "behind 1000"],
  ["behind 4000", "behind 120000"],
];

/** And if it changes nothing: that no answer came, however that was. */
const ALIKE_WITHOUT_EFFECT = [
  ...ALIKE.slice(1),
  ["error 500", "lost", "error 502", "no connection", "error 503"],
];

/** Every kind of fault; of those that mean the same, at each request another one. */
function faultsAt(at: number, alike: readonly string[][]): Fault[] {
  const nameOf = ({ kind, ...more }: Fault) => [kind, ...Object.values(more)].join(" ");
  const others = alike.flatMap((names) => names.filter((_, nth) => nth !== at % names.length));
  return FAULTS.filter((fault) => ![...others, "error after 503"].includes(nameOf(fault)));
}

/** Whether it is the same whether a fault strikes before a request is done or after. GraphQL is only read in these rows. */
function isWithoutEffect(request: string): boolean {
  return changesNothing(request) || request.endsWith("/graphql");
}

/** Whether a fault differs from the others at a request. Only what is read can come from an older copy. */
function isOfItsOwn({ kind }: Fault, request: string): boolean {
  const isRead = /^GET |\/graphql$/.test(request);
  if (kind === "behind") return isRead;
  return !isWithoutEffect(request) || !/after|late/.test(kind);
}

/**
 * A run that dies at a request that changes nothing leaves what one leaves that dies after the request before, but for
 * what it has saved for its post step.
 */
function killsAt(request: string, at: number): Run<never>[] {
  const isFollowed = isWithoutEffect(request) ? [true] : [false, true];
  return momentsOf(request).flatMap((when) =>
    isFollowed.map((post) => ({ kill: { at, when }, post })),
  );
}

/** What goes wrong once at a request. What changes nothing is asked in many rows: each row tries half of the faults. */
function faultsOnceAt(request: string, at: number, row: number): Fault[] {
  const isInRow = (nth: number) => !isWithoutEffect(request) || (nth + at + row) % 2 === 0;
  return faultsAt(at, isWithoutEffect(request) ? ALIKE_WITHOUT_EFFECT : ALIKE)
    .filter((fault) => isOfItsOwn(fault, request))
    .filter((_, nth) => isInRow(nth));
}

/** Lets everything go wrong at each request of each row's last run: once, and some of it for good. */
export function testRows(rows: readonly Row[]): void {
  test.each(rows.map((row, nth) => [...row, nth] as const))(
    "%s: whatever goes wrong at each of its requests, nothing is accepted twice and nothing lost",
    { timeout: LIMIT },
    async (name, result, scene, row) => {
      using undisturbed = await play(scene, {}, 0);
      expect(undisturbed.last?.outputs.result).toBe(result);
      const requests = undisturbed.last?.requests ?? [];
      const cells = requests.flatMap((request, at): Run<never>[] => [
        ...faultsOnceAt(request, at, row).map((fault) => ({ faults: [{ at, fault }] })),
        // Of what lasts from there on, at each request another quarter.
        ...faultsAt(at, ALIKE)
          .filter((__, nth) => nth % 4 === at % 4)
          .map((fault) => ({
            faults: Array.from({ length: 60 }, (___, nth) => ({ at: at + nth, fault })),
          })),
        ...killsAt(request, at),
      ]);
      for (const [nth, cell] of sampleOf(cells, SAMPLE, name).entries()) {
        using history = await play(scene, cell, nth);
        if (history.wrong.length === 0) await history.settle();
        expect(history.wrong, JSON.stringify(cell).slice(0, 200)).toEqual([]);
      }
    },
  );
}
