import { expect, test } from "vitest";
import { holdRun, startSuite } from "../../emulator/github/checks.ts";
import { AGENT, WORKFLOW } from "../../emulator/github/people.ts";
import { isPull, type Pull } from "../../emulator/github/state.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { byName, someOf } from "../support/sample.ts";

/** Prepares a docs pull request before land runs. */
type Prepare = (scene: LandSetup, number: number) => Promise<unknown> | unknown;
type Inputs = Record<string, string>;

function pullOf({ world }: LandSetup, number: number): Pull {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is not a pull request`);
  return pull;
}

const approve: Prepare = ({ history }, number) => history.review(number, "APPROVE");
const green: Prepare = ({ history }, number) => history.report(number, { conclusion: "success" });
const both: Prepare = async (scene, number) => {
  await green(scene, number);
  await approve(scene, number);
};
const draft: Prepare = (scene, number) => {
  scene.world.github.home.change(pullOf(scene, number), { isDraft: true });
};
/** Sets a rule of the base branch, and makes checks and an approval. */
const rule =
  (mergeRule: LandSetup["world"]["github"]["home"]["mergeRule"]): Prepare =>
  async (scene, number) => {
    scene.world.github.home.mergeRule = mergeRule;
    await both(scene, number);
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
    prepare: async (scene, number) => {
      await scene.history.pushTo(number, { files: ["docs/more.md"] });
      await both(scene, number);
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
  await using scene = await setUpLand();
  const number = await scene.document();
  await prepare(scene, number);
  await scene.see({ inputs });
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "1", openCount: "0", needsPersonCount: "0" });
  expect(scene.world.github.home.issues.get(number)).toMatchObject({ state: "closed" });
  expect(await scene.comment(number)).toContain("Merged");
  const again = await scene.run({ inputs });
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
    prepare: ({ history }, number) => history.review(number, "APPROVE", { login: "reader" }),
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "with an approval of an older commit",
    inputs: APPROVED,
    prepare: async (scene, number) => {
      await both(scene, number);
      await scene.history.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
    },
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "after a push by another account, without an approval",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      await scene.history.pushTo(number, { files: ["docs/more.md"] });
      await green(scene, number);
    },
    words: "approves its last commit",
    needsPerson: false,
  },
  {
    name: "with an open review comment",
    inputs: { ...CHECKS, reviews: "ignore" },
    prepare: async (scene, number) => {
      const comments = [{ path: await scene.pageOf(number), line: 1, body: "Why?" }];
      await scene.history.review(number, "COMMENT", { comments });
      await green(scene, number);
    },
    words: "review comments are resolved",
    needsPerson: false,
  },
  {
    name: "while it is a draft",
    inputs: APPROVED,
    prepare: async (scene, number) => {
      await both(scene, number);
      await draft(scene, number);
    },
    words: "It is a draft",
    needsPerson: false,
  },
  {
    name: "with a pending check",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      await green(scene, number);
      await scene.history.report(number, { name: "slow", conclusion: "" });
    },
    words: "once its checks have finished",
    needsPerson: false,
  },
  {
    name: "if one of two checks with the name of a required one failed",
    inputs: { ...APPROVED, checks: "ignore", "required-checks": "docs-check" },
    prepare: async (scene, number) => {
      await both(scene, number);
      const { api, tokenOf } = scene.world.github;
      const status = { state: "failure", context: "docs-check" };
      const { head } = pullOf(scene, number);
      await api(`/statuses/${head}`, { method: "POST", token: tokenOf("writer"), body: status });
    },
    words: "The check `docs-check` ended with `failure`",
    needsPerson: true,
  },
  {
    name: "before GitHub knows whether it can be merged",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      scene.world.github.emulated.site.isMergeabilityLate = true;
      scene.world.github.home.triedMerges.clear();
      await green(scene, number);
    },
    words: "has not worked out yet",
    needsPerson: false,
  },
  {
    name: "behind its base, if a rule requires that it is up to date",
    inputs: APPROVED,
    prepare: async (scene, number) => {
      scene.world.github.home.mergeRule = { upToDate: true };
      await both(scene, number);
      scene.history.home.push({});
    },
    words: "A branch rule requires an up-to-date branch",
    needsPerson: true,
  },
  {
    name: "if a required check was skipped",
    inputs: CHECKS,
    prepare: ({ history }, number) => history.report(number, { conclusion: "skipped" }),
    words: "once the check `docs-check` has succeeded",
    needsPerson: false,
  },
  {
    name: "if a check failed, although it is approved",
    inputs: { ...APPROVED, checks: "ignore" },
    prepare: async ({ history }, number) => {
      await history.report(number, { name: "links" });
      await history.review(number, "APPROVE");
    },
    words: "although it is approved",
    needsPerson: true,
  },
  {
    name: "while a run of a workflow waits for an approval",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      await green(scene, number);
      const { head: sha } = pullOf(scene, number);
      holdRun(scene.world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
    },
    words: "choose *Approve workflows to run*",
    needsPerson: true,
  },
  {
    name: "while a run of a workflow has not begun",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      await green(scene, number);
      const { head: sha } = pullOf(scene, number);
      startSuite(scene.world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
    },
    words: "once its workflows have finished",
    needsPerson: false,
  },
  {
    name: "with a workflow file, by a token that may not change it",
    inputs: APPROVED,
    prepare: async (scene, number) => {
      await both(scene, number);
      const message =
        "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission";
      const fault = { method: "PUT", path: "/merge$", status: 403, message, times: 2 };
      scene.world.github.emulated.addFault(fault);
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
    prepare: async (scene, number) => {
      await scene.history.pushTo(number, { author: AGENT, files: { "README.md": null } });
      await both(scene, number);
    },
    words: "more than `max-files` allows (1)",
    needsPerson: true,
  },
  {
    name: "with a file that is moved from outside allowed-paths",
    inputs: CHECKS,
    prepare: async (scene, number) => {
      const { api, home } = scene.world.github;
      const { sha } = await api<{ sha: string }>("/contents/README.md");
      const files = { "README.md": null, "docs/readme.md": String(home.objects.blobs.get(sha)) };
      await scene.history.pushTo(number, { author: AGENT, files });
      await green(scene, number);
    },
    words: "It changes `README.md`, which `allowed-paths` does not allow",
    needsPerson: true,
  },
];

test.each(byName(someOf(UNMERGED)))("a docs pull request is not merged %s", async (_, unmerged) => {
  const { inputs, prepare, words, needsPerson } = unmerged;
  await using scene = await setUpLand();
  const number = await scene.document();
  await prepare(scene, number);
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "0", openCount: "1", followUpCount: "0" });
  expect(run.outputs.needsPersonCount).toBe(needsPerson ? "1" : "0");
  expect(await scene.comment(number)).toContain(words);
  const [pull] = JSON.parse(run.outputs.pullRequests ?? "");
  expect(pull).toMatchObject({ state: "open", followUps: 0 });
  if (needsPerson) expect(pull.needs.text).toContain(words);
  else expect(pull.needs).toBeNull();
  expect(run.warnings).toHaveLength(needsPerson ? 1 : 0);
  // There is one warning, not one for each run.
  const again = await scene.run({ inputs: { ...inputs, "dry-run": "false" } });
  if (needsPerson) expect(again.warnings).toEqual([]);
});

test("a docs pull request is merged after merge-delay-hours, which a new commit restarts", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number, { conclusion: "success" });
  const inputs = { ...CHECKS, "merge-delay-hours": "5" };
  await scene.run({ inputs });
  await scene.passTime(4);
  await scene.history.pushTo(number, { author: AGENT, files: ["docs/more.md"] });
  await scene.history.report(number, { conclusion: "success" });
  await scene.run({ inputs });
  await scene.passTime(4);
  expect((await scene.run({ inputs })).outputs).toMatchObject({ mergedCount: "0" });
  await scene.passTime(2);
  expect((await scene.run({ inputs })).outputs).toMatchObject({ mergedCount: "1" });
});

test.each(
  someOf([
    [409, "Head branch was modified. Review and try the merge again."],
    [405, "Base branch was modified. Review and try the merge again."],
  ]),
)(
  "a merge that GitHub refuses with %i because of a push is tried again by the next run",
  async (status, message) => {
    await using scene = await setUpLand();
    const number = await scene.document();
    await both(scene, number);
    scene.world.github.emulated.addFault({ method: "PUT", path: "/merge$", status, message });
    const refused = await scene.run({ inputs: APPROVED });
    expect(refused.exitCode).toBe(0);
    expect(refused.warnings).toEqual([]);
    expect(refused.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
    expect(await scene.comment(number)).toContain("something has changed");
    expect((await scene.run({ inputs: APPROVED })).outputs).toMatchObject({ mergedCount: "1" });
  },
);
