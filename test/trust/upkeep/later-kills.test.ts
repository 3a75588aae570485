import { describe, expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import type { Event, RunEvent, Setting } from "./events.ts";
import { History } from "./history.ts";

/** What a sample holds of each scene. */
const SAMPLE = 5;
const LIMIT = 10 * 60_000;

const RUN: RunEvent = { max: 20, kill: null, post: false, inputs: {}, faults: [] };
const run: Event = { kind: "run", run: RUN };
const land: Event = { kind: "land", method: "squash", commits: 1, by: "writer", label: false };
const hour: Event = { kind: "pass", minutes: 60 };

const PULL: Setting = {
  ...{ mode: "continue", comment: false, seed: 0 },
  plans: [{ outcome: "completed", takes: 0 }],
};
const FAILED: Setting = { ...PULL, plans: [{ outcome: "failed", takes: 0 }] };

type Scene = [setting: Setting, before: Event[], result: string];

/** What has happened before the run that is killed, and what it ends with if it is not. */
const SCENES: Record<string, Scene> = {
  "a run that finishes a batch and goes on with its job": [
    PULL,
    [land, run, hour, land],
    "continued",
  ],
  "a run that tells pull requests of their batch": [
    { ...PULL, comment: true },
    [land, land, run, hour],
    "idle",
  ],
  "a run that hands over what failed": [FAILED, [land, run, hour], "started"],
  "a run that hands over what was ticked": [
    FAILED,
    [land, run, hour, run, hour, run, hour, run, hour, { kind: "tick", box: 0 }],
    "started",
  ],
  "a run with a new key": [PULL, [land, run, hour, { kind: "rotate the key" }, land], "continued"],
  "a run that rebuilds the dashboard's body": [
    PULL,
    [land, run, hour, { kind: "empty body" }],
    "idle",
  ],
  "a run that finds the dashboard without its label": [
    PULL,
    [land, run, hour, { kind: "take the label off" }, land],
    "continued",
  ],
  "a run after a force-push": [
    PULL,
    [land, land, run, hour, { kind: "rewrite", commits: 2 }, land],
    "continued",
  ],
};

/** The history up to here, and a run at its end. */
async function play([setting, before]: Scene, over: Partial<RunEvent>) {
  const history = new History(setting);
  for (const event of before) await history.happen(event);
  await history.happen({ kind: "run", run: { ...RUN, ...over } });
  return history;
}

for (const [name, scene] of Object.entries(SCENES)) {
  const { last } = await play(scene, {});
  const kills = (last?.requests ?? []).flatMap((request, at) =>
    (["before", "after"] as const).flatMap((when) =>
      [false, true].map((post) => ({ request, at, when, post })),
    ),
  );
  describe(name, () => {
    test("comes to its end", () => {
      expect(last?.outputs.result).toBe(scene[2]);
    });
    for (const { request, post, ...kill } of sampleOf(kills, SAMPLE, name)) {
      const after = post ? ", with its post step" : "";
      test(`killed ${kill.when} request ${kill.at}, ${request}${after}: each change is sent once or shown`, {
        timeout: LIMIT,
      }, async () => {
        const history = await play(scene, { kill, post });
        expect(history.last?.isKilled).toBe(true);
        await history.runUntilQuiet();
        history.check();
        expect(history.wrong).toEqual([]);
      });
    }
  });
}
