import { CLAIM_LIFETIME } from "../../../src/ledger/model/claim-now.ts";
import {
  changesHeldForGood,
  type LedgerState,
  readLedger,
} from "../../../src/ledger/model/read-ledger.ts";
import { type Change, tickId } from "../../../src/ledger/model/record.ts";
import { type Issue, readCheckpoint, readComments, type SimulatedBody } from "./github.ts";
import { checkNothingLost } from "./invariants.ts";
import { MOST_BEHIND, type Simulation } from "./simulation.ts";

/**
 * The ledger as a run would read it that starts now, or so many milliseconds later. Null: such a run
 * would stop.
 */
export function readNow(
  simulation: Simulation,
  later = 0,
  issue: Issue = simulation.issue.now,
): LedgerState<Change> | null {
  const checkpoint = readCheckpoint(issue, simulation.key);
  const comments = readComments(issue, simulation.key, checkpoint?.since ?? null);
  const checkpoints = checkpoint === null ? [] : [checkpoint];
  const now = simulation.issue.clock + later;
  const state = readLedger({ checkpoints, comments, own: [], now });
  const isForeign = checkpoint === null && comments.every(({ record }) => record === null);
  return isForeign || state.missing.length > 0 ? null : state;
}

/**
 * What no run would know any more that starts now, or once no run is alive; for each way in which it may be
 * shown the issue, because what one of them does not tell may still be in the other.
 */
export function forgotten(simulation: Simulation): string[] {
  return shownIssues(simulation).flatMap((issue, nth) =>
    [
      ...[0, 2 * CLAIM_LIFETIME].flatMap((later) => {
        const state = readNow(simulation, later, issue);
        return state === null ? ["the ledger cannot be read"] : checkNothingLost(simulation, state);
      }),
      ...forgottenBeginnings(simulation, issue),
    ].map((what) => (nth === 0 ? what : `${what}, if GitHub is behind`)),
  );
}

/** What runs may be shown of the issue: if GitHub is behind, a former body beside today's comments. */
function shownIssues({ issue, profile }: Simulation): Issue[] {
  const { now } = issue;
  return profile.isBehind ? [now, { ...now, body: issue.before(MOST_BEHIND).body }] : [now];
}

/** Sources whose beginning only claims remember, which may be withdrawn. */
function forgottenBeginnings(simulation: Simulation, issue: Issue): string[] {
  const body = readCheckpoint(issue, simulation.key)?.cursors ?? {};
  const comments = new Set(
    readComments(issue, simulation.key, null).flatMap(({ id, record }) =>
      record?.kind === "checkpoint" ? [id] : [],
    ),
  );
  return [...simulation.beginnings].flatMap(([source, { comment }]) =>
    source in body || comments.has(comment) ? [] : [`where ${source} begins`],
  );
}

/** The batches that hold a change, a change each, and the changes that are done, whatever is shown. */
export function heldBatches(simulation: Simulation): string[] {
  const shown = shownIssues(simulation).flatMap((issue) => {
    const state = readNow(simulation, 2 * CLAIM_LIFETIME, issue);
    // A run that is shown this would stop.
    return state === null ? [] : [new Set(heldIn(simulation, state))];
  });
  const [first = new Set<string>(), ...others] = shown;
  return [...first].filter((it) => others.every((held) => held.has(it)));
}

function heldIn(simulation: Simulation, state: LedgerState<Change>): string[] {
  const open = [...changesHeldForGood(state)].map(([key, { batch }]) => tickId(batch.id, key));
  const done = simulation.expected.filter(({ key }) => state.known.has(key)).map(({ key }) => key);
  return [...open, ...done];
}

/** A run's write of the body: the last one wins, whatever it knew. */
export function overwriteBody(simulation: Simulation, body: Partial<SimulatedBody>): void {
  if (!simulation.profile.hasDamage) {
    simulation.writeBody(body);
    return;
  }
  const before = simulation.issue.now;
  const known = forgotten(simulation);
  simulation.writeBody(body);
  if (forgotten(simulation).every((what) => known.includes(what))) return;
  // The run had read the body before another wrote it, and a person has taken a comment away.
  simulation.issue.restore(before);
  simulation.forgotten++;
}
