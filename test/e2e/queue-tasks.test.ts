import { expect, test } from "vitest";
import { setUpQueue, statesIn, TASKS_FILE } from "../support/queue-setup.ts";

const NEVER = { steering: { durationMs: null } };

function list(...ids: string[]): string {
  return JSON.stringify(ids.map((id) => ({ id, prompt: `Document ${id}.` })));
}

test("an entry with `files` is a task for every `per-task` files, and no file is worked on twice", async () => {
  const entry = (perTask: number) =>
    `- files: [docs/**, "!docs/drafts/**"]\n  per-task: ${perTask}\n  prompt: |-\n    Check:\n    {files}\n`;
  const pages = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`docs/${name}.md`, `# ${name}\n`]));
  await using scene = await setUpQueue("");
  const run = async (tasks: string, files: Record<string, string>) =>
    await scene.run({ workspaceFiles: { ...files, "tasks.yml": tasks }, inputs: INPUTS });
  const INPUTS = { "tasks-file": "tasks.yml" };
  const first = pages("a", "b", "c", "drafts/d");
  const begun = await run(entry(2), first);
  expect(begun.outputs).toMatchObject({ result: "started", startedCount: "2" });
  expect(await scene.prompts()).toEqual(["Check:\ndocs/a.md\ndocs/b.md", "Check:\ndocs/c.md"]);
  // While they run, a page is added and the groups are of another size.
  const second = { ...first, ...pages("aa") };
  expect((await run(entry(3), second)).outputs).toMatchObject({ startedCount: "1" });
  expect((await scene.prompts()).at(-1)).toBe("Check:\ndocs/aa.md");
  const last = await run(entry(1), second);
  expect(last.outputs).toMatchObject({ result: "finished", startedCount: "0", doneCount: "4" });
  expect(await scene.prompts()).toHaveLength(3);
});

test("a pattern that matches nothing is a warning", async () => {
  await using scene = await setUpQueue('[{"files": "guides/**", "prompt": "Check {files}."}]');
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "finished", tasks: "[]" });
  expect(run.warnings.join()).toContain("no file of the workspace matches");
});

test("three refusals in a row end the run, and say that something may be wrong for all", async () => {
  const bad = { prompt: "emulate: nonsense" };
  const tasks = ["a", "b", "c", "d", "e"].map((id) => ({ id, ...bad }));
  await using scene = await setUpQueue(JSON.stringify(tasks));
  const run = await scene.run({ inputs: { "max-running": "10" } });
  expect(run.exitCode).toBe(0);
  expect(run.warnings.join()).toContain("3 tasks in a row");
  expect(statesIn(run).map((it) => it.slice(3))).toEqual([
    ...["needs-decision", "needs-decision", "needs-decision", "waiting", "waiting"],
  ]);
});

test("a service that refuses everything for hours costs three decisions a run, not the queue", async () => {
  await using scene = await setUpQueue(list(...Array.from({ length: 40 }, (_, n) => `t${n}`)), {
    service: { faults: [{ route: "v2-create", status: 400, times: 40 }] },
  });
  const inputs = { "max-running": "40" };
  expect((await scene.run({ inputs })).outputs).toMatchObject({
    ...{ needsDecisionCount: "3", waitingCount: "37" },
  });
});

test("a job that the service does not know a moment after it took it is not started again", async () => {
  await using scene = await setUpQueue(list("a"));
  await scene.run();
  await scene.world.service.addFault({ route: "v2-get", status: 404 });
  const unknown = await scene.run();
  expect(unknown.exitCode).toBe(0);
  expect(unknown.outputs).toMatchObject({ startedCount: "0", runningCount: "1" });
  expect((await scene.run()).outputs).toMatchObject({ result: "finished", doneCount: "1" });
  expect(await scene.prompts()).toHaveLength(1);
});

test("a task that runs longer than `job-deadline-hours` needs a decision and gives its place to the next", async () => {
  await using scene = await setUpQueue(list("a", "b"), NEVER);
  const inputs = { "max-running": "1", "job-deadline-hours": "0.5" };
  await scene.run({ inputs });
  expect((await scene.run({ inputs })).outputs.result).toBe("busy");
  await scene.history.advance(31 * 60_000);
  const later = await scene.run({ inputs });
  expect(later.outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect(statesIn(later)).toEqual(["a: needs-decision", "b: running"]);
});

test("what is left is done, without a pull request", async () => {
  await using scene = await setUpQueue(JSON.stringify([{ id: "a", prompt: "emulate: nonsense" }]));
  await scene.run();
  await scene.tick("leave");
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "finished", doneCount: "1" });
  expect(JSON.parse(run.outputs.tasks ?? "")).toEqual([
    { id: "a", state: "done", jobId: null, prLink: null },
  ]);
  expect(await scene.prompts()).toEqual([]);
});

test("the ledger can be kept under another ref", async () => {
  await using scene = await setUpQueue(list("a"));
  const inputs = { "ledger-ref": "refs/heads/docs-queue-ledger" };
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "started" });
  expect(scene.ledgers()).toEqual([]);
  const { refs } = scene.world.github.home;
  expect(refs.has("refs/heads/docs-queue-ledger")).toBe(true);
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "finished" });
});

test("20,000 tasks are read, shown and started in order", async () => {
  const tasks = Array.from({ length: 20_000 }, (_, n) => ({ id: `t${n}`, prompt: `Do ${n}.` }));
  await using scene = await setUpQueue(JSON.stringify(tasks));
  const inputs = { "max-running": "10" };
  const run = await scene.run({ inputs, limitMs: 60_000 });
  expect(run.outputs).toMatchObject({ startedCount: "10", waitingCount: "19990" });
  expect((await scene.body()).length).toBeLessThan(65_536);
  expect((await scene.prompts()).slice(0, 2)).toEqual(["Do 0.", "Do 1."]);
  const more = JSON.stringify([...tasks, { id: "more", prompt: "More." }]);
  const tooMany = await scene.run({ workspaceFiles: { [TASKS_FILE]: more } });
  expect(tooMany.outputs.errorMessage).toContain("20001 tasks are too many");
}, 120_000);
