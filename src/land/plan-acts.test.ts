import { expect, test } from "vitest";
import {
  checkOf,
  entryOf,
  factsOf,
  judgedPull,
  landInputs,
  pullOf,
  readsOf,
} from "../../test/support/land-facts.ts";
import { known } from "../runtime/fact.ts";
import type { JudgedDocsPull } from "./acts.ts";
import { actsOn } from "./plan-acts.ts";

const QUIET = landInputs({ comment: "false" });

test("a reviewer is asked once, also if a run could not do all of the setting up", async () => {
  const judged = judgedPull({ entry: entryOf({ isSetUp: false, asked: ["ada"] }) });
  const inputs = landInputs({ labels: "docs", reviewers: "ada\nbob", comment: "false" });
  const [act] = await actsOn(judged, "run", readsOf(factsOf()), inputs);
  expect(act).toMatchObject({ type: "set-up", labels: ["docs"], reviewers: ["bob"] });
});

test("nobody is asked, and no preview built, while it is on hold", async () => {
  const reason = { code: "on-hold", label: "docs-hold" } as const;
  const wait = {
    type: "wait",
    reason,
    waitsFor: "reviewer",
    since: "",
    isReminder: false,
  } as const;
  const judged = judgedPull({ entry: entryOf({ isSetUp: false }), decision: wait });
  const inputs = landInputs({
    labels: "docs",
    reviewers: "ada",
    preview: "true",
    comment: "false",
  });
  const reads = readsOf(factsOf());
  expect(await actsOn(judged, "run", reads, inputs)).toEqual([]);
  expect(reads.asked).toEqual([]);
});

test.each([
  ["merge", { method: "squash" }],
  ["enqueue", { pullId: "PR_7" }],
  ["update", {}],
] as const)(
  "what takes it to its base is done at the head that was judged: %s",
  async (type, fields) => {
    const judged = judgedPull({ entry: entryOf({ isSetUp: true }), decision: { type } });
    const [act] = await actsOn(judged, "run", readsOf(factsOf()), QUIET);
    expect(act).toMatchObject({ type, head: "head", base: "main", ...fields });
  },
);

/** A follow-up is due about a failed job and a build that failed. */
const BROKEN: JudgedDocsPull = judgedPull({
  entry: entryOf({ isSetUp: true }),
  decision: {
    type: "follow-up",
    problems: [
      { type: "check", id: "check 1", check: checkOf({ state: "red", conclusion: "failure" }) },
      { type: "build", id: "build 2", statusId: "2" },
    ],
  },
});

test("a follow-up has the ends of logs, which nothing else needs", async () => {
  const build = known({ state: "failed", log: "npm run build" } as const);
  const reads = readsOf(factsOf({ build }));
  const [act] = await actsOn(BROKEN, "run", reads, QUIET);
  expect(act).toMatchObject({
    type: "follow-up",
    prompt: expect.stringMatching(/> The end of the log\.[\s\S]*> npm run build/),
    problems: ["check 1", "build 2"],
  });
  expect(reads.asked).toEqual(["log", "build"]);
  const waits = readsOf(factsOf({ build }));
  await actsOn({ ...BROKEN, decision: { type: "merge" } }, "run", waits, QUIET);
  expect(waits.asked).toEqual([]);
});

test("a preview is of new commits, once the agent has finished, and comes after what is sent", async () => {
  const inputs = landInputs({ comment: "false", preview: "true" });
  const typesOf = async (facts = factsOf(), judged = BROKEN) =>
    (await actsOn(judged, "run", readsOf(facts), inputs)).map(({ type }) => type);
  expect(await typesOf()).toEqual(["follow-up", "preview", "release"]);
  const active = factsOf({ job: known({ isActive: true, prLink: pullOf({}).url }) });
  expect(await typesOf(active)).toEqual(["follow-up", "release"]);
  const preview = { head: "head", state: "refused", words: "No plan." } as const;
  const shown = { ...BROKEN, entry: { ...BROKEN.entry, preview } };
  expect(await typesOf(factsOf(), shown)).toEqual(["follow-up", "release"]);
});
