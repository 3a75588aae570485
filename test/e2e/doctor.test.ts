import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { checksThatAre, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW, WORKFLOW_FILE, WORKFLOW_TEXT } from "../support/world/workflows.ts";
import { startWorld } from "../support/world/world.ts";

test("a healthy set-up is healthy, and nothing of the trials is left", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const { home } = world.github;
  const before = { refs: [...home.refs], issues: home.issues.size };
  const result = await world.run("doctor");
  expect(result.errors).toEqual([]);
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(result.outputs).toMatchObject({ verdict: "healthy", ready: "true" });
  expect(result.exitCode).toBe(0);
  expect({ refs: [...home.refs], issues: home.issues.size }).toEqual(before);
  expect(home.statuses).toEqual([]);
  expect(home.deployments).toEqual([]);
  expect(await world.service.jobs()).toEqual([]);
});

/** Everything that a run can have to ask about. */
async function setUpLargest() {
  const world = await startWorld({
    ...WITH_WORKFLOW,
    service: { projects: [{ id: "acme-docs", repository: "acme/manual" }] },
  });
  const { home } = world.github;
  const manual = world.github.emulated.create("acme/manual", { "docs/index.md": "# Manual\n" });
  manual.mergeRule = { queue: true, checks: ["build"] };
  manual.openPull();
  const second = ".github/workflows/second.yml";
  const third = ".github/workflows/third.yml";
  home.push({ files: { [second]: WORKFLOW_TEXT, [third]: WORKFLOW_TEXT } });
  const since = home.tip();
  home.land({ title: "Add retries" }, "squash");
  for (const name of ["a", "b", "c"]) {
    await world.run("upkeep", { inputs: { since, name } });
    home.setRef(`refs/docs-agent/doctor/${name}`, home.tip());
  }
  await world.service.untilJobsEnd();
  return world;
}

test("no run makes more than 40 requests", async () => {
  await using world = await setUpLargest();
  const { assistantKey, domain } = world.service;
  const result = await world.run("doctor", {
    inputs: { "assistant-api-key": assistantKey, domain },
  });
  expect(result.requests.length).toBeGreaterThan(30);
  expect(result.requests.length).toBeLessThanOrEqual(40);
  expect(found(result, "docs-repository")).toMatchObject([{ state: "fine" }]);
  expect(found(result, "merge-queue")).toMatchObject([{ state: "wrong" }]);
});

test("everything that is wrong is reported at once, in the log, the summary and the output", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const { home } = world.github;
  home.hasIssues = false;
  home.protectedRefs = "^refs/docs-agent/";
  home.workflowStates.set(WORKFLOW_FILE, "disabled_inactivity");
  await world.github.restrict({ statuses: "read" });
  const result = await world.run("doctor", {
    inputs: { "api-key": "mint_other", actions: "upkeep\ngate" },
  });
  const expected = ["api-key", "permissions-gate", "ledger-ref", "issues", "schedule"];
  expect(checksThatAre(result, "wrong")).toEqual(expected);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(2);
  expect(result.warnings).toHaveLength(3);
  expect(result.summary).toContain("### ❌ Docs doctor: 5 things to correct");
  for (const check of expected) expect(result.summary).toContain(`- ❌ **${check}**`);
  expect(result.outputs).toMatchObject({ verdict: "unwell", ready: "false" });
  expect(result.outputs).not.toHaveProperty("errorKind");
});

test("more than eight errors are one that counts the others, and all are in the summary", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.hasIssues = false;
  world.github.home.workflowStates.set(WORKFLOW_FILE, "disabled_manually");
  const none = { contents: "read", issues: "read", pull_requests: "read" } as const;
  await world.github.restrict({ ...none, deployments: "read", statuses: "read" });
  const actions = "root\nupkeep\nland\ngate\ndeploy\nqueue\ncollect\nassistant";
  const result = await world.run("doctor", {
    inputs: { "api-key": "", "project-id": "", actions },
  });
  expect(checksThatAre(result, "wrong")).toHaveLength(12);
  expect(result.errors).toHaveLength(8);
  expect(result.errors.at(-1)).toContain("3 more findings");
  for (const check of checksThatAre(result, "wrong")) expect(result.summary).toContain(check);
});

test("GitHub's address can be given", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const apiUrl = "http://127.0.0.1:9";
  const inputs = { "github-api-url": world.github.url };
  const result = await world.run("doctor", { apiUrl, inputs });
  expect(result.outputs.verdict).toBe("healthy");
  const elsewhere = await world.run("doctor", { apiUrl });
  expect(found(elsewhere, "github-token")).toMatchObject([{ state: "unknown" }]);
});

test("the metadata declares every output", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const { outputs } = readActionMetadata(`${REPOSITORY_ROOT}/doctor`);
  const result = await world.run("doctor");
  expect(outputs).toEqual(expect.arrayContaining(Object.keys(result.outputs)));
});
