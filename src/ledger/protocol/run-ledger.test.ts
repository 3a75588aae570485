import { describe, expect, test } from "vitest";
import { type SimulatedRun, startRun } from "../../../test/support/ledger-simulation/run.ts";
import { comeToRest, kill, start, step } from "../../../test/support/ledger-simulation/simulate.ts";
import { type Profile, Simulation } from "../../../test/support/ledger-simulation/simulation.ts";
import type { EffectType } from "./effects.ts";
import { runLedger } from "./run-ledger.ts";

const CALM: Profile = {
  isQueue: false,
  hasFaults: false,
  isBehind: false,
  hasTicks: false,
  hasDamage: false,
  isBlind: false,
};
const QUEUE: Profile = { ...CALM, isQueue: true };

/** A simulation in which the ledger has begun and three changes wait. */
function waiting(profile = CALM): Simulation {
  const simulation = new Simulation(profile, []);
  finish(simulation, start(simulation));
  for (let change = 1; change <= 3; change++) {
    simulation.sources.land(
      simulation.sources.names[0] ?? "",
      "pull",
      false,
      simulation.issue.clock,
    );
  }
  return simulation;
}

/** Lets a run do its next effects; all of them if no number is given. Answers which. */
function finish(
  simulation: Simulation,
  run: SimulatedRun,
  count = Number.POSITIVE_INFINITY,
): EffectType[] {
  const effects: EffectType[] = [];
  while (run.effect !== null && effects.length < count) {
    effects.push(run.effect.type);
    step(simulation, run);
  }
  return effects;
}

/** The requests that the service took, as the changes they hold. */
function requests({ service }: Simulation): string[] {
  return service.jobs.map(({ keys }) => keys.join(" ")).sort();
}

/** How many effects a run has that hands over what waits. */
function lengthOfRun(profile: Profile): number {
  const simulation = waiting(profile);
  return finish(simulation, start(simulation)).length;
}

test("a run that hands over writes its intent, names its comment, and reads the thread again before it sends", () => {
  const simulation = waiting();
  expect(finish(simulation, start(simulation))).toEqual([
    "read-dashboard",
    "read-thread",
    "choose",
    "post",
    "remember",
    "read-thread",
    "edit",
    "read-dashboard",
    "write-dashboard",
    "read-thread",
    "remember",
    "send",
    "remember",
    "edit",
    "remember",
    "read-dashboard",
    "write-dashboard",
  ]);
  expect(requests(simulation)).toEqual(["o/a#1 o/a#2 o/a#3"]);
});

test("a run with nothing new reads the body and the thread, and writes nothing", () => {
  const simulation = waiting();
  finish(simulation, start(simulation));
  expect(finish(simulation, start(simulation))).toEqual([
    "read-dashboard",
    "read-thread",
    "poll",
    "choose",
  ]);
});

test("where a first run begins is written down, with nothing to do as well", () => {
  const simulation = new Simulation(CALM, []);
  expect(finish(simulation, start(simulation))).toContain("post");
  expect(simulation.issue.now.comments[0]?.signed?.value).toMatchObject({ kind: "checkpoint" });
});

describe.each([
  ["upkeep", CALM],
  ["queue", QUEUE],
])("a run of %s", (_, profile) => {
  const effects = Array.from({ length: lengthOfRun(profile) }, (_, index) => index);

  test.each(
    effects.flatMap((at) => [
      { at, isDone: false, hasPostStep: false },
      { at, isDone: false, hasPostStep: true },
      { at, isDone: true, hasPostStep: false },
      { at, isDone: true, hasPostStep: true },
    ]),
  )(
    "killed at effect $at (done: $isDone, post step: $hasPostStep) hands over nothing twice",
    (how) => {
      const simulation = waiting(profile);
      const run = start(simulation);
      finish(simulation, run, how.at);
      kill(simulation, run, how);
      for (const post of [...simulation.runs]) finish(simulation, post);
      comeToRest(simulation);
      expect(simulation.problems).toEqual([]);
      const keys = simulation.service.jobs.flatMap((job) => job.keys);
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  test.each(effects)(
    "and another in between its effects %i and the next send each change once",
    (at) => {
      for (const pause of [0, 6, 20]) {
        const simulation = waiting(profile);
        const first = start(simulation);
        finish(simulation, first, at);
        simulation.issue.time += pause * 60_000;
        finish(simulation, start(simulation));
        finish(simulation, first);
        comeToRest(simulation);
        expect(simulation.problems).toEqual([]);
      }
    },
  );
});

test("of two runs in step one goes first, and the other is busy", () => {
  const simulation = waiting();
  const runs = [start(simulation), start(simulation)];
  while (runs.some(({ effect }) => effect !== null)) for (const run of runs) step(simulation, run);
  expect(runs.map(({ result }) => result)).toMatchObject([
    { end: { type: "handed-over" } },
    { end: { type: "busy" } },
  ]);
  expect(requests(simulation)).toHaveLength(1);
});

test("another run is busy as long as the first may be alive, and finds the batch uncertain afterwards", () => {
  const simulation = waiting();
  const first = start(simulation);
  finish(simulation, first, 11);
  kill(simulation, first, { isDone: true, hasPostStep: false });
  const busy = start(simulation);
  finish(simulation, busy);
  expect(busy.result).toMatchObject({ end: { type: "busy" } });
  simulation.issue.time += 11 * 60_000;
  const later = start(simulation);
  finish(simulation, later);
  expect(later.result).toMatchObject({ end: { type: "nothing" } });
  expect(simulation.boxes((later.result as { state: never }).state)).toHaveLength(3);
});

test("a run that is killed before its claim names its comment leaves its changes to the next", () => {
  const simulation = waiting();
  const first = start(simulation);
  finish(simulation, first, 6);
  kill(simulation, first, { isDone: false, hasPostStep: false });
  simulation.issue.time += 11 * 60_000;
  finish(simulation, start(simulation));
  expect(requests(simulation)).toEqual(["o/a#1 o/a#2 o/a#3"]);
});

test("a dashboard that is closed while a run is at work keeps it from sending", () => {
  const simulation = waiting();
  const run = start(simulation);
  finish(simulation, run, 6);
  simulation.issue.writeBody({ isClosed: true });
  finish(simulation, run);
  expect(run.result).toMatchObject({ end: { type: "paused" } });
  expect(requests(simulation)).toEqual([]);
});

test("a body that holds nothing valid is rebuilt from the thread", () => {
  const simulation = waiting();
  finish(simulation, start(simulation));
  simulation.issue.writeBody({ signed: null });
  finish(simulation, start(simulation));
  expect(simulation.issue.now.body.signed).not.toBeNull();
  comeToRest(simulation);
  expect(simulation.problems).toEqual([]);
  expect(requests(simulation)).toHaveLength(1);
});

test("a run stops where the body is lost and the thread lacks claims", () => {
  const simulation = waiting();
  finish(simulation, start(simulation));
  comeToRest(simulation);
  simulation.sources.land("o/a@main", "pull", false, simulation.issue.clock);
  comeToRest(simulation);
  const first = simulation.issue.now.comments[1];
  simulation.issue.remove(first?.id ?? 0);
  simulation.issue.writeBody({ signed: null });
  const run = start(simulation);
  finish(simulation, run);
  expect(run.result).toMatchObject({ end: { type: "incomplete", missing: [1] } });
});

test("a run stops where nothing verifies", () => {
  const simulation = waiting();
  const steps = runLedger({ claimId: "other" });
  const run = startRun("other", simulation.key + 5, steps);
  finish(simulation, run);
  expect(run.result).toMatchObject({ end: { type: "foreign" } });
});

test("after the key was rotated all that counts is signed anew, twice", () => {
  const simulation = waiting();
  finish(simulation, start(simulation));
  for (let rotation = 1; rotation <= 3; rotation++) {
    simulation.key++;
    finish(simulation, start(simulation));
    simulation.issue.writeBody({ signed: null });
    finish(simulation, start(simulation));
  }
  comeToRest(simulation);
  expect(simulation.problems).toEqual([]);
  expect(requests(simulation)).toHaveLength(1);
});
