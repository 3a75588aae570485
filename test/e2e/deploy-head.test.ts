import { expect, test } from "vitest";
import { hangBeforeHeaders, refusal } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import type { Answer } from "../support/faulty-server.ts";
import { CREATE_DEPLOYMENT, UPDATE, WITH_BUILD } from "../support/world/builds.ts";
import { startWorld, type World } from "../support/world/world.ts";

const PREVIEW = "POST service /v1/project/preview/:id";

/** A request is answered as usual, after something has happened. */
function after(world: World, happens: () => void): Answer {
  return async (exchange) => {
    happens();
    await world.genuine.service(exchange);
  };
}

test("the deployment is on the branch's head, not on the older commit of the event", async () => {
  await using world = await startWorld();
  const { github } = world;
  const sha = github.home.tip();
  github.home.push();
  await world.run("deploy", { eventName: "push", event: { ref: "refs/heads/main" }, sha });
  expect(world.deployments()).toMatchObject([
    { sha: github.home.tip(), last: { state: "success" } },
  ]);
});

test("a pull request's head is read right before the build is asked for", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  const branch = world.pull(number).branch;
  const old = world.pull(number).head;
  await github.pushTo(number, { files: { "docs/a.md": "# B\n" } });
  const event = { number, pull_request: { number, head: { ref: branch, sha: old } } };
  const run = { eventName: "pull_request", event, inputs: { branch } };
  const { outputs } = await world.run("deploy", run);
  const { head } = world.pull(number);
  expect(head).not.toBe(old);
  expect(outputs).toMatchObject({ status: "success", commit: head });
  expect(world.deployments()).toMatchObject([{ sha: head, states: ["queued", "success"] }]);
});

test("a deployment whose head moved before the build was accepted is ended, and made anew", async () => {
  await using world = await startWorld();
  const { github } = world;
  const old = github.home.tip();
  world.on(
    "POST service /v1/project/update/:id",
    after(world, () => github.home.push()),
  );
  const { outputs } = await world.run("deploy");
  expect(outputs.commit).toBe(github.home.tip());
  expect(world.deployments().map(({ sha, states }) => [sha, states.at(-1)])).toEqual([
    [old, "inactive"],
    [github.home.tip(), "success"],
  ]);
  expect(outputs.deploymentId).toBe(String(world.deployments()[1]?.id));
});

test("a re-run ends its deployment on an older head, and never another run's", async () => {
  await using world = await startWorld();
  const { github } = world;
  const inputs = { branch: "main" };
  await world.run("deploy", { runId: "1", inputs });
  await world.run("deploy", { runId: "2", inputs });
  github.home.push();
  await world.run("deploy", { runId: "1", attempt: 2, inputs });
  expect(world.deployments().map(({ states }) => states.at(-1))).toEqual([
    "inactive",
    "success",
    "success",
  ]);
  expect(world.deployments()[2]?.sha).toBe(github.home.tip());
});

test("a head that the token may not read is a warning, and the event's commit is deployed", async () => {
  await using world = await startWorld();
  world.on(
    "GET /repos/acme/docs/branches/main",
    refusal(403, "Resource not accessible by integration"),
  );
  const sha = world.github.home.tip();
  const { warnings, exitCode } = await world.run("deploy", { sha });
  expect(exitCode).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("`contents: read`")]);
  expect(world.deployments()).toMatchObject([{ sha, last: { state: "success" } }]);
});

test("a preview without an address is followed to its end", async () => {
  await using world = await startWorld({ service: { namesPreviews: false } });
  const number = await world.github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  const { outputs, warnings, exitCode } = await world.run("deploy", { pull: number });
  expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: [] });
  expect(outputs).toMatchObject({ status: "success" });
  expect(outputs.url ?? "").toBe("");
  expect(world.received(PREVIEW)).toHaveLength(1);
  expect(world.deployments()).toMatchObject([{ last: { state: "success", environment_url: "" } }]);
});

test("the record of another build is a failed poll", async () => {
  await using world = await startWorld();
  const body = JSON.stringify({ _id: "other", status: "failure", summary: "", logs: [] });
  await world.service.addFault({ route: "update-status", status: 200, body });
  const { outputs, warnings } = await world.run("deploy");
  expect(outputs).toMatchObject({ status: "success" });
  expect(warnings[0]).toContain("a different build");
});

test("a signal before GitHub answers the creation of the deployment ends that with an error", async () => {
  await using world = await startWorld(WITH_BUILD);
  const unanswered: Answer = async (exchange) => {
    await capture(world.genuine.github, exchange);
    hangBeforeHeaders(exchange);
  };
  world.on(CREATE_DEPLOYMENT, unanswered, world.genuine.github);
  const inputs = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = world.start("deploy", { inputs });
  await world.waitForRequest(CREATE_DEPLOYMENT);
  await run.waitForOutput("statusId");
  expect(world.received(UPDATE)).toHaveLength(1);
  run.signal("SIGINT");
  const { state, outputs } = await run.result;
  expect(outputs.errorKind).toBe("cancelled");
  await world.run("deploy", { entry: "post", state, inputs });
  expect(world.deployments().map(({ states }) => states)).toEqual([["error"]]);
});
