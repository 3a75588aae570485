import { expect, test } from "vitest";
import { setUpQueue } from "../support/queue-setup.ts";
import { someOf } from "../support/sample.ts";

test("every problem of a file and of the inputs is told in one go, and nothing is sent", async () => {
  await using scene = await setUpQueue(`
- id: one
  prompt: First.
- id: one
  prompt: Second.
- ""
- id: three
  promt: Third.
`);
  const refused = await scene.run({ inputs: { "max-running": "101", "per-hour": "0" } });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  const { errorMessage = "" } = refused.outputs;
  for (const words of [
    'max-running: "101" is not allowed: it must be a whole number from 1 to 100',
    'per-hour: "0" is not allowed',
    'task 2 (line 4): id "one" is already used by task 1',
    "task 3 (line 6): the prompt is empty",
    'task 4 (line 7): unknown field "promt"',
    "task 4 (line 7): prompt is missing",
  ]) {
    expect(errorMessage).toContain(words);
  }
  expect(await scene.world.service.requests()).toEqual([]);
  expect(await scene.dashboards()).toEqual([]);
});

test.each(
  someOf([
    ["nothing.yml", "does not exist"],
    ["../../../outside.yml", "does not exist"],
    ["/etc/hostname", "is outside the workspace"],
    ["docs", "is not a file"],
  ]),
)("tasks-file: %j is refused", async (path, words) => {
  await using scene = await setUpQueue("[]");
  const refused = await scene.run({ inputs: { "tasks-file": path } });
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain(words);
});

test("an issue given by its number becomes the dashboard, and the token and GitHub's address are inputs", async () => {
  await using scene = await setUpQueue('["Document it."]');
  const { url, token } = scene.world.github;
  const run = await scene.run({
    apiUrl: "http://127.0.0.1:9",
    token: "",
    inputs: { dashboard: "1", "github-token": token, "github-api-url": url },
  });
  expect(run.outputs).toMatchObject({ result: "started", startedCount: "1" });
  expect(run.outputs.dashboardUrl).toMatch(/\/issues\/1$/);
  expect(await scene.dashboards()).toEqual([]);
});

test("without the permission to write the ledger nothing is sent, and the message names it", async () => {
  await using scene = await setUpQueue('["Document it."]');
  await scene.history.restrict({ issues: "read", contents: "read" });
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("github-unavailable");
  expect(refused.outputs.errorMessage).toContain("contents: write");
  expect(await scene.world.service.requests()).toEqual([]);
});
