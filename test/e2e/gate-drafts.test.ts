import { describe, expect, test } from "vitest";
import { DRAFTS, type GateSetup, setUpGate } from "../support/gate-setup.ts";

const CODE = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];

/** Opens a pull request that somebody with write permission approves. */
async function openApproved(
  { history, review }: GateSetup,
  labels: string[] = [],
): Promise<number> {
  const number = await history.openPull({ title: "Add retries", commits: CODE, labels });
  await review(number);
  return number;
}

test("the first approval starts a draft, and further approvals and runs start no other", async () => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ title: "Add retries", commits: CODE });
  const before = await scene.gate(number, DRAFTS);
  expect(before.outputs).toMatchObject({ verdict: "needed", jobId: "" });
  expect(await scene.prompts()).toEqual([]);
  await scene.review(number);
  const first = await scene.gate(number, DRAFTS);
  expect(first.outputs).toMatchObject({ verdict: "covered" });
  expect(first.exitCode).toBe(0);
  const { jobId } = first.outputs;
  await scene.review(number, "octocat");
  const second = await scene.gate(number, DRAFTS);
  expect(second.outputs).toMatchObject({ verdict: "covered", jobId });
  expect(second.outputs.prLink).toMatch(/\/pull\/\d+$/);
  const [prompt, ...more] = await scene.prompts();
  expect(more).toEqual([]);
  expect(prompt).toContain("Add retries");
  expect(prompt).toContain("src/retry.ts (+1 -0)");
  expect(scene.ledger()?.ledger.drafts).toMatchObject([
    { job: { id: jobId }, changes: [{ number }] },
  ]);
  const [comment] = await scene.gateComments(number);
  expect(comment?.body).toContain(`covered by [docs pull request #`);
});

test.for(["triager", "reader", "outsider"])("an approval by a %s starts no draft", async (by) => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  await scene.review(number, by);
  const { outputs } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(await scene.prompts()).toEqual([]);
  expect(scene.ledger()).toBeUndefined();
});

test("pull requests with skip-docs or with a docs job get no draft", async () => {
  await using scene = await setUpGate();
  const labelled = await openApproved(scene, ["skip-docs"]);
  await scene.gate(labelled, DRAFTS);
  const withJob = await openApproved(scene);
  await scene.askByPhrase(withJob, "/docs Describe it.");
  expect((await scene.gate(withJob, DRAFTS)).outputs).toMatchObject({ verdict: "covered" });
  expect(await scene.prompts()).toHaveLength(1);
});

test("several runs at once start one draft", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  const runs = await Promise.all([1, 2, 3].map(() => scene.startGate(number, DRAFTS)));
  const results = await Promise.all(runs.map(({ result }) => result));
  expect(results.map(({ outputs }) => outputs.verdict)).toEqual(["covered", "covered", "covered"]);
  expect(await scene.prompts()).toHaveLength(1);
  expect(await scene.gateComments(number)).toEqual([]);
});

test("a draft whose docs pull request was closed without merging covers nothing, and is not repeated", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  await scene.gate(number, DRAFTS);
  const { outputs } = await scene.gate(number, DRAFTS);
  const closed = { method: "PATCH", body: { state: "closed" } };
  await scene.world.github.api(`/pulls/${outputs.prLink?.split("/").at(-1)}`, closed);
  const after = await scene.gate(number, DRAFTS);
  expect(after.outputs).toMatchObject({ verdict: "needed", prLink: outputs.prLink });
  expect(after.summary).toContain("the docs pull request was closed without merging");
  // Upkeep records its end.
  await scene.upkeep();
  expect((await scene.gate(number, DRAFTS)).outputs).toMatchObject({ verdict: "needed" });
  expect(await scene.prompts()).toHaveLength(1);
});

describe("after the merge", () => {
  test("upkeep tracks the draft's job, and hands nothing over", async () => {
    await using scene = await setUpGate();
    const number = await openApproved(scene);
    const { outputs } = await scene.gate(number, DRAFTS);
    await scene.history.advance(60_000);
    await scene.upkeep();
    expect(scene.ledger()?.ledger.drafts).toMatchObject([{ state: "done", changes: [{ number }] }]);
    await scene.history.merge(number);
    const after = await scene.upkeep();
    expect(after.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "0" });
    const { ledger } = scene.ledger() ?? {};
    expect(ledger).toMatchObject({ drafts: [], batches: [] });
    expect(ledger?.reviews).toMatchObject([{ jobId: outputs.jobId, changes: [{ number }] }]);
    expect(await scene.prompts()).toHaveLength(1);
  });

  test("upkeep tracks a running draft as a running batch", async () => {
    await using scene = await setUpGate({ steering: { durationMs: null } });
    const number = await openApproved(scene);
    const { outputs } = await scene.gate(number, DRAFTS);
    await scene.history.merge(number);
    await scene.upkeep();
    expect(scene.ledger()?.ledger.batches).toMatchObject([
      { state: "running", job: { id: outputs.jobId }, changes: [{ number }] },
    ]);
    await scene.world.service.setJob(outputs.jobId ?? "", { status: "completed" });
    const after = await scene.upkeep();
    expect(JSON.parse(after.outputs.finished ?? "[]")).toMatchObject([{ jobId: outputs.jobId }]);
    expect(await scene.prompts()).toHaveLength(1);
  });

  test("upkeep sends commits after the draft to its job as a follow-up", async () => {
    await using scene = await setUpGate();
    const number = await openApproved(scene);
    const { outputs } = await scene.gate(number, DRAFTS);
    const pull = scene.world.github.home.pulls.find((candidate) => candidate.number === number);
    scene.history.home.push({ files: { "src/late.ts": "1\n" } }, pull?.branch);
    await scene.history.merge(number);
    await scene.history.advance(60_000);
    await scene.upkeep();
    await scene.history.advance(60_000);
    await scene.upkeep();
    await scene.history.advance(60_000);
    await scene.upkeep();
    const prompts = await scene.prompts();
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("src/late.ts");
    const jobs = await scene.world.service.jobs();
    expect(jobs.map(({ turns }) => turns.length)).toEqual([2]);
    const { ledger } = scene.ledger() ?? {};
    expect(ledger?.reviews).toMatchObject([{ jobId: outputs.jobId, changes: [{ number }] }]);
  });

  test("the change of a draft that failed is handed over like any other", async () => {
    await using scene = await setUpGate();
    const number = await openApproved(scene);
    const inputs = { ...DRAFTS.inputs, prompt: "Draft it.\nemulate: outcome=failed" };
    await scene.gate(number, { inputs });
    const again = await scene.gate(number, { inputs });
    expect(again.outputs).toMatchObject({ verdict: "needed" });
    expect(await scene.prompts()).toHaveLength(1);
    await scene.upkeep();
    await scene.history.merge(number);
    const after = await scene.upkeep();
    expect(after.outputs).toMatchObject({ result: "started", changeCount: "1" });
    expect(await scene.prompts()).toHaveLength(2);
  });
});

test("while somebody with write permission asks for changes, no draft is started", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  await scene.review(number, "octocat", "REQUEST_CHANGES");
  const held = await scene.gate(number, DRAFTS);
  expect(held.outputs).toMatchObject({ verdict: "needed" });
  expect(held.summary).toContain("There is no draft while `octocat` asks for changes.");
  await scene.review(number, "octocat");
  const { outputs } = await scene.gate(number, { ...DRAFTS, eventName: "schedule", event: {} });
  expect(outputs).toMatchObject({ verdict: "covered" });
  expect(scene.statuses(number).map(({ state }) => state)).toEqual(["success", "failure"]);
});

test("while the dashboard is closed, no draft is started", async () => {
  await using scene = await setUpGate();
  await scene.history.land();
  await scene.upkeep();
  const dashboard = scene.ledger()?.ledger.dashboard;
  if (dashboard?.type !== "open") throw new Error("There is no dashboard");
  const closed = { method: "PATCH", body: { state: "closed" } };
  await scene.world.github.api(`/issues/${dashboard.number}`, closed);
  const { outputs, warnings } = await scene.gate(await openApproved(scene), DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings).toContain("There is no draft: the dashboard is closed.");
  expect(await scene.prompts()).toHaveLength(1);
});

test("without contents: write, no draft is started, and a warning names the permission", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  await scene.history.restrict({ contents: "read" });
  const { outputs, warnings } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings.join("\n")).toMatch(/needs the permission `contents: write`/);
  expect(await scene.prompts()).toEqual([]);
});

test("without issues: read, a draft is started", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  await scene.history.restrict({ issues: "none" });
  const { outputs } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: "covered" });
  expect(await scene.prompts()).toHaveLength(1);
});

/** Changes something once the intent of a draft is written, before the gate's next request. */
function onceIntended({ world, ledger }: GateSetup, change: () => void): void {
  const { emulated } = world.github;
  const { beforeRequest } = emulated;
  emulated.beforeRequest = () => {
    beforeRequest();
    const isIntended = ledger()?.ledger.drafts.some(({ state }) => state === "intended");
    if (!isIntended) return;
    emulated.beforeRequest = beforeRequest;
    change();
  };
}

test.for<[string, (scene: GateSetup, number: number) => void, string]>([
  [
    "somebody asks for changes",
    (scene, number) => void scene.review(number, "octocat", "REQUEST_CHANGES"),
    "There is no draft while `octocat` asks for changes.",
  ],
  [
    "the approval is withdrawn",
    (scene, number) => void scene.review(number, "maintainer", "REQUEST_CHANGES"),
    "There is no draft: nobody with write permission approves the pull request.",
  ],
  [
    "the dashboard is closed",
    ({ world, ledger }) => {
      const { dashboard = null } = ledger()?.ledger ?? {};
      const number = dashboard?.type === "open" ? dashboard.number : null;
      const closed = { method: "PATCH", body: { state: "closed" } };
      void world.github.api(`/issues/${number}`, closed);
    },
    "There is no draft: the dashboard is closed.",
  ],
])("if %s right before the request, no draft is started", async ([, change, next]) => {
  await using scene = await setUpGate();
  await scene.history.land();
  await scene.upkeep();
  const before = await scene.prompts();
  const number = await openApproved(scene);
  onceIntended(scene, () => change(scene, number));
  const { outputs, warnings } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings).toContain(
    "There is no draft: what it depends on changed right before the request.",
  );
  expect(scene.ledger()?.ledger.drafts).toEqual([]);
  expect((await scene.gate(number, DRAFTS)).summary).toContain(next);
  expect(await scene.prompts()).toEqual(before);
});

test("if somebody pushes right before the request, the draft is of the new head", async () => {
  await using scene = await setUpGate();
  const number = await openApproved(scene);
  onceIntended(scene, () => {
    const pull = scene.world.github.home.pulls.find((candidate) => candidate.number === number);
    scene.history.home.push({ files: { "src/late.ts": "1\n" } }, pull?.branch);
  });
  expect((await scene.gate(number, DRAFTS)).outputs).toMatchObject({ verdict: "needed" });
  expect(await scene.prompts()).toEqual([]);
  expect((await scene.gate(number, DRAFTS)).outputs).toMatchObject({ verdict: "covered" });
  const [prompt, ...more] = await scene.prompts();
  expect(more).toEqual([]);
  expect(prompt).toContain("src/late.ts");
});
