import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { landInputs, NOW, pullOf } from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { ServiceError } from "../service/errors.ts";
import type { ActResult, DoneAct, LandAct } from "./acts.ts";
import { goesOn, isReadTooLongAgo, Performer } from "./perform.ts";
import { setUpRun } from "./run.ts";

const PLACE = { url: pullOf({}).url, repository: "acme/docs", number: 7, isNamed: true };
const send = (id: string): LandAct => {
  return { type: "follow-up", id, place: PLACE, readAt: NOW, jobId: "job_1", prompt: "" };
};
const preview = (id: string): LandAct => {
  return { type: "preview", id, place: PLACE, branch: "b", head: "head" };
};
const merge = (id: string): LandAct => {
  return {
    type: "merge",
    id,
    place: PLACE,
    readAt: NOW,
    sha: "head",
    circumstances: "c",
    method: "squash",
  };
};
const remind = (id: string): LandAct => ({ type: "remind", id, place: PLACE, text: "" });

const KEY_REFUSED: ActResult = {
  type: "refused",
  by: "key",
  error: { kind: "unauthorized", problem: "The key was refused.", advice: null },
};
const LIMITED: ActResult = { type: "limited" };

test.each<[string, DoneAct[], LandAct, boolean]>([
  ["anything at first", [], send("1"), true],
  [
    "nothing else after a refused key",
    [{ act: send("1"), result: KEY_REFUSED }],
    merge("2"),
    false,
  ],
  [
    "the rest of that one after a refused key",
    [{ act: send("1"), result: KEY_REFUSED }],
    remind("1"),
    true,
  ],
  ["no follow-up beyond the limit", [{ act: send("1"), result: LIMITED }], send("2"), false],
  [
    "a preview beyond the limit of follow-ups",
    [{ act: send("1"), result: LIMITED }],
    preview("2"),
    true,
  ],
  ["no preview beyond its limit", [{ act: preview("1"), result: LIMITED }], preview("2"), false],
  [
    "a merge beyond the limit of follow-ups",
    [{ act: send("1"), result: LIMITED }],
    merge("2"),
    true,
  ],
  ["a follow-up after a busy job", [{ act: send("1"), result: { type: "busy" } }], send("2"), true],
  [
    "a follow-up after a refused one",
    [{ act: send("1"), result: { type: "refused", by: "job" } }],
    send("2"),
    true,
  ],
])("a run begins %s", (_, done, act, expected) => {
  expect(goesOn(act, done)).toBe(expected);
});

test.each<[string, LandAct, number, boolean]>([
  ["no merge that was read for 5 minutes ago", merge("1"), 5, true],
  ["a merge that was read for 4 minutes ago", merge("1"), 4, false],
  ["no follow-up that was read for 5 minutes ago", send("1"), 5, true],
  ["a reminder at any time", remind("1"), 5, false],
])("by the time of its reading, a run begins %s", (_, act, minutes, expected) => {
  expect(isReadTooLongAgo(act, NOW + minutes * 60_000)).toBe(expected);
});

test("what was read 5 minutes ago is neither merged nor sent", async () => {
  const run = setUpRun(landInputs(), contextOf("schedule"), dependenciesOf());
  run.store.namedAt = NOW + 5 * 60_000;
  const performer = new Performer(run);
  expect(await performer.perform(merge("1"), [])).toEqual({ type: "outdated" });
  expect(await performer.perform(send("2"), [])).toEqual({ type: "outdated" });
});

/** Performs the build of a run. @param status what the service answers: 202 if it accepts the build */
async function performBuild(isDue: boolean, done: DoneAct[], status: number) {
  const dependencies = dependenciesOf();
  const run = setUpRun(landInputs(), contextOf("schedule"), dependencies);
  const startDeployment = async () => {
    if (status === 202) return { statusId: "build_1" };
    throw new ServiceError({ type: "status", status }, `The service answered ${status}`);
  };
  const performer = new Performer({ ...run, builds: { ...run.builds, startDeployment } });
  const result = await performer.perform({ type: "build", id: "run", isDue }, done);
  return {
    result: result.type,
    warnings: dependencies.lines.filter((line) => /^warning/.test(line)),
  };
}

test.each<[string, boolean, ActResult[], string]>([
  ["a merge waits for it", true, [], "started"],
  ["the run has merged something", false, [{ type: "not-done" }, { type: "merged" }], "started"],
  ["the run could not merge anything", false, [{ type: "overtaken" }], "unchanged"],
])("when %s, the build is started or not", async (_, isDue, results, expected) => {
  const done = results.map((result, nth) => ({ act: merge(`${nth}`), result }));
  expect(await performBuild(isDue, done, 202)).toEqual({ result: expected, warnings: [] });
});

test.each([
  [403, /answered 403\. .*scope `write`.* The next run tries again\.$/],
  [429, /answered 429\. The next run tries again\.$/],
  [500, /answered 500\. The next run tries again\.$/],
])(
  "a build that the service answers with %i is a warning, with advice if a person can help",
  async (status, expected) => {
    const { result, warnings } = await performBuild(true, [], status);
    expect(result).toBe("not-done");
    expect(warnings).toEqual([expect.stringMatching(expected)]);
  },
);
