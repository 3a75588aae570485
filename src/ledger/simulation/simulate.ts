import type { Effect } from "../effects.ts";
import { readLedger } from "../read-ledger.ts";
import type { Change } from "../record.ts";
import { runLedger } from "../run-ledger.ts";
import { settleKilledRun } from "../settle-killed-run.ts";
import { readComments } from "./github.ts";
import { checkAtRest, checkNothingLost, checkOnce, checkSame } from "./invariants.ts";
import { readNow } from "./memory.ts";
import { actAsMaintainer, actAsVandal } from "./people.ts";
import { perform } from "./perform.ts";
import { proceed, type SimulatedRun, startRun } from "./run.ts";
import { type Profile, World } from "./world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Runs at once. */
const MOST_RUNS = 4;
/** After so many runs, a day apart, everything is at rest, or never will be. */
const LAST_RUNS = 40;

/**
 * Plays one history. Answers what has gone wrong, and the world as it is then.
 *
 * @param isTold whether to tell what happens, line by line
 */
export function simulate(profile: Profile, numbers: readonly number[], isTold = false): World {
  const world = new World(profile, numbers, isTold);
  while (!world.chooser.isUsedUp && world.problems.length === 0) {
    const { now } = world.issue;
    const jobs = world.service.jobs.length;
    const what = happen(world);
    const isSame = world.issue.now === now && world.service.jobs.length === jobs;
    if (what !== "step" || !isSame) check(world);
  }
  if (world.problems.length === 0) comeToRest(world);
  return world;
}

type Event =
  | "step"
  | "start"
  | "land"
  | "job"
  | "kill"
  | "minutes"
  | "hours"
  | "later"
  | "force-push"
  | "maintainer"
  | "vandal"
  | "rotate";

/** One thing happens. Answers which. */
function happen(world: World): Event {
  const { chooser, profile } = world;
  const what = chooser.weighted<Event>({
    step: 60,
    start: 6,
    land: 5,
    job: 5,
    kill: 3,
    minutes: 3,
    hours: 3,
    later: 2,
    "force-push": 1,
    maintainer: profile.hasTicks ? 4 : 0,
    vandal: profile.hasVandals ? 5 : 0,
    rotate: profile.hasVandals ? 1 : 0,
  });
  if (what !== "step") world.tell(() => what);
  events[what](world);
  return what;
}
const events: Record<Event, (world: World) => void> = {
  step: (world) => {
    const run = world.chooser.one(world.runs);
    world.issue.time += world.chooser.number(4000);
    if (run !== null) step(world, run);
  },
  start: (world) => {
    if (world.runs.length < MOST_RUNS) start(world);
  },
  land: ({ chooser, sources, issue }) => {
    const source = chooser.one(sources.names) ?? "";
    const kind = chooser.chance(30) ? "commit" : "pull";
    sources.land(source, kind, chooser.chance(20), issue.clock);
  },
  job: ({ chooser, service }) => {
    const job = chooser.one(service.active);
    const status = chooser.weighted({ completed: 6, failed: 3, unknown: 1 });
    if (job !== null) job.status = status;
  },
  kill: (world) => {
    const run = world.chooser.one(world.runs);
    const isDone = world.chooser.chance(50);
    const hasPostStep = world.chooser.chance(60);
    if (run !== null) kill(world, run, { isDone, hasPostStep });
  },
  minutes: ({ chooser, issue }) => {
    issue.time += chooser.number(2 * MINUTE);
  },
  hours: ({ chooser, issue }) => {
    issue.time += 11 * MINUTE + chooser.number(180 * MINUTE);
  },
  later: ({ chooser, later }) => {
    later.splice(chooser.number(later.length), 1)[0]?.();
  },
  "force-push": ({ chooser, sources }) => {
    sources.forcePush(chooser.one(sources.names) ?? "", 1 + chooser.number(4));
  },
  maintainer: actAsMaintainer,
  vandal: actAsVandal,
  rotate: (world) => {
    // Twice in a row without a run in between would need two previous keys.
    const isSigned = world.issue.now.body.signed?.key === world.key;
    if (world.runs.length === 0 && isSigned) world.key++;
  },
};

export function start(world: World): SimulatedRun {
  const claimId = `c${++world.started}`;
  const run = startRun(claimId, world.key, runLedger({ claimId }));
  world.runs.push(run);
  return run;
}

export function step(world: World, run: SimulatedRun): void {
  if (run.effect !== null) proceed(run, answer(world, run, run.effect));
  if (run.effect !== null) return;
  world.runs = world.runs.filter((other) => other !== run);
  // What a run could not write itself, its post step writes.
  startPostStep(world, run);
}

function answer(world: World, run: SimulatedRun, effect: Effect<Change>): unknown {
  const given = perform(world, run, effect);
  world.tell(() => `${run.name} ${JSON.stringify(effect)} -> ${JSON.stringify(given)}`);
  return given;
}

/** Ends a run before or after what it asks for is done, and starts its post step or not. */
export function kill(
  world: World,
  run: SimulatedRun,
  { isDone, hasPostStep }: { isDone: boolean; hasPostStep: boolean },
): void {
  if (run.effect !== null && isDone) answer(world, run, run.effect);
  world.tell(() => `${run.name} is killed`);
  world.runs = world.runs.filter((other) => other !== run);
  if (hasPostStep) startPostStep(world, run);
}

function startPostStep(world: World, run: SimulatedRun): void {
  if (run.memory === null) return;
  world.runs.push(startRun(`post of ${run.name}`, run.key, settleKilledRun(run.memory)));
}

export function check(world: World): void {
  checkOnce(world);
  const state = readNow(world);
  if (state === null) return;
  world.problems.push(...checkNothingLost(world, state));
  const { hasFaults, hasVandals, isQueue } = world.profile;
  if (hasFaults || hasVandals || isQueue) return;
  const comments = readComments(world.issue.now, world.key, null);
  const whole = readLedger({
    checkpoints: [],
    comments,
    own: [],
    now: world.issue.clock,
  });
  world.problems.push(...checkSame(whole, state));
}

/** Nothing goes wrong any more: one run a day, until nothing is left to do. */
export function comeToRest(world: World): void {
  const { service } = world;
  world.isCalm = true;
  world.runs = [];
  for (const effect of world.later.splice(0)) effect();
  // What the action advises where it cannot rebuild the body.
  if (readNow(world) === null) world.restoreBody();
  world.issue.writeBody({ isClosed: false });
  for (let day = 1, quiet = 0; day <= LAST_RUNS && quiet < 1; day++) {
    const hadWork = service.active.length > 0;
    world.issue.time += DAY;
    for (const job of service.active) job.status = "completed";
    const run = start(world);
    while (run.effect !== null) step(world, run);
    check(world);
    quiet = hadWork || service.active.length > 0 ? 0 : quiet + 1;
  }
  const state = readNow(world);
  if (state === null) world.problems.push("the ledger cannot be read");
  else world.problems.push(...checkAtRest(world, state));
}
