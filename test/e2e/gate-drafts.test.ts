import { describe, expect, test } from "vitest";
import { DRAFTS, gateComments } from "../support/world/gate.ts";
import { askByPhrase } from "../support/world/requests.ts";
import { startWorld, type World } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];

/** Opens a pull request that somebody with write permission approves. */
async function openApproved({ github }: World, labels: string[] = []): Promise<number> {
  const number = await github.openPull({ title: "Add retries", commits: CODE, labels });
  await github.review(number, "APPROVE");
  return number;
}

test("the first approval starts a draft, and further approvals and runs start no other", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ title: "Add retries", commits: CODE });
  const before = await world.run("gate", { pull: number, ...DRAFTS });
  expect(before.outputs).toMatchObject({ verdict: "needed", jobId: "" });
  expect(await world.prompts()).toEqual([]);
  await world.github.review(number, "APPROVE");
  const first = await world.run("gate", { pull: number, ...DRAFTS });
  expect(first.outputs).toMatchObject({ verdict: "covered" });
  expect(first.exitCode).toBe(0);
  const { jobId } = first.outputs;
  await world.github.review(number, "APPROVE", { login: "octocat" });
  const second = await world.run("gate", { pull: number, ...DRAFTS });
  expect(second.outputs).toMatchObject({ verdict: "covered", jobId });
  expect(second.outputs.prLink).toMatch(/\/pull\/\d+$/);
  const [prompt, ...more] = await world.prompts();
  expect(more).toEqual([]);
  expect(prompt).toContain("Add retries");
  expect(prompt).toContain("src/retry.ts (+1 -0)");
  expect(world.ledger("upkeep").ledger.drafts).toMatchObject([
    { job: { id: jobId }, changes: [{ number }] },
  ]);
  const [comment] = gateComments(world, number);
  expect(comment?.body).toContain(`covered by [docs pull request #`);
});

test.for(["triager", "reader", "outsider"])("an approval by a %s starts no draft", async (by) => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  await world.github.review(number, "APPROVE", { login: by });
  const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(await world.prompts()).toEqual([]);
  expect(world.ledgers()).toEqual([]);
});

test("pull requests with skip-docs or with a docs job get no draft", async () => {
  await using world = await startWorld();
  const labelled = await openApproved(world, ["skip-docs"]);
  await world.run("gate", { pull: labelled, ...DRAFTS });
  const withJob = await openApproved(world);
  await askByPhrase(world, withJob, "/docs Describe it.");
  expect((await world.run("gate", { pull: withJob, ...DRAFTS })).outputs).toMatchObject({
    verdict: "covered",
  });
  expect(await world.prompts()).toHaveLength(1);
});

test("several runs at once start one draft", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  const runs = await Promise.all(
    [1, 2, 3].map(() => world.start("gate", { pull: number, ...DRAFTS })),
  );
  const results = await Promise.all(runs.map(({ result }) => result));
  expect(results.map(({ outputs }) => outputs.verdict)).toEqual(["covered", "covered", "covered"]);
  expect(await world.prompts()).toHaveLength(1);
  expect(gateComments(world, number)).toEqual([]);
});

test("a draft whose docs pull request was closed without merging covers nothing, and is not repeated", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  await world.run("gate", { pull: number, ...DRAFTS });
  const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
  const closed = { method: "PATCH", body: { state: "closed" } };
  await world.github.api(`/pulls/${outputs.prLink?.split("/").at(-1)}`, closed);
  const after = await world.run("gate", { pull: number, ...DRAFTS });
  expect(after.outputs).toMatchObject({ verdict: "needed", prLink: outputs.prLink });
  expect(after.summary).toContain("Its docs pull request was closed without merging");
  const path = new URL(outputs.prLink ?? "").pathname.replace(/^\/[^/]+\/[^/]+\/pull/, "/pulls");
  world.github.emulated.addFault({ method: "GET", path: `${path}$`, status: 502, times: 9 });
  const unread = await world.run("gate", { pull: number, ...DRAFTS });
  expect(unread.outputs).toMatchObject({ errorKind: "github-unavailable" });
  expect(world.statuses(number)[0]).toMatchObject({ state: "failure" });
  world.github.emulated.clearFaults();
  // Upkeep records its end.
  await world.run("upkeep");
  expect((await world.run("gate", { pull: number, ...DRAFTS })).outputs).toMatchObject({
    verdict: "needed",
  });
  expect(await world.prompts()).toHaveLength(1);
});

describe("after the merge", () => {
  test("upkeep tracks the draft's job, and hands nothing over", async () => {
    await using world = await startWorld();
    const number = await openApproved(world);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    await world.passTime(60_000);
    await world.run("upkeep");
    expect(world.ledger("upkeep").ledger.drafts).toMatchObject([
      { state: "done", changes: [{ number }] },
    ]);
    await world.github.merge(number);
    const after = await world.run("upkeep");
    expect(after.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "0" });
    const { ledger } = world.ledger("upkeep");
    expect(ledger).toMatchObject({ drafts: [], batches: [] });
    expect(ledger?.reviews).toMatchObject([{ jobId: outputs.jobId, changes: [{ number }] }]);
    expect(await world.prompts()).toHaveLength(1);
  });

  test("upkeep tracks a running draft as a running batch", async () => {
    await using world = await startWorld({ steering: { durationMs: null } });
    const number = await openApproved(world);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    await world.github.merge(number);
    await world.run("upkeep");
    expect(world.ledger("upkeep").ledger.batches).toMatchObject([
      { state: "running", job: { id: outputs.jobId }, changes: [{ number }] },
    ]);
    await world.service.setJob(outputs.jobId ?? "", { status: "completed" });
    await world.run("upkeep");
    await world.passTime();
    const after = await world.run("upkeep");
    expect(JSON.parse(after.outputs.finished ?? "[]")).toMatchObject([{ jobId: outputs.jobId }]);
    expect(await world.prompts()).toHaveLength(1);
  });

  test("upkeep sends commits after the draft to its job as a follow-up", async () => {
    await using world = await startWorld();
    const number = await openApproved(world);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    const pull = world.github.home.pulls.find((candidate) => candidate.number === number);
    world.github.home.push({ files: { "src/late.ts": "1\n" } }, pull?.branch);
    await world.github.merge(number);
    await world.passTime(60_000);
    await world.run("upkeep");
    await world.passTime(60_000);
    await world.run("upkeep");
    await world.passTime(60_000);
    await world.run("upkeep");
    const prompts = await world.prompts();
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("src/late.ts");
    const jobs = await world.service.jobs();
    expect(jobs.map(({ turns }) => turns.length)).toEqual([2]);
    const { ledger } = world.ledger("upkeep");
    expect(ledger?.reviews).toMatchObject([{ jobId: outputs.jobId, changes: [{ number }] }]);
  });

  test("the change of a draft that failed is handed over like any other", async () => {
    await using world = await startWorld();
    const number = await openApproved(world);
    const inputs = { ...DRAFTS.inputs, prompt: "Draft it.\nemulate: outcome=failed" };
    await world.run("gate", { pull: number, inputs });
    const again = await world.run("gate", { pull: number, inputs });
    expect(again.outputs).toMatchObject({ verdict: "needed" });
    expect(await world.prompts()).toHaveLength(1);
    await world.run("upkeep");
    await world.github.merge(number);
    const after = await world.run("upkeep");
    expect(after.outputs).toMatchObject({ result: "started", changeCount: "1" });
    expect(await world.prompts()).toHaveLength(2);
  });
});

test("while somebody with write permission asks for changes, no draft is started", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  await world.github.review(number, "REQUEST_CHANGES", { login: "octocat", body: "Reviewed." });
  const held = await world.run("gate", { pull: number, ...DRAFTS });
  expect(held.outputs).toMatchObject({ verdict: "needed" });
  expect(held.summary).toContain("There is no draft while `octocat` asks for changes.");
  await world.github.review(number, "APPROVE", { login: "octocat" });
  const { outputs } = await world.run("gate", DRAFTS);
  expect(outputs).toMatchObject({ verdict: "covered" });
  expect(world.statuses(number).map(({ state }) => state)).toEqual(["success", "failure"]);
});

test("while the dashboard is closed, no draft is started", async () => {
  await using world = await startWorld();
  await world.github.land();
  await world.run("upkeep");
  const dashboard = world.ledger("upkeep").ledger.dashboard;
  if (dashboard?.type !== "open") throw new Error("There is no dashboard");
  const closed = { method: "PATCH", body: { state: "closed" } };
  await world.github.api(`/issues/${dashboard.number}`, closed);
  const { outputs, warnings } = await world.run("gate", {
    pull: await openApproved(world),
    ...DRAFTS,
  });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings).toContain("There is no draft: the dashboard is closed.");
  expect(await world.prompts()).toHaveLength(1);
});

test("without contents: write, no draft is started, and a warning names the permission", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  await world.github.restrict({ contents: "read" });
  const { outputs, warnings } = await world.run("gate", { pull: number, ...DRAFTS });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings.join("\n")).toMatch(/needs the permission `contents: write`/);
  expect(await world.prompts()).toEqual([]);
});

test("without issues: read, a draft is started", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  await world.github.restrict({ issues: "none" });
  const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
  expect(outputs).toMatchObject({ verdict: "covered" });
  expect(await world.prompts()).toHaveLength(1);
});

async function askForChanges(world: World, number: number, login: string): Promise<void> {
  await world.github.review(number, "REQUEST_CHANGES", { login, body: "Reviewed." });
}

/** Changes something once the intent of a draft is written, before the gate's next request. */
function onceIntended(world: World, change: () => void): void {
  const { emulated } = world.github;
  const { beforeRequest } = emulated;
  emulated.beforeRequest = () => {
    beforeRequest();
    const isIntended =
      world.ledgers().length > 0 &&
      world.ledger("upkeep").ledger.drafts.some(({ state }) => state === "intended");
    if (!isIntended) return;
    emulated.beforeRequest = beforeRequest;
    change();
  };
}

test.for<[string, (world: World, number: number) => void, string]>([
  [
    "somebody asks for changes",
    (world, number) => void askForChanges(world, number, "octocat"),
    "There is no draft while `octocat` asks for changes.",
  ],
  [
    "the approval is withdrawn",
    (world, number) => void askForChanges(world, number, "maintainer"),
    "There is no draft: nobody with write permission approves the pull request.",
  ],
  [
    "a label that ignores it is set",
    (world, number) => world.github.home.change(world.pull(number), { labels: ["skip-docs"] }),
    "`skip-docs`",
  ],
  [
    "the dashboard is closed",
    (world) => void world.editDashboard("upkeep", { state: "closed" }),
    "There is no draft: the dashboard is closed.",
  ],
])("if %s right before the request, no draft is started", async ([, change, next]) => {
  await using world = await startWorld();
  await world.github.land();
  await world.run("upkeep");
  const before = await world.prompts();
  const number = await openApproved(world);
  onceIntended(world, () => change(world, number));
  const { outputs, warnings } = await world.run("gate", { pull: number, ...DRAFTS });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings).toContain(
    "There is no draft: what it depends on changed right before the request.",
  );
  expect(world.ledger("upkeep").ledger.drafts).toEqual([]);
  expect((await world.run("gate", { pull: number, ...DRAFTS })).summary).toContain(next);
  expect(await world.prompts()).toEqual(before);
});

test("if somebody pushes right before the request, the draft is of the new head", async () => {
  await using world = await startWorld();
  const number = await openApproved(world);
  onceIntended(world, () => {
    world.github.home.push({ files: { "src/late.ts": "1\n" } }, world.pull(number).branch);
  });
  expect((await world.run("gate", { pull: number, ...DRAFTS })).outputs).toMatchObject({
    verdict: "needed",
  });
  expect(await world.prompts()).toEqual([]);
  expect((await world.run("gate", { pull: number, ...DRAFTS })).outputs).toMatchObject({
    verdict: "covered",
  });
  const [prompt, ...more] = await world.prompts();
  expect(more).toEqual([]);
  expect(prompt).toContain("src/late.ts");
});

test("ten approvals by people without write permission hide no writer's", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  for (let nth = 0; nth < 10; nth += 1) {
    const login = ["outsider", "reader", "triager"][nth % 3] ?? "outsider";
    await world.github.review(number, "APPROVE", { login });
  }
  await world.github.review(number, "APPROVE");
  const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
  expect(outputs).toMatchObject({ verdict: "covered" });
  expect(await world.prompts()).toHaveLength(1);
});

test.for(["", "api-key"])(
  "a draft covers where the run that looks has not set `draft`, without %j",
  async (without) => {
    await using world = await startWorld();
    const number = await openApproved(world);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    const inputs = { paths: "src/**", ...(without === "" ? {} : { [without]: "" }) };
    const other = await world.run("gate", { pull: number, inputs });
    expect(other.outputs).toMatchObject({ verdict: "covered", jobId: outputs.jobId });
    const states = world.statuses(number).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["success"]));
  },
);

test("a pull request into a branch that upkeep does not read gets no draft", async () => {
  await using world = await startWorld();
  const { github } = world;
  github.home.push({ files: { "src/base.ts": "1\n" } }, "work/base");
  const base = "work/base";
  const number = await github.openPull({ base, commits: CODE });
  await github.review(number, "APPROVE");
  const before = await world.run("gate", { pull: number, ...DRAFTS });
  expect(before.outputs).toMatchObject({ verdict: "needed" });
  expect(before.warnings.join("\n")).toContain("upkeep does not read the branch work/base");
  await world.run("upkeep");
  await world.run("gate", { pull: number, ...DRAFTS });
  expect(await world.prompts()).toEqual([]);
});
