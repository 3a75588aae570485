import { describe, expect, test } from "vitest";
import { DRAFTS, type GateSetup, setUpGate } from "../support/gate-setup.ts";

const CODE = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];

/** A pull request that somebody with write permission approved. */
async function approved({ history, review }: GateSetup, labels: string[] = []): Promise<number> {
  const number = await history.openPull({ title: "Add retries", commits: CODE, labels });
  await review(number);
  return number;
}

test("the first approval asks for a draft, once, through further approvals and runs", async () => {
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
  expect(scene.ledger()?.ledger.drafts).toMatchObject([{ jobId, changes: [{ number }] }]);
  const [comment] = await scene.told(number);
  expect(comment?.body).toContain(`covered by [docs pull request #`);
});

test.for(["triager", "reader", "outsider"])("an approval by a %s asks for nothing", async (by) => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  await scene.review(number, by);
  const { outputs } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(await scene.prompts()).toEqual([]);
  expect(scene.ledger()).toBeUndefined();
});

test("what needs no documentation gets no draft, nor does one with a docs job", async () => {
  await using scene = await setUpGate();
  const labelled = await approved(scene, ["skip-docs"]);
  await scene.gate(labelled, DRAFTS);
  const asked = await approved(scene);
  await scene.say(asked, "/docs Describe it.");
  expect((await scene.gate(asked, DRAFTS)).outputs).toMatchObject({ verdict: "covered" });
  expect(await scene.prompts()).toHaveLength(1);
});

test("two runs at once ask for one draft", async () => {
  await using scene = await setUpGate();
  const number = await approved(scene);
  const runs = await Promise.all([1, 2, 3].map(() => scene.startGate(number, DRAFTS)));
  const results = await Promise.all(runs.map(({ result }) => result));
  expect(results.map(({ outputs }) => outputs.verdict)).toEqual(["covered", "covered", "covered"]);
  expect(await scene.prompts()).toHaveLength(1);
  expect(await scene.told(number)).toEqual([]);
});

describe("after the merge", () => {
  test("upkeep follows the draft's job, and hands nothing over", async () => {
    await using scene = await setUpGate();
    const number = await approved(scene);
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

  test("while the job is at work, upkeep waits for it as for a batch", async () => {
    await using scene = await setUpGate({ steering: { durationMs: null } });
    const number = await approved(scene);
    const { outputs } = await scene.gate(number, DRAFTS);
    await scene.history.merge(number);
    await scene.upkeep();
    expect(scene.ledger()?.ledger.batches).toMatchObject([
      { state: "running", jobId: outputs.jobId, changes: [{ number }] },
    ]);
    await scene.world.service.setJob(outputs.jobId ?? "", { status: "completed" });
    const after = await scene.upkeep();
    expect(JSON.parse(after.outputs.finished ?? "[]")).toMatchObject([{ jobId: outputs.jobId }]);
    expect(await scene.prompts()).toHaveLength(1);
  });

  test("commits after the draft go to its job as a follow-up", async () => {
    await using scene = await setUpGate();
    const number = await approved(scene);
    const { outputs } = await scene.gate(number, DRAFTS);
    const pull = scene.world.github.home.pulls.find((it) => it.number === number);
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

  test("a draft that failed is handed over as any change", async () => {
    await using scene = await setUpGate();
    const number = await approved(scene);
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

test("while the dashboard is closed, no draft is asked for", async () => {
  await using scene = await setUpGate();
  await scene.history.land();
  await scene.upkeep();
  const { dashboard } = scene.ledger()?.ledger ?? {};
  const closed = { method: "PATCH", body: { state: "closed" } };
  await scene.world.github.api(`/issues/${dashboard?.number}`, closed);
  const { outputs, warnings } = await scene.gate(await approved(scene), DRAFTS);
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(warnings).toEqual(["There is no draft: the dashboard is closed."]);
  expect(await scene.prompts()).toHaveLength(1);
});

test.for([
  ["no contents: write", { contents: "read" }, /needs the permission `contents: write`/],
  ["no issues: read", { issues: "none" }, null],
] as const)("a draft with %s", async ([, permissions, why]) => {
  await using scene = await setUpGate();
  const number = await approved(scene);
  await scene.history.restrict({ ...permissions });
  const { outputs, warnings } = await scene.gate(number, DRAFTS);
  expect(outputs).toMatchObject({ verdict: why === null ? "covered" : "needed" });
  expect(warnings.join("\n")).toMatch(why ?? /^/);
  expect(await scene.prompts()).toHaveLength(why === null ? 1 : 0);
});
