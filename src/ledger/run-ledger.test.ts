import { describe, expect, test } from "vitest";
import type { EffectType } from "./effects.ts";
import { runLedger } from "./run-ledger.ts";
import { type SimulatedRun, startRun } from "./simulation/run.ts";
import { comeToRest, kill, start, step } from "./simulation/simulate.ts";
import { type Profile, World } from "./simulation/world.ts";

const CALM: Profile = {
  isQueue: false,
  hasFaults: false,
  isBehind: false,
  hasTicks: false,
  hasVandals: false,
  isBlind: false,
};
const QUEUE: Profile = { ...CALM, isQueue: true };

/** A world in which the ledger has begun and three changes wait. */
function waiting(profile = CALM): World {
  const world = new World(profile, []);
  finish(world, start(world));
  for (let change = 1; change <= 3; change++) {
    world.sources.land(world.sources.names[0] ?? "", "pull", false, world.issue.clock);
  }
  return world;
}

/** Lets a run do its next effects; all of them if no number is given. Answers which. */
function finish(world: World, run: SimulatedRun, count = Number.POSITIVE_INFINITY): EffectType[] {
  const effects: EffectType[] = [];
  while (run.effect !== null && effects.length < count) {
    effects.push(run.effect.type);
    step(world, run);
  }
  return effects;
}

/** The requests that the service took, as the changes they hold. */
function requests({ service }: World): string[] {
  return service.jobs.map(({ keys }) => keys.join(" ")).sort();
}

/** How many effects a run has that hands over what waits. */
function lengthOfRun(profile: Profile): number {
  const world = waiting(profile);
  return finish(world, start(world)).length;
}

test("a run that hands over writes its intent, names its comment, and looks again before it sends", () => {
  const world = waiting();
  expect(finish(world, start(world))).toEqual([
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
  expect(requests(world)).toEqual(["o/a#1 o/a#2 o/a#3"]);
});

test("a run with nothing new reads the body and the thread, and writes nothing", () => {
  const world = waiting();
  finish(world, start(world));
  expect(finish(world, start(world))).toEqual(["read-dashboard", "read-thread", "poll", "choose"]);
});

test("where a first run begins is written down, with nothing to do as well", () => {
  const world = new World(CALM, []);
  expect(finish(world, start(world))).toContain("post");
  expect(world.issue.now.comments[0]?.signed?.value).toMatchObject({ kind: "checkpoint" });
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
      const world = waiting(profile);
      const run = start(world);
      finish(world, run, how.at);
      kill(world, run, how);
      for (const post of [...world.runs]) finish(world, post);
      comeToRest(world);
      expect(world.problems).toEqual([]);
      const keys = world.service.jobs.flatMap((job) => job.keys);
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  test.each(effects)(
    "and another in between its effects %i and the next send each change once",
    (at) => {
      for (const pause of [0, 6, 20]) {
        const world = waiting(profile);
        const first = start(world);
        finish(world, first, at);
        world.issue.time += pause * 60_000;
        finish(world, start(world));
        finish(world, first);
        comeToRest(world);
        expect(world.problems).toEqual([]);
      }
    },
  );
});

test("of two runs in step one goes first, and the other is busy", () => {
  const world = waiting();
  const runs = [start(world), start(world)];
  while (runs.some(({ effect }) => effect !== null)) for (const run of runs) step(world, run);
  expect(runs.map(({ result }) => result)).toMatchObject([
    { end: { type: "handed-over" } },
    { end: { type: "busy" } },
  ]);
  expect(requests(world)).toHaveLength(1);
});

test("another run is busy as long as the first may be alive, and finds the batch uncertain afterwards", () => {
  const world = waiting();
  const first = start(world);
  finish(world, first, 11);
  kill(world, first, { isDone: true, hasPostStep: false });
  const busy = start(world);
  finish(world, busy);
  expect(busy.result).toMatchObject({ end: { type: "busy" } });
  world.issue.time += 11 * 60_000;
  const later = start(world);
  finish(world, later);
  expect(later.result).toMatchObject({ end: { type: "nothing" } });
  expect(world.boxes((later.result as { state: never }).state)).toHaveLength(3);
});

test("a run that is killed before its claim names its comment leaves its changes to the next", () => {
  const world = waiting();
  const first = start(world);
  finish(world, first, 6);
  kill(world, first, { isDone: false, hasPostStep: false });
  world.issue.time += 11 * 60_000;
  finish(world, start(world));
  expect(requests(world)).toEqual(["o/a#1 o/a#2 o/a#3"]);
});

test("a dashboard that is closed while a run is at work keeps it from sending", () => {
  const world = waiting();
  const run = start(world);
  finish(world, run, 6);
  world.issue.writeBody({ isClosed: true });
  finish(world, run);
  expect(run.result).toMatchObject({ end: { type: "paused" } });
  expect(requests(world)).toEqual([]);
});

test("a body that holds nothing valid is rebuilt from the thread", () => {
  const world = waiting();
  finish(world, start(world));
  world.issue.writeBody({ signed: null });
  finish(world, start(world));
  expect(world.issue.now.body.signed).not.toBeNull();
  comeToRest(world);
  expect(world.problems).toEqual([]);
  expect(requests(world)).toHaveLength(1);
});

test("a run stops where the body is lost and the thread lacks claims", () => {
  const world = waiting();
  finish(world, start(world));
  comeToRest(world);
  world.sources.land("o/a@main", "pull", false, world.issue.clock);
  comeToRest(world);
  const first = world.issue.now.comments[1];
  world.issue.remove(first?.id ?? 0);
  world.issue.writeBody({ signed: null });
  const run = start(world);
  finish(world, run);
  expect(run.result).toMatchObject({ end: { type: "incomplete", missing: [1] } });
});

test("a run stops where nothing verifies", () => {
  const world = waiting();
  const steps = runLedger({ claimId: "other" });
  const run = startRun("other", world.key + 5, steps);
  finish(world, run);
  expect(run.result).toMatchObject({ end: { type: "foreign" } });
});

test("after the key was rotated all that counts is signed anew, twice", () => {
  const world = waiting();
  finish(world, start(world));
  for (let rotation = 1; rotation <= 3; rotation++) {
    world.key++;
    finish(world, start(world));
    world.issue.writeBody({ signed: null });
    finish(world, start(world));
  }
  comeToRest(world);
  expect(world.problems).toEqual([]);
  expect(requests(world)).toHaveLength(1);
});
