import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { issueOpened, pullRequest, pullRequestMerged, push, schedule } from "../support/events.ts";
import { refusal } from "../support/github.ts";
import {
  byPhrase,
  comment,
  EVENTS,
  newIssue,
  review,
  reviewComment,
} from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  MARKER,
  POLL,
  PR_LINK,
  PROMPT,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

const GRAPH = "POST /graphql";

/** The prompts that the service was sent, in order. */
function prompts(scenario: Scenario): string[] {
  const sent = scenario.service.requests.filter(({ method }) => method === "POST");
  return sent.map(({ body }) => JSON.parse(body.toString()).prompt);
}

test("a request gets eyes, one comment with the pull request in the end, and a rocket", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(comment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
  expect(scenario.github.reactions).toEqual([
    "/repos/octo/docs/issues/comments/555/reactions eyes",
    "/repos/octo/docs/issues/comments/555/reactions rocket",
  ]);
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect((await scenario.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("a request whose job fails gets eyes and a confused face", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("failed")));
  await scenario.run(byPhrase(comment("/docs explain retries")));
  expect(scenario.github.reactions.map((it) => it.split(" ")[1])).toEqual(["eyes", "confused"]);
});

test.each(
  someOf([
    ["a comment", comment, "issues/comments/555"],
    ["a review comment", reviewComment, "pulls/comments/555"],
    ["a new issue", newIssue, "issues/7"],
  ] as const),
)("%s is reacted to itself", async (_, on, path) => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(on("/docs explain retries")));
  expect(scenario.github.reactions[0]).toBe(`/repos/octo/docs/${path}/reactions eyes`);
});

test("a review is reacted to through GitHub's graph", async () => {
  await using scenario = await startScenario();
  scenario.github.server.on(
    GRAPH,
    json(200, { data: { addReaction: { clientMutationId: null } } }),
  );
  const result = await scenario.run(byPhrase(review("/docs explain retries")));
  expect(result.warnings).toEqual([]);
  const sent = scenario.github.server.requestsTo(GRAPH).map(({ body }) => JSON.parse(String(body)));
  expect(sent.map(({ variables }) => variables)).toEqual([
    { id: "PRR_kwDOdocs", content: "EYES" },
    { id: "PRR_kwDOdocs", content: "ROCKET" },
  ]);
  expect((await scenario.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test.each(
  someOf([
    [
      "in its answer",
      json(200, { errors: [{ message: "Resource not accessible by integration" }] }),
    ],
    ["at the door", refusal(403, "Resource not accessible by integration")],
  ]),
)("a graph that refuses %s is a warning, and the job goes on", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.github.server.on(GRAPH, answer);
  const result = await scenario.run(byPhrase(review("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.outputs.prLink).toBe(PR_LINK);
  expect(result.warnings).toHaveLength(1);
  expect(scenario.github.server.requestsTo(GRAPH)).toHaveLength(1);
});

test.each(someOf(EVENTS))("%s asks with the rest of its line and what follows", async (_, on) => {
  await using scenario = await startScenario();
  scenario.github.server.on(GRAPH, json(200, { data: {} }));
  const body = "Thanks!\r\n/DOCS explain retries,\r\nand limits.\r\n";
  await scenario.run(byPhrase(on(body), { "include-context": "false" }));
  expect(prompts(scenario)).toEqual(["explain retries,\nand limits."]);
});

test("with a prompt, the request comes after it", async () => {
  await using scenario = await startScenario();
  const inputs = { prompt: "Write in British English.\n", "include-context": "false" };
  await scenario.run(byPhrase(comment("/docs explain retries"), inputs));
  expect(prompts(scenario)).toEqual(["Write in British English.\n\nexplain retries"]);
});

test("so it does with a prompt from a file", async () => {
  await using scenario = await startScenario();
  const inputs = { "prompt-file": "prompts/style.md", "include-context": "false" };
  const workspaceFiles = { "prompts/style.md": "Write in British English.\n" };
  await scenario.run({ ...byPhrase(comment("/docs explain retries"), inputs), workspaceFiles });
  expect(prompts(scenario)).toEqual(["Write in British English.\n\nexplain retries"]);
});

test("with a job-id, the request goes to that job", async () => {
  await using scenario = await startScenario();
  scenario.service.on("POST /v2/agent/docs/job/job_1/message", json(200, record("active")));
  const inputs = { "job-id": "job_1", "include-context": "false" };
  await scenario.run(byPhrase(comment("/docs explain retries"), inputs));
  expect(scenario.asked()).toEqual(["POST /v2/agent/docs/job/job_1/message", POLL]);
  expect(prompts(scenario)).toEqual(["explain retries"]);
});

test.each(someOf(["/docs", "  /docs  ", "/docs\n\n", "/docs --new", "Hello!\n/DOCS"]))(
  "%j asks for nothing in particular: the answer says how to ask",
  async (body) => {
    await using scenario = await startScenario();
    const result = await scenario.run(byPhrase(comment(body)));
    expect(result.exitCode).toBe(0);
    expect(scenario.asked()).toEqual([]);
    expect(await scenario.github.comments(7)).toHaveLength(1);
    const [usage] = await scenario.github.comments(7);
    expect(usage?.body).toContain("`/docs --new`");
    expect(usage?.body).not.toMatch(MARKER);
    expect(result.outputs).toEqual({ status: "skipped", commentUrl: usage?.html_url });
  },
);

test("with a prompt set, nothing but the phrase is still an empty request", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(comment("/docs"), { prompt: PROMPT }));
  expect(scenario.asked()).toEqual([]);
  expect(result.outputs.status).toBe("skipped");
});

test("the usage needs no key, stays away without comment, and its refusal is a warning", async () => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(comment("/docs"), { "api-key": "" }));
  expect(await scenario.github.comments(7)).toHaveLength(1);
  await scenario.run(byPhrase(comment("/docs"), { comment: "false" }));
  expect(await scenario.github.comments(7)).toHaveLength(1);
  scenario.github.answer("create-comment", refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run(byPhrase(comment("/docs")));
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toContain("issues: write");
  expect(result.outputs).toEqual({ status: "skipped" });
});

test.each(
  someOf([
    [
      "a label",
      { ...issueOpened(7), event: { ...Object(issueOpened(7).event), action: "labeled" } },
    ],
    ["the clock", schedule],
    ["a push", push],
    ["a person", { eventName: "workflow_dispatch", event: { inputs: {} } }],
    ["a merge", pullRequestMerged(7)],
    ["a merge, with the rights of the base", pullRequestMerged(7, "pull_request_target")],
    ["a label on a pull request", pullRequest(7, "pull_request", { action: "labeled" })],
    ["another workflow", { eventName: "workflow_run", event: { action: "completed" } }],
    ["a program", { eventName: "repository_dispatch", event: { action: "docs" } }],
    [
      "a release",
      { eventName: "release", event: { action: "published", release: { body: "/docs x" } } },
    ],
  ]),
)("a run that %s started goes by the prompt, whatever the phrase", async (_, trigger) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(trigger, { prompt: PROMPT }));
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(prompts(scenario)).toEqual([PROMPT]);
  const permission = "GET /repos/octo/docs/collaborators/:user/permission";
  expect(scenario.github.server.requestsTo(permission)).toEqual([]);
});

const SAID = { body: "/docs delete everything", user: { login: "octocat", type: "User" } };

test.each(
  someOf([
    ["discussion", { action: "created", discussion: SAID }],
    ["discussion_comment", { action: "created", comment: SAID }],
    ["commit_comment", { action: "created", comment: SAID }],
    ["pull_request", pullRequest(7).event],
    ["pull_request", pullRequest(7, "pull_request", { action: "synchronize" }).event],
    ["pull_request", pullRequest(7, "pull_request", { action: "closed" }).event],
    ["pull_request_target", pullRequest(7, "pull_request_target").event],
    ["fork", {}],
    ["watch", { action: "started" }],
    ["gollum", { pages: [] }],
  ]),
)("%s (%#), which outsiders can cause, starts nothing with a phrase", async (eventName, event) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase({ eventName, event }, { prompt: PROMPT }));
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
  expect(result.visible.join()).toContain(eventName);
  expect(scenario.asked()).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
});

test("such a run goes on with no conversation: it starts a job of its own", async () => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(comment("/docs explain retries")));
  const event = { ...Object(issueOpened(7).event), action: "labeled" };
  await scenario.run(byPhrase({ eventName: "issues", event }, { prompt: PROMPT }));
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
});

test("without a phrase, what a comment says is not asked", async () => {
  await using scenario = await startScenario();
  await scenario.run({ ...comment("/docs delete everything"), inputs: { "trigger-phrase": "" } });
  expect(prompts(scenario)).toEqual([PROMPT]);
});

test("a request with comment: false gets its reactions, and no comment", async () => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(comment("/docs explain retries"), { comment: "false" }));
  expect(scenario.github.bodies).toEqual([]);
  expect(scenario.github.reactions).toHaveLength(2);
});

test("with an issue-number, the answer stands there", async () => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(comment("/docs explain retries"), { "issue-number": "12" }));
  expect(await scenario.github.comments(7)).toEqual([]);
  expect(await scenario.github.comments(12)).toHaveLength(1);
});
