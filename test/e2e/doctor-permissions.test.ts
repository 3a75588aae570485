import { describe, expect, test } from "vitest";
import type { Permissions } from "../../emulator/github/site.ts";
import { checksThatAre, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW, WORKFLOW_FILE } from "../support/world/workflows.ts";
import { startWorld } from "../support/world/world.ts";

const ALL = { actions: "root\nupkeep\nland\ngate\ndeploy\nqueue\ncollect\nassistant" };

describe("a permission that the token lacks", () => {
  test.each<[string, Permissions, string[]]>([
    ["contents: write", { contents: "read" }, ["upkeep", "land", "queue"]],
    [
      "issues: write",
      { issues: "read" },
      ["root", "upkeep", "land", "queue", "collect", "assistant"],
    ],
    [
      "pull-requests: write",
      { pull_requests: "read" },
      ["root", "land", "gate", "collect", "assistant"],
    ],
    ["checks: read", { checks: "none" }, ["land"]],
    ["statuses: read", { statuses: "none" }, ["land"]],
    ["statuses: write", { statuses: "read" }, ["gate"]],
    ["deployments: write", { deployments: "read" }, ["deploy"]],
    ["contents: read", { contents: "none" }, ["gate"]],
    ["pull-requests: read", { pull_requests: "none" }, ["upkeep"]],
  ])("%s is wrong for the actions that are named", async (right, permissions, actions) => {
    await using world = await startWorld(WITH_WORKFLOW);
    await world.github.restrict(permissions);
    const result = await world.run("doctor", { inputs: ALL });
    for (const action of actions) {
      const [finding, ...others] = found(result, `permissions-${action}`);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ state: "wrong", what: expect.stringContaining(right) });
      expect(finding?.advice).toContain(`\`${right}\``);
    }
    expect(result.outputs.verdict).toBe("unwell");
  });

  test("is not wrong for actions that nobody names, and no trial is made with it", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await world.github.restrict({ contents: "read", deployments: "none" });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(checksThatAre(result, "unknown")).toEqual(
      expect.arrayContaining(["permissions-upkeep", "permissions-deploy", "ledger-ref"]),
    );
    expect(found(result, "permissions-root")).toMatchObject([{ state: "fine" }]);
    expect(result.requests).not.toContain("POST /repos/acme/docs/git/trees");
  });

  test("is wrong if it leaves nothing that the token could be used for", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const none = { contents: "read", issues: "read", pull_requests: "read" } as const;
    await world.github.restrict({ ...none, deployments: "none", statuses: "read" });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["permissions"]);
  });
});

test("only the actions that are named are checked", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const result = await world.run("doctor", { inputs: { actions: "queue" } });
  const names = ["root", "upkeep", "land", "gate", "deploy", "queue"];
  const checked = names.filter((name) => found(result, `permissions-${name}`).length > 0);
  expect(checked).toEqual(["queue"]);
});

test("an action that does not exist is an invalid input, and nothing is checked", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const result = await world.run("doctor", { inputs: { actions: "upkeep\nbuild" } });
  expect(result.outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(result.outputs.errorMessage).toContain("build");
  expect(world.asked()).toEqual([]);
});

test("the setting by which workflows open no pull requests does not matter", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.switches.mayNotOpenPulls = true;
  const result = await world.run("doctor", { inputs: ALL });
  expect(checksThatAre(result, "wrong")).toEqual([]);
});

describe("the token", () => {
  test.each([
    ["that GitHub does not know", "ghs_nobodys", /GitHub returned 401/],
    ["of two lines", "ghs_a\nghs_b", /without line breaks/],
    ["that is missing", "", /empty value/],
  ])("%s is wrong, and the service is checked all the same", async (_, token, what) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const result = await world.run("doctor", { inputs: { "github-token": token } });
    expect(checksThatAre(result, "wrong")).toEqual(["github-token"]);
    expect(found(result, "github-token")).toMatchObject([{ what: expect.stringMatching(what) }]);
    expect(found(result, "project-id")).toMatchObject([{ state: "fine" }]);
  });

  test.each([
    ["single sign-on", { "x-github-sso": "required; url=https://github.com/orgs/acme/sso" }],
    ["its address", {}],
  ])("that is refused for %s is not said to lack a permission", async (words, headers) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const message = `Although you appear to have access, ${words} is not allowed.`;
    const fault = { status: 403, message, headers };
    world.github.emulated.addFault({ ...fault, method: "POST", path: "/issues$" });
    world.github.emulated.addFault({ ...fault, path: "/check-runs" });
    const result = await world.run("doctor", { inputs: ALL });
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "permissions-root")).toMatchObject([
      { state: "unknown", what: expect.stringContaining(message) },
    ]);
    expect(found(result, "permissions-land")).toMatchObject([{ state: "unknown" }]);
    expect(result.outputs.ready).toBe("true");
  });

  test("and everything else is checked, though the repository's own record fails", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.protectedRefs = "^refs/docs-agent/";
    world.github.home.workflowStates.set(WORKFLOW_FILE, "disabled_manually");
    const fault = { path: "^/repos/acme/docs$", status: 500, times: 9 };
    world.github.emulated.addFault(fault);
    const result = await world.run("doctor", { inputs: ALL });
    expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref", "schedule"]);
    expect(checksThatAre(result, "unknown")).toEqual(
      expect.arrayContaining(["github-token", "issues", "archived", "fork"]),
    );
    expect(found(result, "permissions-land")).toMatchObject([{ state: "fine" }]);
  });

  test("that is refused leaves everything on GitHub unknown", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const result = await world.run("doctor", { inputs: { "github-token": "ghs_nobodys", ...ALL } });
    expect(checksThatAre(result, "unknown")).toEqual(
      expect.arrayContaining(["issues", "schedule", "ledger", "permissions-land", "ledger-ref"]),
    );
  });

  test("is not known while GitHub fails", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.emulated.addFault({ status: 502, times: 9 });
    const result = await world.run("doctor");
    expect(found(result, "github-token")).toMatchObject([{ state: "unknown" }]);
    expect(checksThatAre(result, "wrong")).toEqual([]);
  });

  test("makes nothing unknown but what one failed request was for", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const path = "/issues$";
    world.github.emulated.addFault({ method: "POST", path, status: 500, times: 9 });
    const result = await world.run("doctor", { inputs: ALL });
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "permissions-upkeep")).toMatchObject([{ state: "unknown" }]);
    expect(found(result, "permissions-gate")).toMatchObject([{ state: "fine" }]);
  });
});

describe("the documentation's repository", () => {
  test("that the token cannot read is wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const docs = world.github.emulated.create("acme/manual");
    docs.visibility = "private";
    docs.roles.delete("github-actions[bot]");
    const result = await world.run("doctor", { inputs: { repository: "acme/manual" } });
    expect(found(result, "docs-repository")).toMatchObject([
      { state: "wrong", advice: expect.stringContaining("`github-token`") },
    ]);
  });

  test("that the token can only read is wrong for land, and unknown for others", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const docs = world.github.emulated.create("acme/manual");
    docs.roles.delete("github-actions[bot]");
    const run = (actions: string) =>
      world.run("doctor", { inputs: { repository: "acme/manual", actions } });
    expect(found(await run("land"), "docs-repository")).toMatchObject([
      { state: "wrong", what: expect.stringContaining("`contents: write`") },
    ]);
    expect(found(await run("root"), "docs-repository")).toMatchObject([{ state: "unknown" }]);
  });

  test("that is archived is wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.emulated.create("acme/manual").isArchived = true;
    const result = await world.run("doctor", { inputs: { repository: "acme/manual" } });
    expect(found(result, "docs-repository")).toMatchObject([{ state: "wrong" }]);
  });

  test("that the token can write to is fine", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.emulated.create("acme/manual");
    const result = await world.run("doctor", { inputs: { repository: "acme/manual" } });
    expect(found(result, "docs-repository")).toMatchObject([{ state: "fine" }]);
    expect(checksThatAre(result, "wrong")).toEqual([]);
  });
});
