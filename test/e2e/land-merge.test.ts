import { expect, test } from "vitest";
import { AGENT } from "../../emulator/github/people.ts";
import { isPull } from "../../emulator/github/state.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { someOf } from "../support/sample.ts";

/** What happened to a docs pull request before land looks at it. */
type Prepare = (scene: LandSetup, number: number) => Promise<unknown> | unknown;
type Inputs = Record<string, string>;

const approve: Prepare = ({ history }, number) => history.review(number, "APPROVE");
const green: Prepare = ({ history }, number) => history.report(number, { conclusion: "success" });
const both: Prepare = async (scene, number) => {
  await green(scene, number);
  await approve(scene, number);
};
const draft: Prepare = async ({ world }, number) => {
  const { home } = world.github;
  const pull = home.issues.get(number);
  if (isPull(pull)) home.change(pull, { isDraft: true });
};
/** The rule of the base, with an approval. */
const rule =
  (mergeRule: LandSetup["world"]["github"]["home"]["mergeRule"]): Prepare =>
  async (scene, number) => {
    scene.world.github.home.mergeRule = mergeRule;
    await both(scene, number);
  };

const APPROVED = { merge: "approved" };
const CHECKS = { merge: "checks", "allowed-paths": "docs/**" };

const merged: [string, Inputs, Prepare][] = [
  ["an approval by somebody who may write", APPROVED, approve],
  ["green checks", CHECKS, green],
  [
    "an approval after somebody else has pushed",
    CHECKS,
    async (scene, number) => {
      await scene.history.pushTo(number, { files: ["docs/more.md"] });
      await both(scene, number);
    },
  ],
  ["a required check that is green", { ...APPROVED, "required-checks": "docs-check" }, both],
  ["a merge commit", { ...APPROVED, "merge-method": "merge" }, rule({ methods: ["merge"] })],
  ["a rebase", { ...APPROVED, "merge-method": "rebase" }, rule({ methods: ["rebase"] })],
  ["a squash", APPROVED, rule({ methods: ["squash"] })],
  ["within the guard rails", { ...CHECKS, "max-files": "1", "max-deleted-lines": "0" }, green],
];

test.each(someOf(merged))("merged: %s", async (_, inputs, prepare) => {
  await using it = await setUpLand();
  const number = await it.document();
  await prepare(it, number);
  const run = await it.run({ inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "1", openCount: "0", needsPersonCount: "0" });
  expect(it.world.github.home.issues.get(number)).toMatchObject({ state: "closed" });
  expect(await it.comment(number)).toContain("Merged");
  const again = await it.run({ inputs });
  expect(again.outputs).toMatchObject({ mergedCount: "0", openCount: "0", pullRequests: "[]" });
});

/** What is not merged by what GitHub tells (the inputs: src/land/decide.test.ts), what the comment says of it, and whether it needs a person. */
const kept: [string, Inputs, Prepare, string, boolean][] = [
  [
    "with the approval of a stranger",
    APPROVED,
    ({ history }, number) => history.review(number, "APPROVE", { login: "reader" }),
    ...(["approves its last commit", false] as const),
  ],
  [
    "with an approval of an older commit",
    APPROVED,
    async (scene, number) => {
      await both(scene, number);
      await scene.history.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
    },
    ...(["approves its last commit", false] as const),
  ],
  [
    "after somebody else has pushed, without an approval",
    CHECKS,
    async (scene, number) => {
      await scene.history.pushTo(number, { files: ["docs/more.md"] });
      await green(scene, number);
    },
    ...(["approves its last commit", false] as const),
  ],
  [
    "with an open comment",
    { ...CHECKS, reviews: "ignore" },
    async (scene, number) => {
      const comments = [{ path: await scene.pageOf(number), line: 1, body: "Why?" }];
      await scene.history.review(number, "COMMENT", { comments });
      await green(scene, number);
    },
    ...(["review comments are resolved", false] as const),
  ],
  [
    "a draft",
    APPROVED,
    async (scene, number) => {
      await both(scene, number);
      await draft(scene, number);
    },
    ...(["It is a draft", false] as const),
  ],
  [
    "with a check that is not over",
    CHECKS,
    async (scene, number) => {
      await green(scene, number);
      await scene.history.report(number, { name: "slow", conclusion: "" });
    },
    ...(["once its checks are over", false] as const),
  ],
  [
    "where one of two checks of a required name failed",
    { ...APPROVED, checks: "ignore", "required-checks": "docs-check" },
    async (scene, number) => {
      await both(scene, number);
      const { home, tokenOf } = scene.world.github;
      const { head } = home.issues.get(number) as unknown as { head: string };
      const status = { state: "failure", context: "docs-check" };
      const call = { method: "POST", token: tokenOf("writer"), body: status };
      await scene.world.github.api(`/statuses/${head}`, call);
    },
    ...(["once the check `docs-check` is green", false] as const),
  ],
  [
    "before GitHub knows whether it can be merged",
    CHECKS,
    async (scene, number) => {
      scene.world.github.emulated.site.isMergeabilityLate = true;
      scene.world.github.home.triedMerges.clear();
      await green(scene, number);
    },
    ...(["has not worked out yet", false] as const),
  ],
  [
    "behind its base, where a rule wants that",
    CHECKS,
    async (scene, number) => {
      scene.world.github.home.mergeRule = { upToDate: true };
      await green(scene, number);
      scene.history.home.push({});
    },
    ...(["up to date with its base", true] as const),
  ],
  ["where there is a merge queue", APPROVED, rule({ queue: true }), "has a merge queue", true],
  [
    "in a way that the repository does not allow",
    APPROVED,
    rule({ methods: ["rebase"] }),
    ...(["Squash merges are not allowed", true] as const),
  ],
  [
    "with more deleted lines than allowed",
    { ...APPROVED, "max-deleted-lines": "0" },
    async (scene, number) => {
      await scene.history.pushTo(number, { author: AGENT, files: { "README.md": null } });
      await both(scene, number);
    },
    ...(["more than `max-deleted-lines` allows (0)", true] as const),
  ],
  [
    "with a file that is moved from outside the allowed paths",
    CHECKS,
    async (scene, number) => {
      const text = scene.world.github.home.objects.blobs.get(
        await blobAt(scene, number, "README.md"),
      );
      const files = { "README.md": null, "docs/readme.md": String(text) };
      await scene.history.pushTo(number, { author: AGENT, files });
      await green(scene, number);
    },
    ...(["It changes `README.md`, which `allowed-paths` does not allow", true] as const),
  ],
];

async function blobAt({ world }: LandSetup, _: number, path: string): Promise<string> {
  return (await world.github.api<{ sha: string }>(`/contents/${path}`)).sha;
}

test.each(someOf(kept))("not merged: %s", async (_, inputs, prepare, words, needsPerson) => {
  await using it = await setUpLand();
  const number = await it.document();
  await prepare(it, number);
  const run = await it.run({ inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "0", openCount: "1", followUpCount: "0" });
  expect(run.outputs.needsPersonCount).toBe(needsPerson ? "1" : "0");
  expect(await it.comment(number)).toContain(words);
  const [told] = JSON.parse(run.outputs.pullRequests ?? "");
  expect(told).toMatchObject({ state: "open", followUps: 0 });
  expect(told.needs).toContain(needsPerson ? words : "");
  expect(run.warnings).toHaveLength(needsPerson ? 1 : 0);
  // A person is told once.
  const again = await it.run({ inputs: { ...inputs, "dry-run": "false" } });
  if (needsPerson) expect(again.warnings).toEqual([]);
});

test("what stands unchanged for its time is merged, and a new commit begins it anew", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.history.report(number, { conclusion: "success" });
  const inputs = { ...CHECKS, "merge-delay-hours": "5" };
  await it.run({ inputs });
  await it.passTime(4);
  await it.history.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
  await it.history.report(number, { conclusion: "success" });
  await it.run({ inputs });
  await it.passTime(4);
  expect((await it.run({ inputs })).outputs).toMatchObject({ mergedCount: "0" });
  await it.passTime(2);
  expect((await it.run({ inputs })).outputs).toMatchObject({ mergedCount: "1" });
});

test.each(
  someOf([
    [409, "Head branch was modified. Review and try the merge again."],
    [405, "Base branch was modified. Review and try the merge again."],
  ]),
)(
  "a merge that somebody's push has overtaken (%i) needs no person: the next run judges anew",
  async (status, message) => {
    await using it = await setUpLand();
    const number = await it.document();
    await both(it, number);
    it.world.github.emulated.addFault({ method: "PUT", path: "/merge$", status, message });
    const overtaken = await it.run({ inputs: APPROVED });
    expect(overtaken.exitCode).toBe(0);
    expect(overtaken.warnings).toEqual([]);
    expect(overtaken.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
    expect(await it.comment(number)).toContain("The next run tries again.");
    expect((await it.run({ inputs: APPROVED })).outputs).toMatchObject({ mergedCount: "1" });
  },
);
