import { expect, test } from "vitest";
import { closeAfterRequest, hangBeforeHeaders, json } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import {
  BUILD,
  build,
  CREATE_DEPLOYMENT,
  DEPLOYMENT_STATUS,
  onPull,
  PREVIEW_URL,
  startDeployScenario,
} from "../support/deploy-scenario.ts";
import { issueComment } from "../support/events.ts";
import type { Answer } from "../support/faulty-server.ts";
import { refusal, type TestGitHub } from "../support/github.ts";
import { GONE_AFTER } from "../support/grace.ts";

const SLOW = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };

/** GitHub does the work, but the answer is lost. */
function lost({ genuine }: TestGitHub): Answer {
  return async (exchange) => {
    await capture(genuine, exchange);
    closeAfterRequest(exchange);
  };
}

test("without the permission, there is one warning, and the build counts all the same", async () => {
  await using scenario = await startDeployScenario();
  scenario.github.server.on(CREATE_DEPLOYMENT, refusal(403, "Resource not accessible"));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("`deployments: write`")]);
  expect(result.outputs).toMatchObject({ status: "success", deploymentId: "" });
  expect(scenario.github.server.requestsTo(CREATE_DEPLOYMENT)).toHaveLength(1);
});

test("a commit that GitHub does not know is one warning, with GitHub's words", async () => {
  await using scenario = await startDeployScenario();
  const result = await scenario.run({ sha: "e".repeat(40) });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("No ref found for: eeee")]);
});

test("a deployment whose creation was not answered is found again, and made only once", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  github.server.on(CREATE_DEPLOYMENT, lost(github), github.genuine);
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([]);
  expect(github.deployments).toHaveLength(1);
  expect(scenario.states()[0]?.at(-1)).toBe("success");
  expect(result.outputs.deploymentId).toBe(String(github.deployments[0]?.id));
});

test("if GitHub fails once at the end, the last status is written all the same", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  scenario.service.on(BUILD, json(200, build("failure")));
  const { genuine } = github;
  github.server.on(DEPLOYMENT_STATUS, genuine, refusal(502, "Bad gateway"), genuine);
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("build-failed");
  expect(scenario.states()).toEqual([["queued", "failure"]]);
});

test("if GitHub fails for longer, the post step writes the run's last status", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  scenario.service.on(BUILD, json(200, build("success")));
  const bad = refusal(502, "Bad gateway");
  github.server.on(DEPLOYMENT_STATUS, github.genuine, bad);
  const main = await scenario.run();
  expect(main.exitCode).toBe(0);
  expect(main.warnings).toEqual([expect.stringContaining("GitHub returned 502")]);
  github.server.on(DEPLOYMENT_STATUS, github.genuine);
  const post = await scenario.run({ entry: "post", state: main.state });
  expect(post.exitCode).toBe(0);
  expect(scenario.states()).toEqual([["queued", "success"]]);
});

test("a re-run uses the deployment of the earlier attempt, and never another run's", async () => {
  await using scenario = await startDeployScenario();
  await scenario.run({ runId: "1" });
  await scenario.run({ runId: "2" });
  scenario.service.on(BUILD, json(200, build("failure")));
  await scenario.run({ runId: "1", attempt: 2 });
  expect(scenario.states().map((states) => states.at(-1))).toEqual(["failure", "success"]);
});

test("two projects that one job builds have a deployment each, in every attempt", async () => {
  await using scenario = await startDeployScenario();
  const { service } = scenario;
  service.on("POST /v1/project/update/other", json(202, { statusId: "build_1" }));
  for (const attempt of [1, 2]) {
    await scenario.run({ attempt });
    await scenario.run({ attempt, inputs: { "project-id": "other" } });
  }
  expect(scenario.github.deployments).toHaveLength(2);
});

test("a comment on a pull request deploys its head", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  const pull = { head: { sha: github.head } };
  github.server.on("GET /repos/octo/docs/pulls/7", json(200, pull));
  const result = await scenario.run({ ...issueComment(7, 1, true), sha: "f".repeat(40) });
  expect(result.warnings).toEqual([]);
  expect(github.deployments.map(({ sha }) => sha)).toEqual([github.head]);
});

test("after the run of a pull request, its head is deployed", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  const workflow_run = { event: "pull_request", head_sha: github.head };
  const event = { action: "completed", workflow_run };
  await scenario.run({ eventName: "workflow_run", event, sha: "f".repeat(40) });
  expect(github.deployments.map(({ sha }) => sha)).toEqual([github.head]);
});

test("with environment: none, GitHub is asked for nothing", async () => {
  await using scenario = await startDeployScenario();
  const result = await scenario.run({ inputs: { environment: "none" } });
  expect(result.exitCode).toBe(0);
  expect(scenario.github.server.requests).toEqual([]);
});

test("the token and the address of GitHub are those of the inputs", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  const inputs = { "github-token": "ghs_other", "github-api-url": `${github.url}/api` };
  await scenario.run({ inputs });
  const [request] = github.server.requests;
  expect(request?.path).toBe("/api/repos/octo/docs/deployments");
  expect(request?.headers.authorization).toContain("ghs_other");
});

test("a signal ends the run in time, and the deployment with an error", async () => {
  await using scenario = await startDeployScenario();
  const run = scenario.start({ inputs: SLOW });
  await run.waitForOutput("statusId");
  await scenario.github.server.waitForRequest(DEPLOYMENT_STATUS);
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "cancelled", statusId: "build_1" });
  expect(scenario.states()[0]?.at(-1)).toBe("error");
});

test("after a kill, the post step ends the deployment with an error", async () => {
  await using scenario = await startDeployScenario();
  const run = scenario.start({ inputs: SLOW });
  await run.waitForOutput("statusId");
  await scenario.github.server.waitForRequest(DEPLOYMENT_STATUS);
  run.signal("SIGKILL");
  const { state } = await run.result;
  const post = await scenario.run({ entry: "post", state, inputs: SLOW });
  expect(post.exitCode).toBe(0);
  expect(scenario.states().map((states) => states.at(-1))).toEqual(["error"]);
  expect(post.summary).toContain("cancelled");
});

test("after a kill before the answer to its creation, the post step finds the deployment", async () => {
  await using scenario = await startDeployScenario();
  const { github } = scenario;
  const unanswered: Answer = async (exchange) => {
    await capture(github.genuine, exchange);
    hangBeforeHeaders(exchange);
  };
  github.server.on(CREATE_DEPLOYMENT, unanswered);
  const run = scenario.start({ inputs: SLOW });
  await github.server.waitForRequest(CREATE_DEPLOYMENT);
  await run.waitForOutput("statusId");
  run.signal("SIGKILL");
  const { state } = await run.result;
  await scenario.run({ entry: "post", state, inputs: SLOW });
  expect(scenario.states()).toEqual([["error"]]);
});

test("all runs keep one comment on the pull request, which shows the one that began last", async () => {
  await using scenario = await startDeployScenario();
  const { github, service } = scenario;
  const first = await scenario.run(onPull(scenario, { comment: "true" }));
  expect(first.warnings).toEqual([]);
  const [comment, ...others] = await github.comments(7);
  expect(others).toEqual([]);
  expect(comment?.html_url).toBe(first.outputs.commentUrl);
  expect(comment?.body).toContain(`[View the preview](${PREVIEW_URL})`);
  service.on(BUILD, json(200, build("failure", { logs: ["broken @octocat"] })));
  await scenario.run(onPull(scenario, { comment: "true" }));
  const all = await github.comments(7);
  expect(all).toHaveLength(1);
  expect(all[0]?.body).toContain("### ❌ Docs preview: the build failed");
  const later = (all[0]?.body ?? "").replace(/started:\d+/, `started:${Date.now() + 3_600_000}`);
  await github.editComment(all[0]?.id ?? 0, later);
  await scenario.run(onPull(scenario, { comment: "true" }));
  expect((await github.comments(7)).map(({ body }) => body)).toEqual([later]);
});

test("without a pull request, there is no comment, and the log says so", async () => {
  await using scenario = await startDeployScenario();
  const result = await scenario.run({ inputs: { branch: "docs/webhooks", comment: "true" } });
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain("there is no comment");
  expect(scenario.github.bodies).toEqual([]);
});

test("a comment that GitHub refuses is one warning", async () => {
  await using scenario = await startDeployScenario();
  scenario.github.answer("create-comment", refusal(403, "Resource not accessible"));
  const result = await scenario.run(onPull(scenario, { comment: "true" }));
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("`pull-requests: write`")]);
});
