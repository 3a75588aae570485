import { expect, test } from "vitest";
import { refusedUrl } from "../support/connections.ts";
import { setUpQueue, statesIn } from "../support/queue-setup.ts";
import { someOf } from "../support/sample.ts";

const OLD_KEY = "mint_local_admin_key";
const NEW_KEY = "mint_rotated_key";

function list(...ids: string[]): string {
  return JSON.stringify(ids.map((id) => ({ id, prompt: `Document ${id}.` })));
}

/** The emulated service refuses an option that it does not know. */
const BAD = { id: "bad", prompt: "emulate: nonsense" };

test("a task that the service refuses needs a decision, and the others go on", async () => {
  await using scene = await setUpQueue(
    JSON.stringify([{ id: "a", prompt: "A." }, BAD, { id: "b", prompt: "B." }]),
  );
  const first = await scene.run();
  expect(first.exitCode).toBe(0);
  expect(first.warnings.join()).toContain('The service refused task "bad"');
  expect(first.outputs).toMatchObject({ result: "started", startedCount: "2" });
  expect(statesIn(first)).toEqual(["a: running", "bad: needs-decision", "b: running"]);
  const second = await scene.run();
  expect(second.outputs).toMatchObject({
    ...{ result: "finished", doneCount: "2", needsDecisionCount: "1" },
  });
  expect(await scene.prompts()).toEqual(["A.", "B."]);
  expect(await scene.body()).toMatch(/## Needs a decision[\s\S]*`bad`[\s\S]*refused/);
  // A tick sends the prompt as it is now.
  scene.tasks = JSON.stringify([
    { id: "a", prompt: "A." },
    { id: "bad", prompt: "Good." },
  ]);
  await scene.tick();
  expect((await scene.run()).outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect((await scene.run()).outputs).toMatchObject({ result: "finished", doneCount: "2" });
  expect(await scene.prompts()).toEqual(["A.", "B.", "Good."]);
});

test("what the service may have received needs a decision, fails the step once, and is never sent again by itself", async () => {
  await using scene = await setUpQueue(list("a", "b"), {
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  const first = await scene.run();
  expect(first.exitCode).toBe(1);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", startedCount: "0" });
  expect(statesIn(first)).toEqual(["a: needs-decision", "b: waiting"]);
  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
  expect(statesIn(await scene.run())).toEqual(["a: needs-decision", "b: done"]);
  await scene.tick();
  expect((await scene.run()).outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect((await scene.run()).outputs).toMatchObject({ result: "finished" });
  expect(await scene.prompts()).toEqual(["Document b.", "Document a."]);
});

test("a failed job's task is handed over again until `max-attempts`, then needs a decision", async () => {
  await using scene = await setUpQueue(list("a"), {
    steering: { durationMs: 0, outcome: "failed" },
  });
  const inputs = { "max-attempts": "2" };
  await scene.run({ inputs });
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "started" });
  const third = await scene.run({ inputs });
  expect(third.outputs).toMatchObject({ result: "finished", needsDecisionCount: "1" });
  expect(await scene.body()).toMatch(/Handed over 2 times/i);
  expect(await scene.prompts()).toHaveLength(2);
});

test.each(
  someOf([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
    [409, "bad-request"],
  ]),
)(
  "what the service refuses with %i, whatever the task, fails the step, and the tasks wait",
  async (status, kind) => {
    await using scene = await setUpQueue(list("a", "b"), {
      service: { faults: [{ route: "v2-create", status }] },
    });
    const refused = await scene.run();
    expect(refused.exitCode).toBe(1);
    expect(refused.outputs).toMatchObject({ errorKind: kind, result: "", waitingCount: "2" });
    expect(await scene.prompts()).toEqual([]);
    expect((await scene.run()).outputs).toMatchObject({ result: "started", startedCount: "2" });
  },
);

test("after a rotation of the key the queue goes on", async () => {
  await using scene = await setUpQueue(list("a", "b", "c", "d"), {
    service: { keys: [{ secret: OLD_KEY }, { secret: NEW_KEY }] },
  });
  await scene.run();
  expect((await scene.run({ inputs: { "api-key": NEW_KEY } })).outputs).toMatchObject({
    doneCount: "3",
    startedCount: "1",
  });
  const last = await scene.run({ inputs: { "api-key": NEW_KEY } });
  expect(last.outputs).toMatchObject({ result: "finished", doneCount: "4" });
  expect(await scene.prompts()).toHaveLength(4);
});

test.each(
  someOf([
    ["an emptied text", () => ""],
    ["an edited text", (body: string) => body.replace("4 of 4", "9 of 9")],
  ]),
)("%s of the dashboard is written anew, and nothing is sent twice", async (_, edit) => {
  await using scene = await setUpQueue(list("a", "b", "c", "d"));
  for (let run = 1; run <= 3; run += 1) await scene.run();
  await scene.editDashboard({ body: edit(await scene.body()) });
  const run = await scene.run();
  expect(run.errors).toEqual([]);
  expect(run.outputs).toMatchObject({ result: "finished", doneCount: "4" });
  expect(await scene.body()).toContain("4 of 4 tasks done");
  expect(await scene.prompts()).toHaveLength(4);
});

test.each(someOf([2, 5]))(
  "%i runs at once start each task once",
  async (count) => {
    await using scene = await setUpQueue(list("a", "b", "c", "d"));
    const runs = await Promise.all(
      Array.from({ length: count }, () => scene.run({ limitMs: 60_000 })),
    );
    for (const { exitCode, outputs, errors } of runs) {
      expect(errors).toEqual([]);
      expect(exitCode).toBe(0);
      expect(["started", "busy", "idle"]).toContain(outputs.result);
    }
    for (let run = 1; run <= 4; run += 1) await scene.run();
    expect((await scene.prompts()).toSorted()).toEqual(
      ["a", "b", "c", "d"].map((id) => `Document ${id}.`),
    );
    expect((await scene.dashboards()).filter(({ state }) => state === "open")).toHaveLength(1);
  },
  90_000,
);

test("a service that cannot be reached fails the step, and the tasks go out with the next run", async () => {
  await using scene = await setUpQueue(list("a"));
  const inputs = { "base-url": await refusedUrl() };
  const refused = await scene.run({ inputs, fastClock: 20 });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs).toMatchObject({ errorKind: "service-unavailable", waitingCount: "1" });
  expect((await scene.run()).outputs).toMatchObject({ result: "started", startedCount: "1" });
});
