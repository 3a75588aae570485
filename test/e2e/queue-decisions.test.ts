import { expect, test } from "vitest";
import { statesIn } from "../support/world/outputs.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { startWorld } from "../support/world/world.ts";

/** A task that the emulated service refuses, because it does not know the option. */
const BAD = { id: "bad", prompt: "emulate: nonsense" };

test("a task that the service refuses needs a decision, and the other tasks are started", async () => {
  await using world = await startWorld({
    tasks: JSON.stringify([{ id: "a", prompt: "A." }, BAD, { id: "b", prompt: "B." }]),
  });
  const first = await world.run("queue");
  expect(first.exitCode).toBe(0);
  expect(first.warnings.join()).toContain("The service refused the task bad: ");
  expect(first.outputs).toMatchObject({ result: "started", startedCount: "2" });
  expect(first.summary).toMatch(/^### Docs queue: 2 tasks started, 1 decision needed\n/);
  expect(first.summary).toMatch(
    /\*\*Needs a decision\*\*\n\n- `bad` .*: the service refused it: `The service returned 400/,
  );
  expect(statesIn(first)).toEqual(["a: running", "bad: needs-decision", "b: running"]);
  const second = await world.run("queue");
  expect(second.outputs).toMatchObject({
    result: "idle",
    doneCount: "2",
    needsDecisionCount: "1",
  });
  expect(await world.prompts()).toEqual(["A.", "B."]);
  expect(world.dashboard("queue").body).toMatch(/## Needs a decision[\s\S]*`bad`[\s\S]*refused/);
  // After a tick, the current prompt is sent.
  world.tasks = JSON.stringify([
    { id: "a", prompt: "A." },
    { id: "bad", prompt: "Good." },
  ]);
  await world.tick("queue");
  expect((await world.run("queue")).outputs).toMatchObject({
    result: "started",
    startedCount: "1",
  });
  expect((await world.run("queue")).outputs).toMatchObject({ result: "finished", doneCount: "2" });
  expect(await world.prompts()).toEqual(["A.", "B.", "Good."]);
});

test("a task that the service may have received fails the step once, and is sent again only after a tick", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a", "b"),
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  const first = await world.run("queue");
  expect(first.exitCode).toBe(1);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", startedCount: "0" });
  expect(first.outputs.errorMessage).toContain('under "Needs a decision" on the dashboard issue');
  expect(first.outputs.errorMessage).not.toContain("job-id");
  expect(statesIn(first)).toEqual(["a: needs-decision", "b: waiting"]);
  const second = await world.run("queue");
  expect(second.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
  expect(statesIn(await world.run("queue"))).toEqual(["a: needs-decision", "b: done"]);
  await world.tick("queue");
  expect((await world.run("queue")).outputs).toMatchObject({
    result: "started",
    startedCount: "1",
  });
  expect((await world.run("queue")).outputs).toMatchObject({ result: "finished" });
  expect(await world.prompts()).toEqual(["Document b.", "Document a."]);
});

test("the task of a failed job is handed over up to max-attempts times, then needs a decision", async () => {
  await using world = await startWorld({
    tasks: tasksFile("a"),
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-attempts": "2" };
  await world.run("queue", { inputs });
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ result: "started" });
  const third = await world.run("queue", { inputs });
  expect(third.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(world.dashboard("queue").body).toMatch(/the job failed \(attempt 2\)/);
  expect(await world.prompts()).toHaveLength(2);
});

test("a task without an ID is shown by its prompt, and its generated ID is only in the output", async () => {
  await using world = await startWorld({
    tasks: JSON.stringify([
      "Document <b>it</b> for @octocat\nemulate: nonsense",
      "Document the rest.",
    ]),
  });
  const run = await world.run("queue");
  const ids = JSON.parse(run.outputs.tasks ?? "").map(({ id }: { id: string }) => id);
  expect(run.visible.join("\n")).toContain('the task "Document <b>it</b> for @octocat": ');
  expect(run.summary).toMatch(/- `Document <b>it<\/b> for @octocat`: the service refused it/);
  expect(world.dashboard("queue").body).toMatch(
    /- Since .* UTC ← `Document the rest.`[\s\S]*<details>[\s\S]*: job `/,
  );
  const messages = world.ledger("queue").log.join("\n");
  expect(messages).toContain(
    'Hand over 2 tasks: "Document <b>it</b> for @octocat" and "Document the',
  );
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    for (const text of [
      run.visible.join("\n"),
      run.summary,
      world.dashboard("queue").body,
      messages,
    ]) {
      expect(text).not.toContain(id);
    }
  }
});

const INPUTS = { "tasks-file": "tasks.yml" };
const NEVER = { steering: { durationMs: null } };

test("an entry with files has a task for every per-task files, and no file gets a second task", async () => {
  const entry = (perTask: number) =>
    `- files: [docs/**, "!docs/drafts/**"]\n  per-task: ${perTask}\n  prompt: |-\n    Check:\n    {files}\n`;
  const pages = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`docs/${name}.md`, `# ${name}\n`]));
  await using world = await startWorld({ tasks: "" });
  const run = async (tasks: string, files: Record<string, string>) =>
    await world.run("queue", { workspaceFiles: { ...files, "tasks.yml": tasks }, inputs: INPUTS });
  const first = pages("a", "b", "c", "drafts/d");
  const started = await run(entry(2), first);
  expect(started.outputs).toMatchObject({ result: "started", startedCount: "2" });
  expect(started.warnings).toEqual([]);
  expect(await world.prompts()).toEqual(["Check:\ndocs/a.md\ndocs/b.md", "Check:\ndocs/c.md"]);
  // During these jobs, a page is added and per-task changes.
  const second = { ...first, ...pages("aa") };
  expect((await run(entry(3), second)).outputs).toMatchObject({ startedCount: "1" });
  expect((await world.prompts()).at(-1)).toBe("Check:\ndocs/aa.md");
  const last = await run(entry(1), second);
  expect(last.outputs).toMatchObject({ result: "finished", startedCount: "0", doneCount: "4" });
  expect(await world.prompts()).toHaveLength(3);
});

test("each pattern of an entry that matches no file is named in a warning", async () => {
  await using world = await startWorld({ tasks: "" });
  const tasks = `- files: [docs/**, "guide/**"]\n  prompt: Check {files}.\n`;
  const workspaceFiles = { "docs/a.md": "# A\n", "tasks.yml": tasks };
  const run = await world.run("queue", { workspaceFiles, inputs: INPUTS });
  expect(run.outputs).toMatchObject({ startedCount: "1" });
  expect(run.warnings.join()).toContain(
    'no file of the workspace matches "guide/**" in its `files`',
  );
});

test("three refused tasks in a row stop the queue until somebody goes on", async () => {
  const tasks = ["a", "b", "c", "d", "e"].map((id) => ({ id, prompt: "emulate: nonsense" }));
  await using world = await startWorld({ tasks: JSON.stringify(tasks) });
  const run = await world.run("queue", { inputs: { "max-running": "10" } });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: "job-failed", result: "held", startedCount: "0" });
  expect(run.outputs.errorMessage).toContain("3 requests were refused in a row");
  expect(statesIn(run).map((state) => state.slice(3))).toEqual([
    "needs-decision",
    "needs-decision",
    "needs-decision",
    "waiting",
    "waiting",
  ]);
  const held = await world.run("queue");
  expect(held.exitCode).toBe(0);
  expect(held.outputs).toMatchObject({ result: "held", waitingCount: "2" });
  expect(held.warnings.join()).toContain("3 requests were refused in a row");
  world.tasks = JSON.stringify(tasks.map(({ id }) => ({ id, prompt: `Document ${id}.` })));
  await world.tick("queue", "go-on");
  expect((await world.run("queue")).outputs).toMatchObject({
    result: "started",
    startedCount: "2",
  });
});

test("a task that runs longer than job-deadline-hours needs a decision, and the next task is started", async () => {
  await using world = await startWorld({ tasks: tasksFile("a", "b"), ...NEVER });
  const inputs = { "max-running": "1", "job-deadline-hours": "0.5" };
  await world.run("queue", { inputs });
  expect((await world.run("queue", { inputs })).outputs.result).toBe("busy");
  await world.passTime(31 * 60_000);
  const later = await world.run("queue", { inputs });
  expect(later.outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect(statesIn(later)).toEqual(["a: needs-decision", "b: running"]);
  await world.tick("queue");
  const again = await world.run("queue", { inputs: { ...inputs, "max-running": "2" } });
  expect(statesIn(again)).toEqual(["a: running", "b: running"]);
  expect(await world.prompts()).toEqual(["Document a.", "Document b.", "Document a."]);
});

test("a box for all hands over what was shown with it, and no job that came to need a decision since", async () => {
  await using world = await startWorld({ tasks: tasksFile("slow"), ...NEVER });
  await world.run("queue");
  world.tasks = tasksFile("slow", "a", "b");
  await world.service.addFault({ route: "v2-create", status: 500, times: 2 });
  await world.run("queue");
  expect(statesIn(await world.run("queue"))).toEqual([
    "slow: running",
    "a: needs-decision",
    "b: needs-decision",
  ]);
  await world.tick("queue");
  await world.passTime(25 * 60 * 60_000);
  const later = await world.run("queue");
  expect(statesIn(later)).toEqual(["slow: needs-decision", "a: running", "b: running"]);
  expect(await world.prompts()).toEqual(["Document slow.", "Document a.", "Document b."]);
});
