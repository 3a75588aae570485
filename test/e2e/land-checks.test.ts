import { expect, test } from "vitest";
import { startSuite } from "../../emulator/github/checks.ts";
import { mergeQueued } from "../../emulator/github/merge-queue.ts";
import { AGENT, CHECKS as APP, tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { isPull, type Pull } from "../../emulator/github/state.ts";
import { documentChange, LAND, seeHeads } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

const APPROVED = { merge: "approved" };
const CHECKS = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };

function pullOf(world: World, number: number): Pull {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is not a pull request`);
  return pull;
}

/** Reports a commit status. */
function setStatus(world: World, number: number, state: string): Promise<unknown> {
  const { api, tokenOf: token } = world.github;
  const body = { state, context: "links" };
  const { head } = pullOf(world, number);
  return api(`/statuses/${head}`, { method: "POST", token: token("writer"), body });
}

/** Reports a job of a workflow. */
function job(
  world: World,
  number: number,
  event: string,
  conclusion: string,
  id = "docs-check",
): void {
  const { head: head_sha } = pullOf(world, number);
  const { home } = world.github;
  home.report({ name: "docs-check", job: id, head_sha, app: WORKFLOW, event, conclusion });
}

const SENT = { mergedCount: "0", followUpCount: "1" };
const RESULTS = [
  ["a red one stays, whatever another event reports", ["failure", "success"], SENT],
  ["a red one stays where a stranger's review skips it", ["failure", "skipped"], SENT],
  ["a green one does not hide the red one of another event", ["success", "failure"], SENT],
  ["a cancelled one hinders nothing", ["cancelled", "success"], { mergedCount: "1" }],
  [
    "a cancelled one of another event replaces nothing",
    ["success", "cancelled"],
    { mergedCount: "1" },
  ],
] as const;

test.each(RESULTS)("of checks of two events, %s", async (_, results, outputs) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world, { inputs: CHECKS });
  job(world, number, "pull_request", results[0]);
  await world.passTime(HOUR);
  job(world, number, "pull_request_review", results[1]);
  const run = await world.run("land", { inputs: CHECKS });
  expect(run.outputs).toMatchObject({ followUpCount: "0", ...outputs });
});

test.each([
  ["success", { mergedCount: "1", followUpCount: "0" }],
  ["failure", SENT],
  ["skipped", SENT],
  ["cancelled", SENT],
])("a red check and a newer run of its workflow: %s", async (conclusion, outputs) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world, { inputs: CHECKS });
  job(world, number, "pull_request", "failure");
  await world.passTime(HOUR);
  const { head: sha } = pullOf(world, number);
  startSuite(world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
  job(world, number, "pull_request", conclusion);
  const run = await world.run("land", { inputs: CHECKS });
  expect(run.outputs).toMatchObject(outputs);
});

test.each([
  ["skipped", "failure"],
  ["failure", "skipped"],
])("of two jobs with one name, none hides the other: %s, then %s", async (...results) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world, { inputs: CHECKS });
  await world.github.report(number, { name: "docs-check", conclusion: "success" });
  for (const [nth, conclusion] of results.entries()) {
    job(world, number, "pull_request", conclusion, `job ${nth}`);
  }
  expect((await world.run("land", { inputs: CHECKS })).outputs).toMatchObject(SENT);
});

test("a job that is run again replaces its own result", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world, { inputs: CHECKS });
  for (const conclusion of ["failure", "success"]) job(world, number, "pull_request", conclusion);
  expect((await world.run("land", { inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "1" });
});

test("without the permission to read workflows, a red check counts although it was replaced", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.restrict({ actions: "none" });
  job(world, number, "pull_request", "failure");
  job(world, number, "pull_request_review", "success");
  const run = await world.run("land", { inputs: CHECKS });
  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
});

test.each([
  ["green", "success", { mergedCount: "1" }],
  ["with a red one at the end", "failure", { mergedCount: "0", followUpCount: "1" }],
])("more than 100 checks are read, %s", async (_, last, outputs) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world, { inputs: CHECKS });
  for (let nth = 0; nth < 120; nth++) {
    await world.github.report(number, { name: `check ${nth}`, conclusion: "success" });
  }
  await world.github.report(number, { conclusion: "success" });
  await world.github.report(number, { name: "links", conclusion: last });
  const run = await world.run("land", { inputs: CHECKS });
  expect(run.outputs).toMatchObject({ followUpCount: "0", ...outputs });
});

test.each([
  [{ checks: "none" }, false],
  [{ checks: "none" }, true],
  [{ statuses: "none" }, false],
  [{ statuses: "none" }, true],
  [{ checks: "none", statuses: "none" }, false],
  [{ checks: "none", statuses: "none", actions: "none" }, true],
] as const)(
  "a token that cannot read checks goes on without them, and says so once: %j, in silence: %j",
  async (permissions, hidesInSilence) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    world.github.emulated.site.switches.hidesInSilence = hidesInSilence;
    await world.github.restrict(permissions);
    job(world, number, "pull_request", "success");
    await setStatus(world, number, "failure");
    await world.github.review(number, "APPROVE");
    const run = await world.run("land", { inputs: APPROVED });
    expect(run.warnings).toEqual([expect.stringContaining("cannot read its checks")]);
    const outputs = { followUpCount: "0", mergedCount: "0", needsPersonCount: "1" };
    expect(run.outputs).toMatchObject(outputs);
    expect(world.comment(number)).toContain("**Checks:** the token cannot read them");
    expect((await world.run("land", { inputs: APPROVED })).warnings).toEqual([]);
  },
);

test("with a run of a workflow that no check shows, in a list of nothing but nulls, nothing is merged", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  world.github.emulated.site.switches.hidesInSilence = true;
  await world.github.restrict({ checks: "none" });
  const { head: sha } = pullOf(world, number);
  startSuite(world.github.home, { sha, app: WORKFLOW, event: "pull_request" });
  await world.github.review(number, "APPROVE");
  const run = await world.run("land", { inputs: APPROVED });
  expect(run.outputs).toMatchObject({ mergedCount: "0", openCount: "1" });
  expect(run.warnings).toEqual([expect.stringContaining("cannot read its checks")]);
});

test("ignored checks are not sent, and keep nothing from being merged", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number, { name: "cla" });
  await world.github.report(number, { conclusion: "success" });
  const inputs = { ...CHECKS, "ignore-checks": "cla" };
  await seeHeads(world, { inputs });
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "1" });
});

test("by checks, nothing is merged within 5 minutes of land's first sight of the head", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number, { conclusion: "success" });
  expect((await world.run("land", { inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "0" });
  await world.passTime(4 * 60_000);
  expect((await world.run("land", { inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "0" });
  await world.passTime(60_000);
  expect((await world.run("land", { inputs: CHECKS })).outputs).toMatchObject({ mergedCount: "1" });
});

test("the commits of allowed committers count as the agent's", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.pushTo(number, { author: "writer", files: ["docs/more.md"] });
  await world.github.report(number);
  const inputs = { "allowed-committers": "writer" };
  const run = await world.run("land", { inputs });
  expect(run.outputs).toMatchObject({ followUpCount: "1", needsPersonCount: "0" });
});

test("the guard rails are judged on the head, although GitHub's list is behind", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world);
  await world.github.pushTo(number, { author: AGENT, files: ["src/a.ts"] });
  await world.github.report(number, { conclusion: "success" });
  await world.github.review(number, "APPROVE");
  world.github.emulated.lag = { files: 60_000 };
  const inputs = { ...APPROVED, "allowed-paths": "docs/**" };
  const run = await world.run("land", { inputs });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(world.comment(number)).toContain("It changes `src/a.ts`");
});

test("a docs pull request whose commits were pushed to the base is not said to conflict", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { github } = world;
  github.emulated.site.switches.pushedMergeDelay = 60_000;
  github.home.forcePush(pullOf(world, number).head);
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ followUpCount: "0", needsPersonCount: "0" });
  await world.passTime(60_000);
  expect((await world.run("land")).outputs).toMatchObject({ mergedCount: "1" });
});

test("a branch that has to be up to date is brought up to date, and its approval counts on", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  home.mergeRule = { upToDate: true };
  await world.github.review(number, "APPROVE");
  home.push({});
  const { head } = pullOf(world, number);
  const inputs = { ...APPROVED, "merge-delay-hours": "1" };
  const options = { inputs, token: tokenOf(APP) };
  await world.run("land", options);
  await world.passTime(HOUR);
  const updated = await world.run("land", options);
  expect(updated.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(pullOf(world, number).head).not.toBe(head);
  expect(world.comment(number)).toContain("GitHub brings its branch up to date");
  expect((await world.run("land", options)).outputs).toMatchObject({ mergedCount: "1" });
});

test("a docs pull request joins the merge queue of its base once", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  home.mergeRule = { queue: true };
  await world.github.review(number, "APPROVE");
  const joined = await world.run("land", { inputs: APPROVED });
  expect(joined.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(home.mergeQueue.get(number)).toBe(pullOf(world, number).head);
  await world.run("land", { inputs: APPROVED });
  expect(world.comment(number)).toContain("It is in the merge queue.");
  home.mergeQueue.clear();
  const out = await world.run("land", { inputs: APPROVED });
  expect(out.warnings).toEqual([expect.stringContaining("The merge queue removed it")]);
  home.mergeQueue.set(number, pullOf(world, number).head);
  mergeQueued(home);
  expect((await world.run("land", { inputs: APPROVED })).outputs).toMatchObject({
    mergedCount: "1",
  });
});

test.each([
  [WORKFLOW, { mergedCount: "0", needsPersonCount: "1" }],
  [APP, { mergedCount: "0", needsPersonCount: "0" }],
])("into a queue whose rules want checks, the token of %s puts it", async (login, outputs) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  home.mergeRule = { queue: true, checks: ["docs-check"] };
  job(world, number, "pull_request", "success");
  await world.github.review(number, "APPROVE");
  const options = { inputs: APPROVED, token: tokenOf(login) };
  expect((await world.run("land", options)).outputs).toMatchObject(outputs);
  expect(home.mergeQueue.has(number)).toBe(login === APP);
  mergeQueued(home);
  expect(pullOf(world, number).mergedAt !== null).toBe(login === APP);
});

test("one that somebody put into the queue meanwhile is in it", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { emulated, home } = world.github;
  home.mergeRule = { queue: true };
  await world.github.review(number, "APPROVE");
  const before = emulated.handle.bind(emulated);
  emulated.handle = (asked, lag) => {
    if (asked.body?.includes("enqueuePullRequest")) {
      const { head } = pullOf(world, number);
      home.mergeQueue.set(number, head);
    }
    return before(asked, lag);
  };
  const run = await world.run("land", { inputs: APPROVED });
  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({ needsPersonCount: "0", openCount: "1" });
  expect(world.comment(number)).toContain("It was put into the merge queue.");
});

test("a follow-up about a failed job has the end of its log, where the token may read it", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  job(world, number, "pull_request", "failure");
  const { id = 0 } = home.checkRuns.at(-1) ?? {};
  home.jobLogs.set(id, "2026-11-22T12:00:00.1234567Z Dead link in docs/a.md\n");
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
  expect((await world.prompts()).at(-1)).toContain("> Dead link in docs/a.md");
});

test("a follow-up about a failed job goes without its log, if the token may not read it", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.restrict({ actions: "none" });
  job(world, number, "pull_request", "failure");
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ followUpCount: "1" });
  expect(run.warnings).toEqual([]);
});
