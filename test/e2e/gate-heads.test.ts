import { expect, test } from "vitest";
import { gateComments } from "../support/world/gate.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "1\n" } }];
const PATHS = { inputs: { paths: "src/**" } };

/** Two pull requests with one head: the first one needs documentation, the second one changes nothing in its base. */
async function withOneHead(world: World) {
  const { github } = world;
  const first = await github.openPull({ commits: CODE });
  const { branch } = world.pull(first);
  github.home.setRef(
    "refs/heads/next",
    github.home.push({ files: { "src/retry.ts": "1\n" } }, "next"),
  );
  const base = "next";
  const body = { title: "The same into another base", head: branch, base };
  const { number } = await github.api<{ number: number }>("/pulls", { method: "POST", body });
  expect(world.pull(number).head).toBe(world.pull(first).head);
  return { first, second: number };
}

test("of two pull requests with one head, the second leaves the status of the first red", async () => {
  await using world = await startWorld();
  const { first, second } = await withOneHead(world);
  const inputs = { paths: "src/**" };
  await world.run("gate", { pull: first, inputs });
  const { outputs, exitCode } = await world.run("gate", { pull: second, inputs });
  expect({ exitCode, verdict: outputs.verdict }).toEqual({ exitCode: 0, verdict: "needed" });
  expect(world.statuses(first)[0]).toMatchObject({
    state: "failure",
    description: `needed (#${first} of 2 pull requests): it changes no documentation`,
  });
  await world.run("gate", { eventName: "schedule", event: {}, inputs });
  expect(world.statuses(first)[0]).toMatchObject({ state: "failure" });
});

test("once the other pull request with the same head is closed, the status is that of the one left", async () => {
  await using world = await startWorld();
  const { first, second } = await withOneHead(world);
  await world.run("gate", { pull: second, ...PATHS });
  expect(world.statuses(second)[0]).toMatchObject({ state: "failure" });
  await world.github.close(first);
  await world.run("gate", { eventName: "schedule", event: {}, ...PATHS });
  expect(world.statuses(second)[0]).toMatchObject({ state: "success" });
});

test("files are those of the head, though the pull request's list is behind", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  await world.passTime(60_000);
  const { branch } = world.pull(number);
  const base = github.home.tip();
  github.home.forcePush(base, branch, [{ files: { "src/a.ts": "1\n" } }]);
  github.emulated.lag = { files: 30_000 };
  const { outputs } = await world.run("gate", { pull: number, ...PATHS });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(world.statuses(number)[0]).toMatchObject({ state: "failure" });
});

test("a status that would say the same is not written, however often it is judged", async () => {
  await using world = await startWorld();
  const { github } = world;
  const red = await github.openPull({ commits: CODE });
  const green = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  const covered = await github.openPull({ body: "docs: none, a test", commits: CODE });
  for (let hour = 0; hour < 4; hour += 1) {
    for (const pull of [red, green, covered]) await world.run("gate", { pull, ...PATHS });
    await world.run("gate", { eventName: "workflow_dispatch", event: {}, ...PATHS });
    await world.passTime(HOUR);
  }
  for (const pull of [red, green, covered]) expect(world.statuses(pull)).toHaveLength(1);
});

test("of 60 pull requests without documentation, a sweep writes no status again, in at most 200 requests", async () => {
  await using world = await startWorld();
  const { github } = world;
  const pulls: number[] = [];
  for (let nth = 0; nth < 60; nth += 1) {
    pulls.push(await github.openPull({ commits: [{ files: { "src/a.ts": `${nth}\n` } }] }));
  }
  const inputs = { ...PATHS.inputs, comment: "false" };
  const sweep = { eventName: "schedule", event: {}, inputs };
  let before = 0;
  for (let hour = 0; hour < 4; hour += 1) {
    const { toGitHub } = await world.run("gate", sweep);
    expect(toGitHub.length).toBeLessThanOrEqual(200);
    before = github.home.statuses.length;
    await world.passTime(HOUR);
  }
  expect(before).toBe(60);
  expect(pulls.map((pull) => world.statuses(pull).length)).toEqual(Array(60).fill(1));
});

test("a pull request that is a draft has its status, and no comment until it is ready", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await github.openPull({ isDraft: true, commits: CODE });
  await github.review(number, "APPROVE");
  const inputs = { paths: "src/**", draft: "approved" };
  const { outputs } = await world.run("gate", { pull: number, inputs });
  expect(outputs).toMatchObject({ verdict: "needed", commentUrl: "" });
  expect(world.statuses(number)).toMatchObject([{ state: "failure" }]);
  expect(gateComments(world, number)).toEqual([]);
  expect(await world.prompts()).toEqual([]);
  github.home.change(world.pull(number), { isDraft: false });
  const ready = await world.run("gate", { pull: number, inputs });
  expect(ready.outputs).toMatchObject({ verdict: "covered" });
});

test("the old name of `if-needed: error` is refused, and the new one is named", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  const { outputs } = await world.run("gate", { pull: number, inputs: { "if-needed": "fail" } });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(outputs.errorMessage).toContain("if-needed: fail is not allowed: it must be error");
});

test("the output `reason` has the code of the verdict and its words", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ labels: ["skip-docs"], commits: CODE });
  const { outputs } = await world.run("gate", { pull: number, ...PATHS });
  expect(JSON.parse(outputs.reason ?? "")).toEqual({ code: "label", text: "label skip-docs" });
});
