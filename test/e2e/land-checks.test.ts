import { expect, test } from "vitest";
import { mergeQueued } from "../../emulator/github/merge-queue.ts";
import { AGENT, tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { isPull, type Pull } from "../../emulator/github/state.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";

const APPROVED = { merge: "approved" };
const CHECKS = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };

function pullOf({ world }: LandSetup, number: number): Pull {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is not a pull request`);
  return pull;
}

/** Reports a job of a workflow. */
function job(scene: LandSetup, number: number, event: string, conclusion: string): void {
  const { head: head_sha } = pullOf(scene, number);
  const { home } = scene.world.github;
  home.report({ name: "docs-check", head_sha, app: WORKFLOW, event, conclusion });
}

const RESULTS = [
  ["a red one that another event's replaced", ["failure", "success"], { mergedCount: "1" }],
  ["a green one that another event's replaced", ["success", "failure"], { followUpCount: "1" }],
  ["a cancelled one that was replaced", ["cancelled", "success"], { mergedCount: "1" }],
  ["one that was cancelled last", ["success", "cancelled"], { mergedCount: "0", openCount: "1" }],
] as const;

test.each(RESULTS)("of a workflow's checks, the newest counts: %s", async (_, results, outputs) => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.see({ inputs: CHECKS });
  job(scene, number, "pull_request", results[0]);
  await scene.passTime();
  job(scene, number, "pull_request_review", results[1]);
  const run = await scene.run({ inputs: CHECKS });
  expect(run.outputs).toMatchObject({ followUpCount: "0", ...outputs });
});

test("without the permission to read workflows, a red check counts although it was replaced", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.restrict({ actions: "none" });
  job(scene, number, "pull_request", "failure");
  job(scene, number, "pull_request_review", "success");
  const run = await scene.run({ inputs: CHECKS });
  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
});

test.each([
  ["green", "success", { mergedCount: "1" }],
  ["with a red one at the end", "failure", { mergedCount: "0", followUpCount: "1" }],
])("more than 100 checks are read, %s", async (_, last, outputs) => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.see({ inputs: CHECKS });
  for (let nth = 0; nth < 120; nth++) {
    await scene.history.report(number, { name: `check ${nth}`, conclusion: "success" });
  }
  await scene.history.report(number, { conclusion: "success" });
  await scene.history.report(number, { name: "links", conclusion: last });
  const run = await scene.run({ inputs: CHECKS });
  expect(run.outputs).toMatchObject({ followUpCount: "0", ...outputs });
});

test.each([[{ checks: "none" }], [{ checks: "none", statuses: "none" }]] as const)(
  "a token that cannot read checks goes on without them, and says so once: %j",
  async (permissions) => {
    await using scene = await setUpLand();
    const number = await scene.document();
    await scene.history.restrict(permissions);
    await scene.history.report(number, { conclusion: "failure" });
    await scene.history.review(number, "APPROVE");
    const run = await scene.run({ inputs: APPROVED });
    expect(run.warnings).toEqual([expect.stringContaining("cannot read its checks")]);
    const outputs = { followUpCount: "0", mergedCount: "0", needsPersonCount: "0" };
    expect(run.outputs).toMatchObject(outputs);
    expect(await scene.comment(number)).toContain("**Checks:** the token cannot read them");
    expect((await scene.run({ inputs: APPROVED })).warnings).toEqual([]);
  },
);

test("ignored checks are not sent, and keep nothing from being merged", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number, { name: "cla" });
  await scene.history.report(number, { conclusion: "success" });
  const inputs = { ...CHECKS, "ignore-checks": "cla" };
  await scene.see({ inputs });
  expect((await scene.run({ inputs })).outputs).toMatchObject({ mergedCount: "1" });
});

test("by checks, nothing is merged within 5 minutes of land's first sight of the head", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number, { conclusion: "success" });
  expect((await scene.run({ inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "0" });
  await scene.history.advance(4 * 60_000);
  expect((await scene.run({ inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "0" });
  await scene.history.advance(60_000);
  expect((await scene.run({ inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "1" });
});

test("the commits of allowed committers count as the agent's", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.pushTo(number, { author: "writer", files: ["docs/more.md"] });
  await scene.history.report(number);
  const inputs = { "allowed-committers": "writer" };
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ followUpCount: "1", needsPersonCount: "0" });
});

test("the guard rails are judged on the head, although GitHub's list is behind", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.see();
  await scene.history.pushTo(number, { author: AGENT, files: ["src/a.ts"] });
  await scene.history.report(number, { conclusion: "success" });
  await scene.history.review(number, "APPROVE");
  scene.world.github.emulated.lag = { files: 60_000 };
  const inputs = { ...APPROVED, "allowed-paths": "docs/**" };
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(await scene.comment(number)).toContain("It changes `src/a.ts`");
});

test("a docs pull request whose commits were pushed to the base is not said to conflict", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  const { github } = scene.world;
  github.emulated.site.switches.pushedMergeDelay = 60_000;
  github.home.forcePush(pullOf(scene, number).head);
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ followUpCount: "0", needsPersonCount: "0" });
  await scene.history.advance(60_000);
  expect((await scene.run()).outputs).toMatchObject({ mergedCount: "1" });
});

test("a branch that has to be up to date is brought up to date, and its approval counts on", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  const { home } = scene.world.github;
  home.mergeRule = { upToDate: true };
  await scene.history.review(number, "APPROVE");
  home.push({});
  const { head } = pullOf(scene, number);
  const inputs = { ...APPROVED, "merge-delay-hours": "1" };
  const options = { inputs, token: tokenOf("maintainer") };
  await scene.run(options);
  await scene.passTime();
  const updated = await scene.run(options);
  expect(updated.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(pullOf(scene, number).head).not.toBe(head);
  expect(await scene.comment(number)).toContain("GitHub brings its branch up to date");
  expect((await scene.run(options)).outputs).toMatchObject({ mergedCount: "1" });
});

test("a docs pull request joins the merge queue of its base once", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  const { home } = scene.world.github;
  home.mergeRule = { queue: true };
  await scene.history.review(number, "APPROVE");
  const joined = await scene.run({ inputs: APPROVED });
  expect(joined.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(home.mergeQueue.get(number)).toBe(pullOf(scene, number).head);
  await scene.run({ inputs: APPROVED });
  expect(await scene.comment(number)).toContain("It is in the merge queue.");
  home.mergeQueue.clear();
  const out = await scene.run({ inputs: APPROVED });
  expect(out.warnings).toEqual([expect.stringContaining("The merge queue removed it")]);
  home.mergeQueue.set(number, pullOf(scene, number).head);
  mergeQueued(home);
  expect((await scene.run({ inputs: APPROVED })).outputs).toMatchObject({ mergedCount: "1" });
});

test("a follow-up about a failed job has the end of its log, where the token may read it", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  const { home } = scene.world.github;
  job(scene, number, "pull_request", "failure");
  const { id = 0 } = home.checkRuns.at(-1) ?? {};
  home.jobLogs.set(id, "2026-11-22T12:00:00.1234567Z Dead link in docs/a.md\n");
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
  expect((await scene.prompts()).at(-1)).toContain("> Dead link in docs/a.md");
});

test("a follow-up about a failed job goes without its log, if the token may not read it", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.restrict({ actions: "none" });
  job(scene, number, "pull_request", "failure");
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
  expect(run.warnings).toEqual([]);
});
