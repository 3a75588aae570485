import { expect, test } from "vitest";
import { closeAfterRequest, hangBeforeHeaders, json, refusal } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import { issueComment } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { GONE_AFTER } from "../support/grace.ts";
import {
  BUILD,
  build,
  CREATE_DEPLOYMENT,
  DEPLOYMENT_STATUS,
  onPull,
  PREVIEW_URL,
  WITH_BUILD,
} from "../support/world/builds.ts";
import { editComment } from "../support/world/comments.ts";
import { CREATE_COMMENT } from "../support/world/conversation.ts";

import { startWorld, type World } from "../support/world/world.ts";

const SLOW = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

/** GitHub does the work, but the answer is lost. */
function lost({ genuine }: World): Answer {
  return async (exchange) => {
    await capture(genuine.github, exchange);
    closeAfterRequest(exchange);
  };
}

test("without the permission, there is one warning, and the build counts all the same", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(CREATE_DEPLOYMENT, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("`deployments: write`")]);
  expect(result.outputs).toMatchObject({ status: "success", deploymentId: "" });
  expect(world.received(CREATE_DEPLOYMENT)).toHaveLength(1);
});

test("a commit that GitHub does not know is one warning, with GitHub's words", async () => {
  await using world = await startWorld(WITH_BUILD);
  const event = { action: "released", release: { tag_name: "v1" } };
  const sha = "e".repeat(40);
  const result = await world.run("deploy", { eventName: "release", event, sha });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("No ref found for: eeee")]);
});

test("a deployment whose creation was not answered is found again, and made only once", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(CREATE_DEPLOYMENT, lost(world), world.genuine.github);
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(world.deployments()).toHaveLength(1);
  expect(world.deployments()[0]?.states.at(-1)).toBe("success");
  expect(result.outputs.deploymentId).toBe(String(world.deployments()[0]?.id));
});

test("if GitHub fails once at the end, the last status is written all the same", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(BUILD, json(200, build("failure")));
  const genuine = world.genuine.github;
  world.on(DEPLOYMENT_STATUS, genuine, refusal(502, "Bad gateway"), genuine);
  const result = await world.run("deploy");
  expect(result.outputs.errorKind).toBe("build-failed");
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "failure"]]);
});

test("if GitHub fails for longer, the post step writes the run's last status", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(BUILD, json(200, build("success")));
  const bad = refusal(502, "Bad gateway");
  world.on(DEPLOYMENT_STATUS, world.genuine.github, bad);
  const main = await world.run("deploy");
  expect(main.exitCode).toBe(0);
  expect(main.warnings).toEqual([expect.stringContaining("GitHub returned 502")]);
  world.on(DEPLOYMENT_STATUS, world.genuine.github);
  const post = await world.run("deploy", { entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "success"]]);
});

test("a re-run uses the deployment of the earlier attempt, and never another run's", async () => {
  await using world = await startWorld(WITH_BUILD);
  await world.run("deploy", { runId: "1" });
  await world.run("deploy", { runId: "2" });
  world.on(BUILD, json(200, build("failure")));
  await world.run("deploy", { runId: "1", attempt: 2 });
  expect(
    world
      .deployments()
      .map(({ states }) => states)
      .map((states) => states.at(-1)),
  ).toEqual(["failure", "success"]);
});

test("two projects that one job builds have a deployment each, in every attempt", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on("POST service /v1/project/update/other", json(202, { statusId: "build_1" }));
  for (const attempt of [1, 2]) {
    await world.run("deploy", { attempt });
    await world.run("deploy", { attempt, inputs: { "project-id": "other" } });
  }
  expect(world.deployments()).toHaveLength(2);
});

test("a comment on a pull request deploys its head", async () => {
  await using world = await startWorld(WITH_BUILD);
  const pull = { head: { sha: world.github.home.tip() } };
  world.on("GET /repos/octo/docs/pulls/7", json(200, pull));
  const result = await world.run("deploy", { ...issueComment(7, 1, true), sha: "f".repeat(40) });
  expect(result.warnings).toEqual([]);
  expect(world.deployments().map(({ sha }) => sha)).toEqual([world.github.home.tip()]);
});

test("after the run of a pull request, its head is deployed", async () => {
  await using world = await startWorld(WITH_BUILD);
  const workflow_run = { event: "pull_request", head_sha: world.github.home.tip() };
  const event = { action: "completed", workflow_run };
  await world.run("deploy", { eventName: "workflow_run", event, sha: "f".repeat(40) });
  expect(world.deployments().map(({ sha }) => sha)).toEqual([world.github.home.tip()]);
});

test("with environment: none, GitHub is asked for nothing", async () => {
  await using world = await startWorld(WITH_BUILD);
  const result = await world.run("deploy", { inputs: { environment: "none" } });
  expect(result.exitCode).toBe(0);
  expect(world.received("github")).toEqual([]);
});

test("the token and the address of GitHub are those of the inputs", async () => {
  await using world = await startWorld(WITH_BUILD);
  const inputs = { "github-token": "ghs_other", "github-api-url": `${world.github.url}/api` };
  await world.run("deploy", { inputs });
  const [request] = world.received(CREATE_DEPLOYMENT.replace(" ", " /api"));
  expect(request?.path).toBe("/api/repos/octo/docs/deployments");
  expect(request?.headers.authorization).toContain("ghs_other");
});

test("a signal ends the run in time, and the deployment with an error", async () => {
  await using world = await startWorld(WITH_BUILD);
  const run = world.start("deploy", { inputs: SLOW });
  await run.waitForOutput("statusId");
  await world.waitForRequest(DEPLOYMENT_STATUS);
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "cancelled", statusId: "build_1" });
  expect(world.deployments()[0]?.states.at(-1)).toBe("error");
});

test("after a kill, the post step ends the deployment with an error", async () => {
  await using world = await startWorld(WITH_BUILD);
  const run = world.start("deploy", { inputs: SLOW });
  await run.waitForOutput("statusId");
  await world.waitForRequest(DEPLOYMENT_STATUS);
  run.signal("SIGKILL");
  const { state } = await run.result;
  const post = await world.run("deploy", { entry: "post", state, inputs: SLOW });
  expect(post.exitCode).toBe(0);
  expect(
    world
      .deployments()
      .map(({ states }) => states)
      .map((states) => states.at(-1)),
  ).toEqual(["error"]);
  expect(post.summary).toContain("cancelled");
});

test("after a kill before the answer to its creation, the post step finds the deployment", async () => {
  await using world = await startWorld(WITH_BUILD);
  const unanswered: Answer = async (exchange) => {
    await capture(world.genuine.github, exchange);
    hangBeforeHeaders(exchange);
  };
  world.on(CREATE_DEPLOYMENT, unanswered);
  const run = world.start("deploy", { inputs: SLOW });
  await world.waitForRequest(CREATE_DEPLOYMENT);
  await run.waitForOutput("statusId");
  run.signal("SIGKILL");
  const { state } = await run.result;
  await world.run("deploy", { entry: "post", state, inputs: SLOW });
  expect(world.deployments().map(({ states }) => states)).toEqual([["error"]]);
});

test("all runs keep one comment on the pull request, which shows the one that began last", async () => {
  await using world = await startWorld(WITH_BUILD);
  const first = await world.run("deploy", onPull(world, { comment: "true" }));
  expect(first.warnings).toEqual([]);
  const [comment, ...others] = world.comments(7);
  expect(others).toEqual([]);
  expect(comment?.url).toBe(first.outputs.commentUrl);
  expect(comment?.body).toContain(`[View the preview](${PREVIEW_URL})`);
  world.on(BUILD, json(200, build("failure", { logs: ["broken @octocat"] })));
  await world.run("deploy", onPull(world, { comment: "true" }));
  const all = world.comments(7);
  expect(all).toHaveLength(1);
  expect(all[0]?.body).toContain("### ❌ Docs preview: the build failed");
  const later = (all[0]?.body ?? "").replace(/started:\d+/, `started:${Date.now() + 3_600_000}`);
  editComment(world, all[0]?.id ?? 0, later);
  await world.run("deploy", onPull(world, { comment: "true" }));
  expect(world.comments(7).map(({ body }) => body)).toEqual([later]);
});

test("without a pull request, there is no comment, and the log says so", async () => {
  await using world = await startWorld(WITH_BUILD);
  const result = await world.run("deploy", {
    inputs: { branch: "docs/webhooks", comment: "true" },
  });
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain("there is no comment");
  expect(world.bodies).toEqual([]);
});

test("a comment that GitHub refuses is one warning", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(CREATE_COMMENT, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("deploy", onPull(world, { comment: "true" }));
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("`pull-requests: write`")]);
});
