import { expect, test } from "vitest";
import { statesIn } from "../support/world/outputs.ts";
import { startWorld } from "../support/world/world.ts";

const FIVE = `
- id: one
  prompt: Document the first endpoint.
- id: two
  prompt: |
    Document the second endpoint.
    With examples.
- id: three
  prompt: Document the third endpoint.
- id: four
  prompt: Document the fourth endpoint.
- Document the fifth endpoint.
`;

test("several runs start all tasks of a file, and the dashboard shows the progress", async () => {
  await using world = await startWorld({ tasks: FIVE });
  const first = await world.run("queue");
  expect(first.errors).toEqual([]);
  expect(first.exitCode).toBe(0);
  expect(first.visible.join("\n")).toMatch(/no ledger at refs\S+ yet: no task has been started\./);
  expect(first.outputs).toMatchObject({
    result: "started",
    startedCount: "3",
    runningCount: "3",
    doneCount: "0",
    waitingCount: "2",
    needsDecisionCount: "0",
  });
  expect(world.dashboards("queue")).toMatchObject([{ title: "Docs queue: docs/tasks.yml" }]);
  expect(world.dashboard("queue").body).toContain("5 tasks: 3 running, 2 waiting");

  const second = await world.run("queue");
  expect(second.outputs).toMatchObject({ result: "started", startedCount: "2", doneCount: "3" });
  const third = await world.run("queue");
  expect(third.outputs).toMatchObject({ result: "finished", startedCount: "0", doneCount: "5" });
  expect(statesIn(third).slice(0, 4)).toEqual(
    ["one", "two", "three", "four"].map((id) => `${id}: done`),
  );
  const [done] = JSON.parse(third.outputs.tasks ?? "");
  expect(done).toMatchObject({ jobId: expect.any(String), prLink: expect.any(String) });
  expect(await world.prompts()).toEqual([
    "Document the first endpoint.",
    "Document the second endpoint.\nWith examples.\n",
    ...["third", "fourth", "fifth"].map((nth) => `Document the ${nth} endpoint.`),
  ]);
  expect(world.dashboard("queue").body).toMatch(
    /5 of 5 tasks done[\s\S]*## In review\n\n- \[Docs pull request #\d+\]/,
  );
});

test("one error reports every problem of the file and the inputs, and nothing is sent", async () => {
  await using world = await startWorld({
    tasks: `
- id: one
  prompt: First.
- id: one
  prompt: Second.
- ""
- id: three
  promt: Third.
`,
  });
  const refused = await world.run("queue", {
    inputs: {
      "api-key": "two words",
      "project-id": "..",
      "max-running": "101",
      "max-jobs-per-hour": "0",
      "base-url": "http://api.example",
    },
  });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  const { errorMessage = "" } = refused.outputs;
  for (const words of [
    'max-running: "101" is not allowed: it must be a whole number from 1 to 100',
    'max-jobs-per-hour: "0" is not allowed',
    "api-key: its value (not shown) is not allowed",
    'project-id: ".." is not allowed',
    'base-url: "http://api.example" is not allowed',
    'task 2 (line 4): id "one" already belongs to task 1',
    "task 3 (line 6): the prompt is empty",
    'task 4 (line 7): unknown field "promt"',
    "task 4 (line 7): prompt must be text",
  ]) {
    expect(errorMessage).toContain(words);
  }
  expect(world.received("service")).toEqual([]);
  expect(world.dashboards("queue")).toEqual([]);
});

test("the old name of `max-jobs-per-hour` is refused, and the new one is named", async () => {
  await using world = await startWorld({ tasks: '["Document it."]' });
  const { outputs } = await world.run("queue", { inputs: { "per-hour": "20" } });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(outputs.errorMessage).toContain("per-hour: its name is `max-jobs-per-hour` now.");
  expect(world.received("service")).toEqual([]);
});

test("the issue in `dashboard` becomes the dashboard, and github-token and github-api-url are used", async () => {
  await using world = await startWorld({ tasks: '["Document it."]' });
  const { url, token } = world.github;
  const run = await world.run("queue", {
    apiUrl: "http://127.0.0.1:9",
    token: "",
    inputs: { dashboard: "1", "github-token": token, "github-api-url": url },
  });
  expect(run.outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect(run.outputs.dashboardUrl).toMatch(/\/issues\/1$/);
  expect(world.dashboards("queue")).toEqual([]);
});
