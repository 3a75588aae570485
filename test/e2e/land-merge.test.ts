import { expect, test } from "vitest";
import { holdRun, startSuite } from "../../emulator/github/checks.ts";
import { AGENT, WORKFLOW } from "../../emulator/github/people.ts";
import { byName, someOf } from "../support/sample.ts";
import { documentChange, LAND, pageOf, seeHeads } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

/** Prepares a docs pull request before land runs. */
type Prepare = (world: World, number: number) => Promise<unknown> | unknown;
type Inputs = Record<string, string>;

const approve: Prepare = ({ github }, number) => github.review(number, "APPROVE");
const green: Prepare = ({ github }, number) => github.report(number, { conclusion: "success" });
const both: Prepare = async (world, number) => {
  await green(world, number);
  await approve(world, number);
};
const draft: Prepare = (world, number) => {
  world.github.home.change(world.pull(number), { isDraft: true });
};
/** Sets a rule of the base branch, and makes checks and an approval. */
const rule =
  (mergeRule: World["github"]["home"]["mergeRule"]): Prepare =>
  async (world, number) => {
    world.github.home.mergeRule = mergeRule;
    await both(world, number);
  };

const APPROVED = { merge: "approved" };
const CHECKS = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };

interface Merged {
  name: string;
  inputs: Inputs;
  prepare: Prepare;
}

const MERGED: Merged[] = [
  {
    name: "after an approval by somebody with write permission",
    inputs: APPROVED,
    prepare: approve,
  },
  { name: "after green checks", inputs: CHECKS, prepare: green },
  {
    name: "after a push by another account and an approval",
    inputs: CHECKS,
    prepare: async (world, number) => {
      await world.github.pushTo(number, { files: ["docs/more.md"] });
      await both(world, number);
    },
  },
  {
    name: "after a green required check",
    inputs: { ...APPROVED, "required-checks": "docs-check" },
    prepare: both,
  },
  {
    name: "with a merge commit",
    inputs: { ...APPROVED, "merge-method": "merge" },
    prepare: rule({ methods: ["merge"] }),
  },
  {
    name: "with a rebase",
    inputs: { ...APPROVED, "merge-method": "rebase" },
    prepare: rule({ methods: ["rebase"] }),
  },
  { name: "with a squash", inputs: APPROVED, prepare: rule({ methods: ["squash"] }) },
  {
    name: "within max-files",
    inputs: { ...CHECKS, "max-files": "1" },
    prepare: green,
  },
];

test.each(byName(someOf(MERGED)))("a docs pull request is merged %s", async (_, merged) => {
  const { inputs, prepare } = merged;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await prepare(world, number);
  await seeHeads(world, { inputs });
  const run = await world.run("land", { inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "1", openCount: "0", needsPersonCount: "0" });
  expect(world.github.home.issues.get(number)).toMatchObject({ state: "closed" });
  expect(world.comment(number)).toContain("Merged");
  const again = await world.run("land", { inputs });
  expect(again.outputs).toMatchObject({ mergedCount: "0", openCount: "0", pullRequests: "[]" });
});

interface Unmerged {
  name: string;
  inputs: Inputs;
  prepare: Prepare;
  /** Text in land's comment. */
  words: string;
  needsPerson: boolean;
}

// Only what GitHub's answers decide. The inputs are tested in src/land/decide.test.ts.
const UNMERGED: Unmerged[] = [
  {
    name: "with an approval by somebody without write permission",
    inputs: APPROVED,
    prepare: ({ github }, number) => github.review(number, "APPROVE", { login: "reader" }),
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "with an approval of an older commit",
    inputs: APPROVED,
    prepare: async (world, number) => {
      await both(world, number);
      await world.github.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
    },
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "after a push by another account, without an approval",
    inputs: CHECKS,
    prepare: async (world, number) => {
      await world.github.pushTo(number, { files: ["docs/more.md"] });
      await green(world, number);
    },
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "with an open review comment",
    inputs: { ...CHECKS, reviews: "ignore" },
    prepare: async (world, number) => {
      const comments = [{ path: await pageOf(world, number), line: 1, body: "Why?" }];
      await world.github.review(number, "COMMENT", { comments });
      await green(world, number);
    },
    words: "review comments are resolved",
    needsPerson: false,
  },
  {
    name: "while it is a draft",
    inputs: APPROVED,
    prepare: async (world, number) => {
      await both(world, number);
      await draft(world, number);
    },
    words: "It is a draft",
    needsPerson: false,
  },
  {
    name: "with a pending check",
    inputs: CHECKS,
    prepare: async (world, number) => {
      await green(world, number);
      await world.github.report(number, { name: "slow", conclusion: "" });
    },
    words: "once its checks have finished",
    needsPerson: false,
  },
  {
    name: "if one of two checks with the name of a required one failed",
    inputs: { ...APPROVED, checks: "ignore", "required-checks": "docs-check" },
    prepare: async (world, number) => {
      await both(world, number);
      const { api, tokenOf } = world.github;
      const status = { state: "failure", context: "docs-check" };
      const { head } = world.pull(number);
      await api(`/statuses/${head}`, { method: "POST", token: tokenOf("writer"), body: status });
    },
    words: "The check `docs-check` ended with `failure`",
    needsPerson: true,
  },
  {
    name: "before GitHub knows whether it can be merged",
    inputs: CHECKS,
    prepare: async (world, number) => {
      world.github.emulated.site.isMergeabilityLate = true;
      world.github.emulated.site.mergeabilityTries = 3;
      world.github.home.triedMerges.clear();
      await green(world, number);
    },
    words: "has not worked out yet",
    needsPerson: false,
  },
  {
    name: "behind its base, if a rule requires that it is up to date",
    inputs: APPROVED,
    prepare: async (world, number) => {
      world.github.home.mergeRule = { upToDate: true };
      await both(world, number);
      world.github.home.push({});
    },
    words: "A branch rule requires an up-to-date branch",
    needsPerson: true,
  },
  {
    name: "if a required check was skipped",
    inputs: CHECKS,
    prepare: ({ github }, number) => github.report(number, { conclusion: "skipped" }),
    words: "once the check `docs-check` has succeeded",
    needsPerson: false,
  },
  {
    name: "if a check failed, although it is approved",
    inputs: { ...APPROVED, checks: "ignore" },
    prepare: async ({ github }, number) => {
      await github.report(number, { name: "links" });
      await github.review(number, "APPROVE");
    },
    words: "although it is approved",
    needsPerson: true,
  },
  {
    name: "while a run of a workflow waits for an approval",
    inputs: CHECKS,
    prepare: async (world, number) => {
      await green(world, number);
      const { head: sha } = world.pull(number);
      holdRun(world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
    },
    words: "choose *Approve workflows to run*",
    needsPerson: true,
  },
  {
    name: "while a run of a workflow has not begun",
    inputs: CHECKS,
    prepare: async (world, number) => {
      await green(world, number);
      const { head: sha } = world.pull(number);
      startSuite(world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
    },
    words: "once its workflows have finished",
    needsPerson: false,
  },
  {
    name: "with a workflow file, by a token that may not change it",
    inputs: APPROVED,
    prepare: async (world, number) => {
      await both(world, number);
      const message =
        "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission";
      const fault = { method: "PUT", path: "/merge$", status: 403, message, times: 2 };
      world.github.emulated.addFault(fault);
    },
    words: "without `workflows` permission",
    needsPerson: true,
  },
  {
    name: "with a merge method that the repository does not allow",
    inputs: APPROVED,
    prepare: rule({ methods: ["rebase"] }),
    words: "Squash merges are not allowed",
    needsPerson: true,
  },
  {
    name: "with more files than max-files",
    inputs: { ...APPROVED, "max-files": "1" },
    prepare: async (world, number) => {
      await world.github.pushTo(number, { author: AGENT, files: { "README.md": null } });
      await both(world, number);
    },
    words: "more than `max-files` allows (1)",
    needsPerson: true,
  },
  {
    name: "with a file that is moved from outside allowed-paths",
    inputs: CHECKS,
    prepare: async (world, number) => {
      const { api, home } = world.github;
      const { sha } = await api<{ sha: string }>("/contents/README.md");
      const files = { "README.md": null, "docs/readme.md": String(home.objects.blobs.get(sha)) };
      await world.github.pushTo(number, { author: AGENT, files });
      await green(world, number);
    },
    words: "It changes `README.md`, which `allowed-paths` does not allow",
    needsPerson: true,
  },
];

test.each(byName(someOf(UNMERGED)))("a docs pull request is not merged %s", async (_, unmerged) => {
  const { inputs, prepare, words, needsPerson } = unmerged;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await prepare(world, number);
  const run = await world.run("land", { inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "0", openCount: "1", followUpCount: "0" });
  expect(run.outputs.needsPersonCount).toBe(needsPerson ? "1" : "0");
  expect(world.comment(number)).toContain(words);
  const [pull] = JSON.parse(run.outputs.pullRequests ?? "");
  expect(pull).toMatchObject({ state: "open", followUps: 0 });
  expect(pull.reason.text).toContain(words);
  expect(pull.reason.waitsFor === "person").toBe(needsPerson);
  expect(run.warnings).toHaveLength(needsPerson ? 1 : 0);
  // There is one warning, not one for each run.
  const again = await world.run("land", { inputs: { ...inputs, "dry-run": "false" } });
  if (needsPerson) expect(again.warnings).toEqual([]);
});

test("a docs pull request is merged after merge-delay-hours, which a new commit restarts", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number, { conclusion: "success" });
  const inputs = { ...CHECKS, "merge-delay-hours": "5" };
  await world.run("land", { inputs });
  await world.passTime(4 * HOUR);
  await world.github.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
  await world.github.report(number, { conclusion: "success" });
  await world.run("land", { inputs });
  await world.passTime(4 * HOUR);
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "0" });
  await world.passTime(2 * HOUR);
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "1" });
});

test.each(
  someOf([
    [409, "Head branch was modified. Review and try the merge again."],
    [405, "Base branch was modified. Review and try the merge again."],
  ]),
)(
  "a merge that GitHub refuses with %i because of a push is tried again by the next run",
  async (status, message) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    await both(world, number);
    world.github.emulated.addFault({ method: "PUT", path: "/merge$", status, message });
    const refused = await world.run("land", { inputs: APPROVED });
    expect(refused.exitCode).toBe(0);
    expect(refused.warnings).toEqual([]);
    expect(refused.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
    expect(world.comment(number)).toContain("something has changed");
    expect((await world.run("land", { inputs: APPROVED })).outputs).toMatchObject({
      mergedCount: "1",
    });
  },
);
