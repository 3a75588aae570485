import { describe, expect, test } from "vitest";
import { holdRun } from "../../emulator/github/checks.ts";
import { WORKFLOW } from "../../emulator/github/people.ts";
import type { Pull } from "../../emulator/github/state.ts";
import { openDocsPull } from "../support/world/listed-pull.ts";
import { checksThatAre, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW, WORKFLOW_FILE, WORKFLOW_TEXT } from "../support/world/workflows.ts";
import { MINUTE, startWorld } from "../support/world/world.ts";

const check = (name: string, { head }: Pull) => ({ name, head_sha: head, conclusion: "success" });

describe("the agent's pull requests", () => {
  test("on which checks start are fine", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.report(check("build", await openDocsPull(world)));
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "agent-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("on which no checks start, although others have some, are wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await openDocsPull(world);
    world.github.home.report(check("build", world.github.home.openPull()));
    expect(found(await world.run("doctor"), "agent-checks")).toMatchObject([{ state: "unknown" }]);
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["agent-checks"]);
  });

  test("on which no checks start, as on all others, are fine", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await openDocsPull(world);
    world.github.home.openPull();
    await world.github.advance(10 * MINUTE);
    expect(found(await world.run("doctor"), "agent-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("on which runs wait for an approval are wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { head } = await openDocsPull(world);
    holdRun(world.github.home, { sha: head, app: WORKFLOW, event: "pull_request" });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["agent-checks"]);
    expect(found(result, "agent-checks")).toMatchObject([
      { what: expect.stringContaining("wait for somebody's approval") },
    ]);
  });

  test("whose checks the token may not read are unknown", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await openDocsPull(world);
    await world.github.restrict({ checks: "none" });
    const result = await world.run("doctor");
    expect(found(result, "agent-checks")).toMatchObject([{ state: "unknown" }]);
  });

  test("say where the documentation is, if the workflow does not", async () => {
    await using world = await startWorld({
      ...WITH_WORKFLOW,
      service: { projects: [{ id: "acme-docs", repository: "acme/manual" }] },
    });
    const { github } = world;
    const manual = github.emulated.create("acme/manual", { "docs/index.md": "# Manual\n" });
    await openDocsPull(world, manual);
    const result = await world.run("doctor");
    expect(found(result, "docs-repository")).toMatchObject([
      { state: "fine", what: expect.stringContaining("acme/manual") },
    ]);
  });
});

describe("a check that the branch requires", () => {
  test("is fine if it is made on pull requests", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.mergeRule = { checks: ["build", "legal"] };
    const pull = world.github.home.openPull();
    world.github.home.report(check("build", pull));
    await world.github.api(`/statuses/${pull.head}`, {
      method: "POST",
      body: { state: "success", context: "legal" },
    });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "required-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("is wrong if no workflow makes it", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.mergeRule = { checks: ["build", "biuld"] };
    world.github.home.report(check("build", world.github.home.openPull()));
    const young = await world.run("doctor");
    expect(found(young, "required-checks")).toMatchObject([{ state: "unknown" }]);
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["required-checks"]);
    expect(found(result, "required-checks")).toMatchObject([
      {
        what: expect.stringMatching(/requires: `biuld`\.$/),
        advice: expect.not.stringMatching(/Require no/),
      },
    ]);
  });

  test("is wrong, too, if a classic branch protection requires it", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.mergeRule = { checks: ["build", "biuld"], isClassic: true };
    world.github.home.report(check("build", world.github.home.openPull()));
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["required-checks"]);
  });

  test("is unknown if a pull request has more checks than are read", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { home } = world.github;
    home.mergeRule = { checks: ["nth-0", "nth-1000"] };
    const pull = home.openPull();
    for (let nth = 0; nth <= 1_000; nth += 1) home.report(check(`nth-${nth}`, pull));
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "required-checks")).toMatchObject([{ state: "unknown" }]);
  });

  test("is unknown if the newest pull request is from a fork, whose runs may wait for an approval", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { home } = world.github;
    home.mergeRule = { checks: ["build"] };
    const { head } = home.openPull({ author: "stranger", forkOwner: "stranger" });
    holdRun(home, { sha: head, app: WORKFLOW, event: "pull_request" });
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "required-checks")).toMatchObject([{ state: "unknown" }]);
  });

  test("is not wrong for lacking on a pull request towards another branch", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { home } = world.github;
    home.mergeRule = { checks: ["build"] };
    home.report(check("build", home.openPull()));
    home.setRef("refs/heads/v1", home.tip());
    home.openPull({ base: "v1" });
    await world.github.advance(10 * MINUTE);
    const result = await world.run("doctor");
    expect(found(result, "required-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("is unknown before the first pull request", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.mergeRule = { checks: ["build"] };
    const result = await world.run("doctor");
    expect(found(result, "required-checks")).toMatchObject([{ state: "unknown" }]);
  });
});

describe("a merge queue", () => {
  async function setUpQueue(checks: string[], text = WORKFLOW_TEXT) {
    const world = await startWorld({ files: { [WORKFLOW_FILE]: text } });
    world.github.home.mergeRule = { queue: true, checks };
    for (const name of checks) {
      const job = check(name, world.github.home.openPull());
      world.github.home.report({ ...job, app: WORKFLOW });
    }
    return world;
  }

  test("whose required checks another app makes is unknown", async () => {
    await using world = await setUpQueue(["build"]);
    const { home } = world.github;
    home.report(check("build", home.openPull()));
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "merge-queue")).toMatchObject([{ state: "unknown" }]);
  });

  test("whose required checks no workflow makes for it is wrong", async () => {
    await using world = await setUpQueue(["build"]);
    expect(checksThatAre(await world.run("doctor"), "wrong")).toEqual(["merge-queue"]);
  });

  test.each([
    ["without required checks", [], WORKFLOW_TEXT],
    [
      "with a workflow for it",
      ["build"],
      WORKFLOW_TEXT.replace(/^on:\n(?: .*\n)+/m, "on: [push, merge_group]\n"),
    ],
    [
      "with a workflow for it, in a map",
      ["build"],
      WORKFLOW_TEXT.replace("on:", "on:\n  merge_group:"),
    ],
  ])("%s is fine", async (_, checks, text) => {
    await using world = await setUpQueue(checks, text);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "merge-queue")).toMatchObject([{ state: "fine" }]);
  });

  test("with a workflow that only names it in a comment is wrong", async () => {
    const text = WORKFLOW_TEXT.replace("on:", "on: # merge_group:");
    await using world = await setUpQueue(["build"], text);
    expect(checksThatAre(await world.run("doctor"), "wrong")).toEqual(["merge-queue"]);
  });
});

test("rules that GitHub does not tell are unknown", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.emulated.addFault({ path: "/rules/branches/", status: 404 });
  const result = await world.run("doctor");
  expect(checksThatAre(result, "unknown")).toEqual(
    expect.arrayContaining(["required-checks", "merge-queue"]),
  );
});
