import { describe, expect, test } from "vitest";
import { DRAFTS, gateComments } from "../support/world/gate.ts";
import { askByPhrase } from "../support/world/requests.ts";
import { startWorld } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "1\n" } }];

test("a pull request and its review have one status, and the newest verdict counts", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  await world.run("gate", { pull: number, ...DRAFTS });
  await world.github.review(number, "APPROVE");
  await world.run("gate", { pull: number, ...DRAFTS, eventName: "pull_request_review" });
  expect(world.statuses(number)).toMatchObject([
    {
      state: "success",
      context: "docs gate",
      description: expect.stringContaining("covered by a docs job"),
    },
    { state: "failure", context: "docs gate" },
  ]);
});

test("status-name is the status's name, and if-needed: warn makes it green", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  const inputs = { "status-name": "docs/api", "if-needed": "warn", comment: "false" };
  await world.run("gate", { pull: number, inputs });
  expect(world.statuses(number)).toMatchObject([
    {
      state: "success",
      context: "docs/api",
      description: "needed (only a warning): it changes no documentation",
      target_url: expect.stringContaining("/actions/runs/"),
    },
  ]);
});

describe("a token that may not write statuses", () => {
  test("falls back to the step's result, with a warning", async () => {
    await using world = await startWorld();
    const number = await world.github.openPull({ commits: CODE });
    await world.github.restrict({ statuses: "read" });
    const red = await world.run("gate", { pull: number });
    expect(red).toMatchObject({ exitCode: 1, outputs: { verdict: "needed" } });
    expect(red.errors).toHaveLength(1);
    expect(red.warnings).toEqual([
      "The status could not be set: GitHub returned 403 (`Resource not accessible by integration`): the token needs the permission `statuses: write`. The step's result shows the verdict instead.",
    ]);
    await world.github.label(number, "skip-docs");
    expect(await world.run("gate", { pull: number })).toMatchObject({ exitCode: 0, errors: [] });
    expect(world.statuses(number)).toEqual([]);
  });

  test("ends a run for a comment with an error, as its result is not a check on the pull request", async () => {
    await using world = await startWorld();
    const number = await world.github.openPull({ commits: CODE });
    await world.github.restrict({ statuses: "read" });
    const event = { action: "created", issue: { number, pull_request: {} } };
    const { outputs } = await world.run("gate", {
      pull: number,
      eventName: "issue_comment",
      event,
    });
    expect(outputs).toMatchObject({ errorKind: "github-refused" });
    expect(outputs.errorMessage).toContain("`statuses: write`");
  });
});

test("a comment on a pull request is judged at once, a comment on an issue never", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await world.github.openPull({ commits: CODE });
  await world.run("gate", { pull: number });
  const body = { body: "docs: none, it only moves code" };
  const token = github.tokenOf("writer");
  await github.api(`/issues/${number}/comments`, { method: "POST", token, body });
  const event = { action: "created", issue: { number, pull_request: {} } };
  const run = await world.run("gate", { pull: number, eventName: "issue_comment", event });
  expect(run.outputs).toMatchObject({ verdict: "excused" });
  expect(world.statuses(number)[0]).toMatchObject({
    state: "success",
    description: "excused by writer: it only moves code",
  });
  const onIssue = { action: "created", issue: { number: 4711 } };
  const none = await world.run("gate", {
    pull: number,
    eventName: "issue_comment",
    event: onIssue,
  });
  expect(none).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
});

test("a key that is refused replaces an earlier status by an error", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  await askByPhrase(world, number, "/docs Describe it.");
  await world.run("gate", { pull: number });
  await world.service.addFault({ route: "v2-get", status: 401 });
  const { outputs, exitCode } = await world.run("gate", { pull: number });
  expect(outputs).toMatchObject({ errorKind: "unauthorized" });
  expect(exitCode).toBe(1);
  expect(world.statuses(number)).toMatchObject([
    { state: "error", description: "could not be judged: the key was not accepted" },
    { state: "success" },
  ]);
});

test("on a schedule, a key that is refused leaves no status green that needs it, and the others are judged", async () => {
  await using world = await startWorld();
  const asked = [
    await world.github.openPull({ commits: CODE }),
    await world.github.openPull({ commits: CODE }),
  ];
  for (const number of asked) {
    await askByPhrase(world, number, "/docs Describe it.");
    await world.run("gate", { pull: number });
  }
  const other = await world.github.openPull({ commits: CODE });
  await world.service.addFault({ route: "v2-get", status: 401, times: 2 });
  const { outputs } = await world.run("gate");
  expect(outputs).toMatchObject({ errorKind: "unauthorized" });
  const states = [...asked, other].map((number) => world.statuses(number)[0]?.state);
  expect(states).toEqual(["error", "error", "failure"]);
});

test("if GitHub does not set the status, the step fails with github-unavailable", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  world.github.emulated.addFault({ status: 502, path: "/statuses/", times: 4 });
  const { outputs, exitCode } = await world.run("gate", { pull: number });
  expect(outputs).toMatchObject({ errorKind: "github-unavailable" });
  expect(outputs.errorMessage).toBe(
    "The status could not be set: GitHub returned 502. Run the job again.",
  );
  expect(exitCode).toBe(1);
});

describe.for(["schedule", "workflow_run", "workflow_dispatch"])("on %s", (eventName) => {
  test("open pull requests are judged, and a job that has failed meanwhile is seen", async () => {
    await using world = await startWorld();
    const { service } = world;
    const forked = await world.github.openPull({ author: "outsider", commits: CODE });
    const asked = await world.github.openPull({ commits: CODE });
    const green = await world.github.openPull({ labels: ["skip-docs"], commits: CODE });
    const run = await askByPhrase(world, asked, "/docs emulate: duration=10m", {
      inputs: { wait: "false" },
    });
    await world.run("gate", { pull: asked });
    await world.passTime(3_600_000);
    await world.run("gate", { pull: green });
    await service.setJob(run.outputs.jobId ?? "", { status: "failed" });
    const swept = await world.run("gate", { pull: asked, eventName, event: {} });
    expect(swept).toMatchObject({ exitCode: 0, outputs: { verdict: "needed" } });
    expect(world.statuses(forked)).toMatchObject([{ state: "failure" }]);
    expect(world.statuses(asked)).toMatchObject([
      { state: "failure", description: expect.stringContaining("failed") },
      { state: "success" },
    ]);
    expect(gateComments(world, forked)).toHaveLength(1);
    expect(world.statuses(green)).toHaveLength(1);
    const before = world.github.home.statuses.length;
    await world.run("gate");
    expect(world.github.home.statuses).toHaveLength(before);
  });
});

test("a pull request that cannot be judged keeps none of the others from its status", async () => {
  await using world = await startWorld();
  const first = await world.github.openPull({ commits: CODE });
  const second = await world.github.openPull({ commits: CODE });
  world.github.home.switches.unresolvable.add(first);
  const { outputs } = await world.run("gate");
  expect(outputs).toMatchObject({ errorKind: "github-unavailable", verdict: "needed" });
  expect(outputs.errorMessage).toContain(
    `1 pull request could not be judged, for example #${first}`,
  );
  expect(world.statuses(first)).toEqual([]);
  expect(world.statuses(second)).toMatchObject([{ state: "failure" }]);
});
