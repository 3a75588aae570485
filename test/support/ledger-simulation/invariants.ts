import type { BatchNow } from "../../../src/ledger/model/claim-now.ts";
import { changesHeldForGood, type LedgerState } from "../../../src/ledger/model/read-ledger.ts";
import { type Change, tickId } from "../../../src/ledger/model/record.ts";
import type { Simulation } from "./simulation.ts";

const DAY = 24 * 60 * 60_000;

/** No change in two requests that the service took, unless the first failed or a person asked for it. */
export function checkOnce(simulation: Simulation): void {
  for (const [key, jobs] of Map.groupBy(requests(simulation), ([key]) => key)) {
    for (const [index, [, later]] of jobs.entries()) {
      for (const [, earlier] of jobs.slice(0, index)) {
        // A request that was received late may be the first of the two.
        if (
          !isAsked(simulation, key, earlier, later) &&
          !isAsked(simulation, key, later, earlier)
        ) {
          simulation.problems.push(`${key} is in two requests: ${earlier} and ${later}`);
        }
      }
    }
  }
}

function requests({ service }: Simulation): [string, string][] {
  return service.jobs.flatMap(({ batch, keys }) =>
    keys.map((key): [string, string] => [key, batch]),
  );
}

/** Whether one batch may hand a change over again: the other has failed, or a person ticked its box. */
function isAsked(simulation: Simulation, key: string, first: string, second: string): boolean {
  return hasFailed(simulation, first) || isTicked(simulation, key, first, second);
}

/** Of two claims for the same change, one of which was not sent, the dashboard shows the later one. */
function isTicked(simulation: Simulation, key: string, first: string, second: string): boolean {
  const place = simulation.before.get(tickId(first, key));
  let batch = simulation.before.get(tickId(second, key));
  while (batch !== undefined && batch !== null) {
    const before = simulation.before.get(tickId(batch, key));
    const isBeside = batch === first || before === place;
    if (isBeside && simulation.everTicked.has(tickId(batch, key))) return true;
    batch = before;
  }
  return false;
}

function hasFailed({ service }: Simulation, batch: string): boolean {
  const status = service.jobs.find((job) => job.batch === batch)?.status;
  return status === "failed" || status === "unknown";
}

/** Whether a batch is another one, or was made because of it. */
function isAfter(simulation: Simulation, key: string, later: string, earlier: string): boolean {
  let batch: string | null | undefined = later;
  while (batch !== undefined && batch !== null && batch !== earlier) {
    batch = simulation.before.get(tickId(batch, key));
  }
  return batch === earlier;
}

/** What the service took is in the ledger; what is not in the ledger will be found; done is done. */
export function checkNothingLost(simulation: Simulation, state: LedgerState<Change>): string[] {
  const found = new Set(simulation.found(state).map(({ change }) => change.key));
  const completed = new Set(
    simulation.service.jobs.flatMap(({ status, keys }) => (status === "completed" ? keys : [])),
  );
  const held = changesHeldForGood(state);
  const told = new Set(
    state.claims.flatMap(({ batches }) => batches.filter(isTold)).map(({ id }) => id),
  );
  const forgotten = simulation.sent.filter(({ key, batch }) => {
    // Whether it waits to be handed over again is looked at below.
    if (hasFailed(simulation, batch)) return false;
    const fate = held.get(key);
    const isSince = fate !== undefined && isAfter(simulation, key, fate.batch.id, batch);
    return !told.has(batch) && !isSince && !state.known.has(key);
  });
  const lost = simulation.expected.filter(({ key }) => !isHeld(state, key) && !found.has(key));
  const untrue = simulation.expected.filter(
    ({ key }) => state.known.has(key) && !completed.has(key),
  );
  const without = [...simulation.beginnings.keys()].filter((source) => !state.cursors.has(source));
  return [
    ...without.map((source) => `it is not known where ${source} begins`),
    ...forgotten.map(
      ({ key, batch }) => `${key} was sent in ${batch}, and the ledger does not know`,
    ),
    ...lost.map(({ key }) => `${key} is lost`),
    ...untrue.map(({ key }) => `${key} is told as done, and is not`),
  ];
}

function isTold({ stateNow }: BatchNow<Change>): boolean {
  return stateNow !== "withdrawn";
}

/** After everything has come to rest: each change is done, or a person is asked. */
export function checkAtRest(simulation: Simulation, state: LedgerState<Change>): string[] {
  return simulation.expected.flatMap(({ key }) => {
    const stateNow = state.open.get(key)?.batch.stateNow;
    if (state.known.has(key) || stateNow === "failed" || stateNow === "uncertain") return [];
    return [`${key} does not come to an end: ${stateNow ?? "waiting"}`];
  });
}

/** What a checkpoint and the comments since say is what all comments say. */
export function checkSame(whole: LedgerState<Change>, short: LedgerState<Change>): string[] {
  // What a checkpoint has taken as uncertain stays so, even if it turns out to be withdrawn.
  if (isTaken(short) || isTaken(whole)) return [];
  const named = whole.claims.filter(({ claim }) => claim.comment !== null);
  const uncounted = named
    .flatMap(({ batches }) => batches)
    .filter(({ id }) => isRecent(whole, id) && !short.starts.has(id));
  if (uncounted.length > 0) return [`not counted: ${uncounted.map(({ id }) => id)}`];
  const wholeText = describe(whole);
  const shortText = describe(short);
  return wholeText === shortText ? [] : [`all comments: ${wholeText}\n  checkpoint: ${shortText}`];
}

function isTaken({ claims }: LedgerState<Change>): boolean {
  return claims.some(({ batches }) => batches.some(({ stateNow }) => stateNow === "uncertain"));
}

function isRecent({ starts, now }: LedgerState<Change>, batch: string): boolean {
  const at = starts.get(batch)?.at;
  return at !== undefined && now - at < DAY;
}

function describe(state: LedgerState<Change>): string {
  const { cursors, doneByDay } = state;
  return JSON.stringify({
    open: [...changesHeldForGood(state)]
      .map(([key, { batch }]) => `${key} ${batch.id} ${batch.stateNow}`)
      .sort(),
    cursors: [...cursors].map(([source, { number, comment }]) => [source, number, comment]).sort(),
    doneByDay: [...doneByDay].sort(([a], [b]) => a - b),
  });
}

export function isHeld({ known, open }: LedgerState<Change>, key: string): boolean {
  return known.has(key) || open.has(key);
}
