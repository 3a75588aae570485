import { describe, expect, test } from "vitest";
import { checksThatAre, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW, WORKFLOW_FILE, WORKFLOW_TEXT } from "../support/world/workflows.ts";
import { DAY, startWorld } from "../support/world/world.ts";

test("Issues that are disabled are wrong", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.hasIssues = false;
  const result = await world.run("doctor");
  expect(checksThatAre(result, "wrong")).toEqual(["issues"]);
  expect(found(result, "permissions-upkeep")).toMatchObject([{ state: "fine" }]);
  expect(result.outputs).toMatchObject({ verdict: "unwell", ready: "true" });
});

test("what only other actions need is not wrong", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.hasIssues = false;
  world.github.home.protectedRefs = "^refs/docs-agent/";
  const result = await world.run("doctor", { inputs: { actions: "deploy" } });
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(result.requests).not.toContain("POST /repos/acme/docs/git/trees");
});

test("a repository of documentation that the token cannot read is not wrong for a job that may only deploy", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const docs = world.github.emulated.create("acme/manual");
  docs.visibility = "private";
  docs.roles.delete("github-actions[bot]");
  await world.github.restrict({ issues: "none", pull_requests: "read", statuses: "read" });
  world.github.home.protectedRefs = "^refs/docs-agent/";
  const result = await world.run("doctor", { inputs: { repository: "acme/manual" } });
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(found(result, "docs-repository")).toMatchObject([{ state: "unknown" }]);
  expect(result.outputs).toMatchObject({ verdict: "healthy", ready: "true" });
});

test("an archived repository is wrong, and no permission is tried in it", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.isArchived = true;
  const result = await world.run("doctor");
  expect(checksThatAre(result, "wrong")).toEqual(["archived"]);
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "unknown" }]);
});

test("a fork is wrong", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const { github } = world;
  github.emulated.fork(world.github.home, "writer/docs");
  const result = await world.run("doctor", { repository: "writer/docs" });
  expect(checksThatAre(result, "wrong")).toEqual(["fork"]);
});

test("documentation that nothing names has an unknown place", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const place = async (inputs: Record<string, string>) =>
    found(await world.run("doctor", { inputs }), "visibility");
  expect(await place({})).toMatchObject([{ state: "unknown" }]);
  expect(await place({ repository: "acme/docs" })).toMatchObject([{ state: "fine" }]);
});

test.each([
  ["public", "private", "wrong"],
  ["private", "public", "fine"],
  ["private", "private", "fine"],
] as const)(
  "of a %s repository and %s documentation, the visibility is %s",
  async (own, docs, state) => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.visibility = own;
    world.github.emulated.create("acme/manual").visibility = docs;
    const result = await world.run("doctor", { inputs: { repository: "acme/manual" } });
    expect(found(result, "visibility")).toMatchObject([{ state }]);
  },
);

describe("the workflow", () => {
  test("whose file is not on the default branch is wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const other = ".github/workflows/other.yml";
    world.github.home.push({ files: { [WORKFLOW_FILE]: null, [other]: "on: push\n" } });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["workflow-file"]);
  });

  test.each([
    ["disabled_inactivity", /60 days/],
    ["disabled_manually", /somebody disabled it/],
    ["disabled_fork", /fork/],
  ])("whose schedule is %s is wrong", async (state, what) => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.workflowStates.set(WORKFLOW_FILE, state);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["schedule"]);
    expect(found(result, "schedule")).toMatchObject([
      {
        what: expect.stringMatching(what),
        advice: expect.stringContaining("gh workflow enable docs.yml"),
      },
    ]);
  });

  test.each([
    ["failure", "wrong"],
    ["startup_failure", "wrong"],
    ["success", "fine"],
    ["cancelled", "fine"],
  ])("whose last scheduled run ended with %s is %s", async (conclusion, state) => {
    await using world = await startWorld(WITH_WORKFLOW);
    const at = Date.now();
    const path = WORKFLOW_FILE;
    world.github.home.scheduledRuns.push({ id: 1, path, conclusion: "success", at: at - DAY });
    world.github.home.scheduledRuns.push({ id: 2, path, conclusion, at });
    const result = await world.run("doctor");
    expect(found(result, "schedule")).toMatchObject([{ state }]);
    expect(result.outputs.findings?.includes("/actions/runs/2")).toBe(state === "wrong");
  });

  test("that are more than the two whose runs are read still have a state each", async () => {
    const others = ["a", "b", "c"].map((name) => `.github/workflows/${name}.yml`);
    await using world = await startWorld({
      files: Object.fromEntries([WORKFLOW_FILE, ...others].map((path) => [path, WORKFLOW_TEXT])),
    });
    world.github.home.workflowStates.set(WORKFLOW_FILE, "disabled_manually");
    const schedules = found(await world.run("doctor"), "schedule");
    expect(schedules.map(({ state }) => state)).toEqual(["wrong", "unknown", "unknown", "unknown"]);
    expect(schedules.filter(({ what }) => what.includes("too new"))).toHaveLength(2);
  });

  test("whose last scheduled run failed is wrong, whatever said nothing since", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const at = Date.now();
    const path = WORKFLOW_FILE;
    const runs = world.github.home.scheduledRuns;
    for (let id = 1; id <= 29; id += 1) runs.push({ id, path, conclusion: "failure", at });
    runs.push({ id: 30, path, conclusion: "skipped", at });
    runs.push({ id: 31, path, conclusion: null, at });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["schedule"]);
    expect(result.outputs.findings).toContain("/actions/runs/29");
  });

  test("whose runs never came is wrong, once three of them were due", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    expect(found(await world.run("doctor"), "schedule")).toMatchObject([{ state: "unknown" }]);
    await world.github.advance(40 * DAY);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual(["schedule"]);
    expect(found(result, "schedule")).toMatchObject([
      { what: expect.stringContaining("no run came") },
    ]);
  });

  test("that was enabled after 60 quiet days is not yet known to run", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { home } = world.github;
    home.workflowStates.set(WORKFLOW_FILE, "disabled_inactivity");
    await world.github.advance(70 * DAY);
    const [disabled] = found(await world.run("doctor"), "schedule");
    expect(disabled?.what).toMatch(/neither its schedule nor what comments .* stays \*Expected\*/);
    home.workflowStates.delete(WORKFLOW_FILE);
    home.workflowsEnabledAt.set(WORKFLOW_FILE, home.site.now);
    expect(found(await world.run("doctor"), "schedule")).toMatchObject([{ state: "unknown" }]);
  });

  test("whose file is longer than what is read has unknown triggers", async () => {
    const text = `${WORKFLOW_TEXT}${"#".repeat(100_000)}\n`;
    await using world = await startWorld({ files: { [WORKFLOW_FILE]: text } });
    const result = await world.run("doctor");
    expect(found(result, "schedule")).toMatchObject([
      { state: "unknown", what: expect.stringContaining(WORKFLOW_FILE) },
    ]);
  });

  test("that runs doctor has a schedule to check, whatever its steps are called", async () => {
    const text = WORKFLOW_TEXT.replace("docs-agent-action", "copy");
    await using world = await startWorld({ files: { [WORKFLOW_FILE]: text } });
    world.github.home.workflowStates.set(WORKFLOW_FILE, "disabled_manually");
    expect(checksThatAre(await world.run("doctor"), "wrong")).toEqual(["schedule"]);
  });

  test("whose runs the token may not read has an unknown schedule", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    await world.github.restrict({ actions: "none" });
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "schedule")).toMatchObject([
      { state: "unknown", advice: expect.stringContaining("`actions: read`") },
    ]);
  });
});

describe("upkeep's ledger", () => {
  async function setUpLedgerOfUpkeep() {
    const world = await startWorld(WITH_WORKFLOW);
    const first = world.github.home.tip();
    world.github.home.land({ title: "Add retries" }, "squash");
    const upkeep = await world.run("upkeep", { inputs: { since: first } });
    expect(upkeep.outputs.result).toBe("started");
    return world;
  }

  test("that has been silent for 30 days although changes were merged is wrong", async () => {
    await using world = await setUpLedgerOfUpkeep();
    await world.github.advance(20 * DAY);
    world.github.home.land({ title: "Add timeouts" }, "squash");
    await world.github.advance(11 * DAY);
    const result = await world.run("doctor");
    expect(checksThatAre(result, "wrong")).toContain("ledger");
    expect(found(result, "ledger")).toMatchObject([
      { what: expect.stringContaining("for 31 days") },
    ]);
  });

  test("whose dashboard somebody closed is paused, not wrong", async () => {
    await using world = await setUpLedgerOfUpkeep();
    const { home } = world.github;
    const dashboard = [...home.issues.values()].find(({ title }) => title === "Docs upkeep");
    if (dashboard === undefined) throw new Error("no dashboard");
    await world.github.advance(31 * DAY);
    home.push();
    const inputs = { actions: "upkeep" };
    const findings = async () => found(await world.run("doctor", { inputs }), "ledger");
    home.setState(dashboard, "closed", "maintainer");
    expect(await findings()).toMatchObject([
      { state: "fine", what: expect.stringContaining("paused") },
    ]);
    home.setState(dashboard, "open", "maintainer");
    expect(await findings()).toMatchObject([{ state: "wrong" }]);
    home.setState(dashboard, "closed", "github-actions[bot]");
    expect(await findings()).toMatchObject([{ state: "wrong" }]);
    await world.github.restrict({ issues: "none" });
    expect(await findings()).toMatchObject([{ state: "unknown" }]);
  });

  test.each([
    ["after which nothing changed", 31, 0],
    ["of the last days", 10, 2],
  ])("%s is fine", async (_, days, changes) => {
    await using world = await setUpLedgerOfUpkeep();
    await world.github.advance(days * DAY);
    for (let nth = 0; nth < changes; nth += 1) world.github.home.push();
    const result = await world.run("doctor");
    expect(found(result, "ledger")).toMatchObject([{ state: "fine" }]);
  });

  test("whose source is not found is unknown", async () => {
    await using world = await setUpLedgerOfUpkeep();
    await world.github.advance(31 * DAY);
    const fault = { path: "/commits/main\\?", status: 404, times: 9 };
    world.github.emulated.addFault(fault);
    const result = await world.run("doctor");
    expect(found(result, "ledger")).toMatchObject([{ state: "unknown" }]);
  });
});
