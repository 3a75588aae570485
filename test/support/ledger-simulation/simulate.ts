import { readLedger } from "../../../src/ledger/model/read-ledger.ts";
import type { Change } from "../../../src/ledger/model/record.ts";
import type { Effect } from "../../../src/ledger/protocol/effects.ts";
import { recordKilledRun } from "../../../src/ledger/protocol/record-killed-run.ts";
import { runLedger } from "../../../src/ledger/protocol/run-ledger.ts";
import { readComments } from "./github.ts";
import { checkAtRest, checkNothingLost, checkOnce, checkSame } from "./invariants.ts";
import { readNow } from "./memory.ts";
import { actAsMaintainer, deleteAndCopy } from "./people.ts";
import { perform } from "./perform.ts";
import { proceed, type SimulatedRun, startRun } from "./run.ts";
import { type Profile, Simulation } from "./simulation.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Runs at once. */
const MOST_RUNS = 4;
/** After so many runs, a day apart, everything is at rest, or never will be. */
const LAST_RUNS = 40;

/**
 * Plays one history. Answers what has gone wrong, and the simulation as it is then.
 *
 * @param isTold whether to tell what happens, line by line
 */
export function simulate(profile: Profile, numbers: readonly number[], isTold = false): Simulation {
  const simulation = new Simulation(profile, numbers, isTold);
  while (!simulation.chooser.isUsedUp && simulation.problems.length === 0) {
    const { now } = simulation.issue;
    const jobs = simulation.service.jobs.length;
    const what = happen(simulation);
    const isSame = simulation.issue.now === now && simulation.service.jobs.length === jobs;
    if (what !== "step" || !isSame) check(simulation);
  }
  if (simulation.problems.length === 0) comeToRest(simulation);
  return simulation;
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
  | "damage"
  | "rotate";

/** One thing happens. Answers which. */
function happen(simulation: Simulation): Event {
  const { chooser, profile } = simulation;
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
    damage: profile.hasDamage ? 5 : 0,
    rotate: profile.hasDamage ? 1 : 0,
  });
  if (what !== "step") simulation.tell(() => what);
  events[what](simulation);
  return what;
}
const events: Record<Event, (simulation: Simulation) => void> = {
  step: (simulation) => {
    const run = simulation.chooser.one(simulation.runs);
    simulation.issue.time += simulation.chooser.number(4000);
    if (run !== null) step(simulation, run);
  },
  start: (simulation) => {
    if (simulation.runs.length < MOST_RUNS) start(simulation);
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
  kill: (simulation) => {
    const run = simulation.chooser.one(simulation.runs);
    const isDone = simulation.chooser.chance(50);
    const hasPostStep = simulation.chooser.chance(60);
    if (run !== null) kill(simulation, run, { isDone, hasPostStep });
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
  damage: deleteAndCopy,
  rotate: (simulation) => {
    // Twice in a row without a run in between would need two previous keys.
    const isSigned = simulation.issue.now.body.signed?.key === simulation.key;
    if (simulation.runs.length === 0 && isSigned) simulation.key++;
  },
};

export function start(simulation: Simulation): SimulatedRun {
  const claimId = `c${++simulation.started}`;
  const run = startRun(claimId, simulation.key, runLedger({ claimId }));
  simulation.runs.push(run);
  return run;
}

export function step(simulation: Simulation, run: SimulatedRun): void {
  if (run.effect !== null) proceed(run, answer(simulation, run, run.effect));
  if (run.effect !== null) return;
  simulation.runs = simulation.runs.filter((other) => other !== run);
  // What a run could not write itself, its post step writes.
  startPostStep(simulation, run);
}

function answer(simulation: Simulation, run: SimulatedRun, effect: Effect<Change>): unknown {
  const given = perform(simulation, run, effect);
  simulation.tell(() => `${run.name} ${JSON.stringify(effect)} -> ${JSON.stringify(given)}`);
  return given;
}

/** Ends a run before or after what it asks for is done, and starts its post step or not. */
export function kill(
  simulation: Simulation,
  run: SimulatedRun,
  { isDone, hasPostStep }: { isDone: boolean; hasPostStep: boolean },
): void {
  if (run.effect !== null && isDone) answer(simulation, run, run.effect);
  simulation.tell(() => `${run.name} is killed`);
  simulation.runs = simulation.runs.filter((other) => other !== run);
  if (hasPostStep) startPostStep(simulation, run);
}

function startPostStep(simulation: Simulation, run: SimulatedRun): void {
  if (run.memory === null) return;
  simulation.runs.push(startRun(`post of ${run.name}`, run.key, recordKilledRun(run.memory)));
}

export function check(simulation: Simulation): void {
  checkOnce(simulation);
  const state = readNow(simulation);
  if (state === null) return;
  simulation.problems.push(...checkNothingLost(simulation, state));
  const { hasFaults, hasDamage, isQueue } = simulation.profile;
  if (hasFaults || hasDamage || isQueue) return;
  const comments = readComments(simulation.issue.now, simulation.key, null);
  const whole = readLedger({
    checkpoints: [],
    comments,
    own: [],
    now: simulation.issue.clock,
  });
  simulation.problems.push(...checkSame(whole, state));
}

/** Nothing goes wrong any more: one run a day, until nothing is left to do. */
export function comeToRest(simulation: Simulation): void {
  const { service } = simulation;
  simulation.isCalm = true;
  simulation.runs = [];
  for (const effect of simulation.later.splice(0)) effect();
  // What the action advises where it cannot rebuild the body.
  if (readNow(simulation) === null) simulation.restoreBody();
  simulation.issue.writeBody({ isClosed: false });
  for (let day = 1, quiet = 0; day <= LAST_RUNS && quiet < 1; day++) {
    const hadWork = service.active.length > 0;
    simulation.issue.time += DAY;
    for (const job of service.active) job.status = "completed";
    const run = start(simulation);
    while (run.effect !== null) step(simulation, run);
    check(simulation);
    quiet = hadWork || service.active.length > 0 ? 0 : quiet + 1;
  }
  const state = readNow(simulation);
  if (state === null) simulation.problems.push("the ledger cannot be read");
  else simulation.problems.push(...checkAtRest(simulation, state));
}
