import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { landInputs, pullOf } from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Done } from "../ledger/program.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { ServiceError } from "../service/errors.ts";
import { accepted, type LandAct, type LandTerms, type LandValue } from "./acts.ts";
import { setUpLandRun } from "./land-run.ts";
import { Performer, shouldRun } from "./perform.ts";

const PLACE = { url: pullOf({}).url, repository: "acme/docs", number: 7, isNamed: true };
const AT = { place: PLACE, head: "head", base: "main" };
const send = (id: string): LandAct => {
  return { type: "follow-up", id, ...AT, jobId: "job_1", prompt: "", problems: ["check 1"] };
};
const preview = (id: string): LandAct => {
  return { type: "preview", id, place: PLACE, branch: "b", head: "head" };
};
const merge = (id: string): LandAct => ({
  type: "merge",
  id,
  ...AT,
  method: "squash",
  message: null,
});
const remind = (id: string): LandAct => ({ type: "remind", id, place: PLACE, text: "" });

const KEY_REFUSED: Delivery<LandValue> = {
  type: "refused",
  by: "key",
  error: { kind: "unauthorized", problem: "The key was refused.", advice: null },
};
const JOB_REFUSED: Delivery<LandValue> = { ...KEY_REFUSED, by: "job" };
const LIMITED: Delivery<LandValue> = { type: "limited" };

test.each<[string, Done<LandTerms>[], LandAct, boolean]>([
  ["anything at first", [], send("1"), true],
  [
    "nothing else after a refused key",
    [{ act: send("1"), delivery: KEY_REFUSED }],
    merge("2"),
    false,
  ],
  [
    "the rest of that one after a refused key",
    [{ act: send("1"), delivery: KEY_REFUSED }],
    remind("1"),
    true,
  ],
  ["no follow-up beyond the limit", [{ act: send("1"), delivery: LIMITED }], send("2"), false],
  [
    "a preview beyond the limit of follow-ups",
    [{ act: send("1"), delivery: LIMITED }],
    preview("2"),
    true,
  ],
  ["no preview beyond its limit", [{ act: preview("1"), delivery: LIMITED }], preview("2"), false],
  [
    "a merge beyond the limit of follow-ups",
    [{ act: send("1"), delivery: LIMITED }],
    merge("2"),
    true,
  ],
  [
    "a follow-up after a busy job",
    [{ act: send("1"), delivery: { type: "busy" } }],
    send("2"),
    true,
  ],
  ["a follow-up after a refused one", [{ act: send("1"), delivery: JOB_REFUSED }], send("2"), true],
])("a run begins %s", (_, done, act, expected) => {
  expect(shouldRun(act, done)).toBe(expected);
});

/** Performs the build of a run. @param status what the service answers: 202 if it accepts the build */
async function performBuild(isDue: boolean, done: Done<LandTerms>[], status: number) {
  const dependencies = dependenciesOf();
  const run = setUpLandRun(landInputs(), contextOf("schedule"), dependencies);
  const startDeployment = async () => {
    if (status === 202) return { statusId: "build_1" };
    throw new ServiceError(
      { type: "status", status, body: "error" },
      `The service answered ${status}`,
    );
  };
  const performer = new Performer({ ...run, builds: { ...run.builds, startDeployment } });
  const delivery = await performer.perform({ type: "build", id: "run", isDue }, done);
  return {
    came: delivery.type === "accepted" ? delivery.value.type : delivery.type,
    warnings: dependencies.lines.filter((line) => /^warning/.test(line)),
  };
}

test.each<[string, boolean, Delivery<LandValue>[], string]>([
  ["a merge waits for it", true, [], "started"],
  [
    "the run has merged something",
    false,
    [notSent("unreached"), accepted({ type: "merged" })],
    "started",
  ],
  ["the run could not merge anything", false, [notSent("changed")], "unchanged"],
])("when %s, the build is started or not", async (_, isDue, deliveries, expected) => {
  const done = deliveries.map((delivery, nth) => ({ act: merge(`${nth}`), delivery }));
  expect(await performBuild(isDue, done, 202)).toEqual({ came: expected, warnings: [] });
});

test.each([
  [403, "refused", /answered 403\. .*scope `write`.* The next run tries again\.$/],
  [429, "not-sent", /answered 429\. The next run tries again\.$/],
  [500, "not-sent", /answered 500\. The next run tries again\.$/],
])(
  "a build that the service answers with %i is a warning, with advice if a person can help",
  async (status, type, expected) => {
    const { came, warnings } = await performBuild(true, [], status);
    expect(came).toBe(type);
    expect(warnings).toEqual([expect.stringMatching(expected)]);
  },
);

test.each([
  [400, "refused"],
  [403, "refused"],
  [404, "refused"],
  [429, "limited"],
  [500, "uncertain"],
])(
  "a preview that the service answers with %i is %s, and a warning says so",
  async (status, type) => {
    const dependencies = dependenciesOf();
    const run = setUpLandRun(landInputs(), contextOf("schedule"), dependencies);
    const startPreview = async () => {
      throw new ServiceError(
        { type: "status", status, body: "error" },
        `The service answered ${status}`,
      );
    };
    const performer = new Performer({ ...run, builds: { ...run.builds, startPreview } });
    expect(await performer.perform(preview("1"), [])).toMatchObject({ type });
    const advice = type === "refused" ? "set `preview: false`." : "The next run tries again.";
    expect(dependencies.lines).toEqual([
      `warning: ${PLACE.url}: No preview could be built: The service answered ${status}. ${
        type === "refused" ? `Check that previews are in your plan, or ${advice}` : advice
      }`,
    ]);
  },
);
