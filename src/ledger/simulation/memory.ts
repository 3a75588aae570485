import { LIVING } from "../judge-claims.ts";
import { type LedgerState, readLedger, settledChanges } from "../read-ledger.ts";
import { type Change, tickId } from "../record.ts";
import { type Issue, readCheckpoint, readComments, type SimulatedBody } from "./github.ts";
import { checkNothingLost } from "./invariants.ts";
import { MOST_BEHIND, type World } from "./world.ts";

/**
 * The ledger as a run would read it that starts now, or so many milliseconds later. Null: such a run
 * would stop.
 */
export function readNow(
  world: World,
  later = 0,
  issue: Issue = world.issue.now,
): LedgerState<Change> | null {
  const checkpoint = readCheckpoint(issue, world.key);
  const comments = readComments(issue, world.key, checkpoint?.since ?? null);
  const checkpoints = checkpoint === null ? [] : [checkpoint];
  const now = world.issue.clock + later;
  const state = readLedger({ checkpoints, comments, own: [], now });
  const isForeign = checkpoint === null && comments.every(({ record }) => record === null);
  return isForeign || state.missing.length > 0 ? null : state;
}

/**
 * What no run would know any more that starts now, or once no run is alive; for each way in which it may be
 * shown the issue, because what one of them does not tell may still be in the other.
 */
export function forgotten(world: World): string[] {
  return shownIssues(world).flatMap((issue, nth) =>
    [
      ...[0, 2 * LIVING].flatMap((later) => {
        const state = readNow(world, later, issue);
        return state === null ? ["the ledger cannot be read"] : checkNothingLost(world, state);
      }),
      ...forgottenBeginnings(world, issue),
    ].map((what) => (nth === 0 ? what : `${what}, if GitHub is behind`)),
  );
}

/** What runs may be shown of the issue: if GitHub is behind, a former body beside today's comments. */
function shownIssues({ issue, profile }: World): Issue[] {
  const { now } = issue;
  return profile.isBehind ? [now, { ...now, body: issue.before(MOST_BEHIND).body }] : [now];
}

/** Sources whose beginning only claims remember, which may be withdrawn. */
function forgottenBeginnings(world: World, issue: Issue): string[] {
  const body = readCheckpoint(issue, world.key)?.cursors ?? {};
  const comments = new Set(
    readComments(issue, world.key, null).flatMap(({ id, record }) =>
      record?.kind === "checkpoint" ? [id] : [],
    ),
  );
  return [...world.beginnings].flatMap(([source, { comment }]) =>
    source in body || comments.has(comment) ? [] : [`where ${source} begins`],
  );
}

/** The batches that hold a change, a change each, and the changes that are done, whatever is shown. */
export function heldBatches(world: World): string[] {
  const shown = shownIssues(world).flatMap((issue) => {
    const state = readNow(world, 2 * LIVING, issue);
    // A run that is shown this would stop.
    return state === null ? [] : [new Set(heldIn(world, state))];
  });
  const [first = new Set<string>(), ...others] = shown;
  return [...first].filter((it) => others.every((held) => held.has(it)));
}

function heldIn(world: World, state: LedgerState<Change>): string[] {
  const open = [...settledChanges(state)].map(([key, { batch }]) => tickId(batch.id, key));
  const done = world.expected.filter(({ key }) => state.known.has(key)).map(({ key }) => key);
  return [...open, ...done];
}

/** A run's write of the body: the last one wins, whatever it knew. */
export function overwriteBody(world: World, body: Partial<SimulatedBody>): void {
  if (!world.profile.hasVandals) {
    world.writeBody(body);
    return;
  }
  const before = world.issue.now;
  const known = forgotten(world);
  world.writeBody(body);
  if (forgotten(world).every((what) => known.includes(what))) return;
  // The run had read the body before another wrote it, and a person has taken a comment away.
  world.issue.restore(before);
  world.forgotten++;
}
