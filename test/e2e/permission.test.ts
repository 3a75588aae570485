// Permissions, with the bundle. test/trust/hostile/outsiders.test.ts has every event by every kind of account.

import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { json, refusal } from "../support/answers.ts";
import { issueOpened } from "../support/events.ts";
import { byPhrase, comment, review, reviewComment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { GRAPHQL, PERMISSION } from "../support/world/conversation.ts";
import { CREATE, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const READ = json(200, { permission: "read", role_name: "read" });
const LACKS_WRITE = (login: string) =>
  `\`${login}\` has \`read\` permission on \`octo/docs\`, and \`write\` is required`;
const NO_REQUEST = comment("Thanks for the /docs!");

/** Expects that the step was skipped with one line in the log, and sent nothing to the service. */
function expectSkipped(world: World, result: RunResult, word: string): void {
  expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.filter((line) => line !== "")).toEqual([expect.stringContaining(word)]);
  expect([world.asked("service"), world.bodies]).toEqual([[], []]);
}

/** Expects a skipped step with a 👎 reaction, and that log and summary say why and how to allow the account. */
function expectRefused(world: World, result: RunResult, word: string): void {
  expectSkipped(world, result, word);
  for (const text of [result.visible.join(""), result.summary]) {
    expect(text).toContain(word);
    expect(text).toMatch(/add .* to `allowed-(users|bots)`/);
  }
  expect(result.summary).toMatch(/^### 👎 Docs agent: not allowed\n/);
  for (const reaction of world.reactions()) expect(reaction).toMatch(/ -1$/);
}

test.each<[string, Record<string, string>]>([
  ["without the phrase", {}],
  ["from a fork without secrets", { "api-key": "", "project-id": "", "github-token": "" }],
  ["with wrong inputs", { "timeout-minutes": "soon", "required-permission": "boss" }],
])("a comment %s is skipped without a request to the service or to GitHub", async (_, inputs) => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", byPhrase(NO_REQUEST, inputs));
  expectSkipped(world, result, "/docs");
  expect([result.summary, world.received("github")]).toEqual(["", []]);
});

test("a comment by an app for a person is refused unless the app is in allowed-bots, and then the person's permission counts", async () => {
  await using world = await startWorld(WITH_JOB);
  const remark = { performed_via_github_app: { id: 1, slug: "helper" } };
  const request = comment("/docs explain", { remark });
  expectRefused(
    world,
    await world.run("root", byPhrase(request)),
    "`writer` posted through `helper[bot]`",
  );
  expect(world.received(PERMISSION)).toEqual([]);
  await world.run("root", byPhrase(request, { "allowed-bots": "helper[bot]", wait: "false" }));
  expect(world.asked("service")).toEqual([CREATE]);
  expect(world.received(PERMISSION)).toHaveLength(1);
});

/** Three of the events that can make a request by phrase. */
const EVENTS = [
  ["a comment", comment],
  ["a review", review],
  ["a review comment", reviewComment],
] as const;

test.each(someOf(EVENTS))(
  "%s by a bot is refused unless the bot is in allowed-bots",
  async (_, write) => {
    await using world = await startWorld(WITH_JOB);
    world.on(GRAPHQL, json(200, { data: {} }));
    const request = write("/docs explain", { by: { login: "helper[bot]", type: "Bot" } });
    const result = await world.run("root", byPhrase(request));
    expectRefused(world, result, "`helper[bot]` is a bot");
    expect(result.summary).toContain(`](https://github.com/octo/docs/`);
    const sent = world
      .received("github")
      .map(({ body }) => String(body))
      .join();
    expect(sent).toMatch(/"-1"|THUMBS_DOWN/);
    await world.run("root", byPhrase(request, { "allowed-bots": "helper[bot]", wait: "false" }));
    expect(world.asked("service")).toEqual([CREATE]);
  },
);

const REQUEST = "/docs explain";
const MAINTAINER = { login: "maintainer", type: "User" };

test("a phrase that another account sent is skipped, and the log and the summary say how to use it", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", byPhrase(comment(REQUEST, { sender: MAINTAINER })));
  const reason = "maintainer sent the event";
  expectSkipped(world, result, reason);
  for (const text of [result.visible.join(""), result.summary]) {
    expect(text).toContain(reason);
    expect(text).toContain("start a line of a new comment with /docs");
  }
  expect(world.received("github")).toEqual([]);
});

test.each(["edited", "deleted"])("a comment that is %s is skipped", async (action) => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", byPhrase(comment(REQUEST, { action })));
  expectSkipped(world, result, "cannot contain a request");
  expect(result.summary).toBe("");
});

test("an account without the permission is refused, unless allowed-users or required-permission allows it", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, READ);
  const by = { login: "stranger", type: "User" };
  for (const body of ["/docs", "/docs explain"]) {
    const request = comment(body, { by });
    expectRefused(world, await world.run("root", byPhrase(request)), LACKS_WRITE("stranger"));
  }
  expect(world.reactions()).toHaveLength(2);
  const request = comment("/docs explain", { by });
  for (const inputs of [{ "allowed-users": "@Stranger" }, { "required-permission": "read" }]) {
    await world.run(
      "root",
      byPhrase(request, { ...inputs, wait: "false", "continue-job": "false" }),
    );
  }
  expect(world.asked("service")).toEqual([CREATE, CREATE]);
});

test("without a phrase, an account without the permission is refused without a reaction", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, READ);
  expectRefused(world, await world.run("root", NO_REQUEST), LACKS_WRITE("writer"));
  expect(world.reactions()).toEqual([]);
});

test.each(someOf(EVENTS))(
  "without a key, %s by an outsider is refused, and the error for a writer says that forks get no secrets",
  async (_, write) => {
    await using world = await startWorld(WITH_JOB);
    const request = byPhrase(write("/docs explain"), { "api-key": "" });
    const result = await world.run("root", request);
    expect(result.outputs.errorKind).toBe("invalid-input");
    expect(result.errors.join()).toMatch(/caller names in `secrets:`.*fork/);
    await using outside = await startWorld(WITH_JOB);
    outside.on(PERMISSION, READ);
    expectRefused(outside, await outside.run("root", request), LACKS_WRITE("writer"));
  },
);

const EXPIRED = refusal(401, "Bad credentials");
const NO_RIGHT = refusal(403, "Resource not accessible by integration");

test.each([
  ["has expired", EXPIRED],
  ["lacks the right", NO_RIGHT],
])("a token that %s refuses nobody: the step fails", async (_, answer) => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, answer);
  const result = await world.run("root", byPhrase(comment("/docs explain")));
  expect(result).toMatchObject({ exitCode: 1, outputs: { errorKind: "github-refused" } });
  expect(result.errors.join()).toContain("nobody was refused");
  expect([world.asked("service"), world.reactions()]).toEqual([[], []]);
});

test("a permission that GitHub fails to tell at first is asked for again", async () => {
  await using world = await startWorld(WITH_JOB);
  const broken = refusal(502, "Bad Gateway");
  const write = json(200, { permission: "write", role_name: "write" });
  world.on(PERMISSION, broken, broken, broken, write);
  await world.run("root", byPhrase(comment("/docs explain"), { wait: "false" }));
  expect(world.asked("service")).toEqual([CREATE]);
});

/** Labels that nobody with access set, and a run after one that anybody can start. */
const OF_OUTSIDERS: [string, Pick<RunOptions, "eventName" | "event">][] = [
  ["a label of a stranger's issue form", labeledBy({ login: "stranger", type: "User" })],
  ["a label that a bot set", labeledBy({ login: "helper[bot]", type: "Bot" })],
  ["the end of a fork's run", afterRun("pull_request", "stranger/docs")],
  ["the end of a run for a stranger's comment", afterRun("issue_comment", "octo/docs")],
  [
    "a status by an app",
    { eventName: "status", event: { sender: { login: "ci[bot]", type: "Bot" } } },
  ],
];

function labeledBy(sender: object) {
  const { event } = issueOpened(7);
  return { eventName: "issues", event: { ...Object(event), action: "labeled", sender } };
}

function afterRun(name: string, full_name: string) {
  const actor = { login: "stranger", type: "User" };
  const head_repository = { full_name };
  const workflow_run = { event: name, head_repository, actor, triggering_actor: actor };
  return { eventName: "workflow_run", event: { action: "completed", workflow_run, sender: actor } };
}

test.each(OF_OUTSIDERS)("%s starts neither a job nor a question", async (_, trigger) => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, READ);
  for (const phrase of ["", "/docs"]) {
    for (const [action, input] of [
      ["root", "prompt"],
      ["assistant", "question"],
    ] as const) {
      const inputs = { [input]: "What is new?", "trigger-phrase": phrase };
      const result = await world.run(action, { ...trigger, inputs });
      expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" } });
    }
  }
  expect([world.asked("service"), world.reactions()]).toEqual([[], []]);
});
