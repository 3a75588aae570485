import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { json, text } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import type { Answer } from "../support/faulty-server.ts";
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
import { CREATE, POLL, type Scenario, startScenario } from "../support/scenario.ts";

const PERMISSION = "GET /repos/octo/docs/collaborators/:user/permission";
const GRAPHQL = "POST /graphql";
const BOT = { login: "renovate[bot]", type: "Bot" };

const OWNER = { login: "octocat", type: "User" };
const STRANGER = { login: "stranger", type: "User" };

/** A discussion that somebody began. */
function discussion(user: typeof OWNER) {
  const event = { action: "created", discussion: { number: 3, body: "Why?", user }, sender: user };
  return { eventName: "discussion", event };
}

/** GitHub, where one account has this permission, and everybody else may do all. */
function permissionBy(login: string, permission: string): Answer {
  return (exchange) => {
    const told = exchange.request.path.includes(`/${login}/`) ? permission : "admin";
    return json(200, { permission: told, role_name: told })(exchange);
  };
}

/** The step is green, says so in one line, and has asked the service for nothing. */
function expectNothing(scenario: Scenario, result: RunResult, word: string): void {
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.filter((line) => line !== "")).toHaveLength(1);
  expect(result.visible.join("")).toContain(word);
  expect(result.errors.concat(result.warnings)).toEqual([]);
  expect(scenario.asked()).toEqual([]);
  expect(scenario.github.bodies).toEqual([]);
}

/** Nobody asked, and nothing is told but in the log. */
function expectSkipped(scenario: Scenario, result: RunResult, word: string): void {
  expectNothing(scenario, result, word);
  expect(result.summary).toBe("");
  expect(scenario.github.reactions).toEqual([]);
}

/** Whoever asked sees that they may not, and the log says how to allow them. */
function expectRefused(scenario: Scenario, result: RunResult, word: string): void {
  expectNothing(scenario, result, word);
  expect(result.visible.join("")).toContain("`allowed-users`");
  expect(result.summary).toContain(word);
  for (const reaction of scenario.github.reactions) expect(reaction).toMatch(/ -1$/);
}

test.each(someOf(EVENTS))(
  "%s without the phrase asks nobody for anything, and needs no key",
  async (_, on) => {
    await using scenario = await startScenario();
    const result = await scenario.run(byPhrase(on("Any news about the /docs?"), { "api-key": "" }));
    expectSkipped(scenario, result, "/docs");
    expect(scenario.github.server.requests).toEqual([]);
  },
);

test("a fork without secrets stays green, with nothing but the phrase set", async () => {
  await using scenario = await startScenario();
  const inputs = { "api-key": "", "project-id": "", "github-token": "" };
  const result = await scenario.run(byPhrase(comment("Thanks!"), inputs));
  expectSkipped(scenario, result, "/docs");
  expect(scenario.github.server.requests).toEqual([]);
});

test("inputs that are wrong are not told to whoever did not ask", async () => {
  await using scenario = await startScenario();
  const inputs = { "timeout-minutes": "soon", "required-permission": "boss" };
  expectSkipped(scenario, await scenario.run(byPhrase(comment("Thanks!"), inputs)), "/docs");
});

test.each(
  someOf([
    ...EVENTS.map(([name, on]) => ({ name, on, action: "edited" })),
    { name: "a comment", on: comment, action: "deleted" },
  ]),
)("$name that is $action asks for nothing", async ({ on, action }) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(on("/docs explain retries", { action })));
  expectSkipped(scenario, result, action);
  expect(scenario.github.server.requests).toEqual([]);
});

test.each(
  someOf([
    ...EVENTS.map(([name, on]) => ({ name, on, writing: { by: BOT } })),
    { name: "a comment that is sent", on: comment, writing: { sender: BOT } },
  ]),
)("$name by a bot never asks, whatever it may do in the repository", async ({ on, writing }) => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", json(200, { permission: "admin", role_name: "admin" }));
  scenario.github.server.on(GRAPHQL, json(200, { data: {} }));
  expectRefused(scenario, await scenario.run(byPhrase(on("/docs explain", writing))), "bot");
  expect(scenario.github.server.requestsTo(PERMISSION)).toEqual([]);
});

test.each(someOf(EVENTS))("%s by a bot that is named asks, without a permission", async (_, on) => {
  await using scenario = await startScenario();
  scenario.github.server.on(GRAPHQL, json(200, { data: {} }));
  const inputs = { "allowed-bots": "dependabot[bot]\nRenovate[bot]", wait: "false" };
  const result = await scenario.run(byPhrase(on("/docs explain", { by: BOT }), inputs));
  expect(result.exitCode).toBe(0);
  expect(scenario.asked()).toEqual([CREATE]);
  expect(scenario.github.server.requestsTo(PERMISSION)).toEqual([]);
});

const THROUGH_APP = { performed_via_github_app: { id: 1, slug: "helper" } };

test.each(
  someOf([
    ["a comment", comment("/docs explain", { remark: THROUGH_APP })],
    ["a review comment", reviewComment("/docs explain", { remark: THROUGH_APP })],
    ["a review", review("/docs explain", { remark: THROUGH_APP })],
    ["a new issue", newIssue("/docs explain", { subject: THROUGH_APP })],
  ]),
)("%s that an app writes for a person does not ask, until the app is named", async (_, asking) => {
  await using scenario = await startScenario();
  scenario.github.server.on(GRAPHQL, json(200, { data: {} }));
  expectRefused(scenario, await scenario.run(byPhrase(asking)), "helper");
  expect(scenario.github.server.requestsTo(PERMISSION)).toEqual([]);
  const inputs = { "allowed-bots": "helper[bot]", wait: "false" };
  await scenario.run(byPhrase(asking, inputs));
  expect(scenario.asked()).toEqual([CREATE]);
  // It is the person who needs the permission.
  expect(scenario.github.server.requestsTo(PERMISSION)).toHaveLength(1);
});

test("a user who is named asks without any permission, and nobody else does", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", json(200, { permission: "read", role_name: "read" }));
  const inputs = { "allowed-users": "@Writer\nhubot", wait: "false" };
  const stranger = comment("/docs explain", { by: { login: "stranger", type: "User" } });
  expectRefused(scenario, await scenario.run(byPhrase(stranger, inputs)), "write is required");
  await scenario.run(byPhrase(comment("/docs explain"), inputs));
  expect(scenario.asked()).toEqual([CREATE]);
  expect(scenario.github.server.requestsTo(PERMISSION)).toHaveLength(1);
});

test("names that cannot be logins are reported, and the bot is not believed meanwhile", async () => {
  await using scenario = await startScenario();
  const inputs = { "allowed-users": "everybody!", "allowed-bots": "renovate[bot], other" };
  const bot = comment("/docs explain", { by: BOT });
  expectRefused(scenario, await scenario.run(byPhrase(bot, inputs)), "bot");
  const result = await scenario.run(byPhrase(comment("/docs explain"), inputs));
  expect(result.outputs.errorKind).toBe("invalid-input");
  for (const [name, value] of Object.entries(inputs)) {
    expect(result.errors.join()).toContain(`${name}: "${value}"`);
  }
  expect(scenario.asked()).toEqual([]);
});

const LEVELS = ["read", "triage", "write", "maintain", "admin"];
const COARSE: Record<string, string> = { triage: "read", maintain: "write" };

// Every level with every requirement: src/github/permission.test.ts.
test.each(
  someOf(
    LEVELS.flatMap((required, needs) => [
      ...LEVELS.slice(Math.max(0, needs - 1), needs).map((level) => ({
        level,
        required,
        may: false,
      })),
      { level: required, required, may: true },
    ]),
  ),
)("$level where $required is required: $may", async ({ level, required, may }) => {
  await using scenario = await startScenario();
  const told = { permission: COARSE[level] ?? level, role_name: level };
  scenario.github.answer("permission", json(200, told));
  const inputs = { "required-permission": required, wait: "false" };
  const result = await scenario.run(byPhrase(comment("/docs explain retries"), inputs));
  expect(scenario.github.server.requestsTo(PERMISSION)).toHaveLength(1);
  if (may) {
    expect(result.exitCode).toBe(0);
    expect(scenario.asked()).toEqual([CREATE]);
  } else {
    expectRefused(scenario, result, `${required} is required`);
    expect(scenario.github.reactions).toHaveLength(1);
  }
});

test.each(
  someOf([
    ["none", {}, false],
    ["read", {}, false],
    ["write", {}, true],
    ["maintain", {}, true],
  ]),
)("whoever has %s permission, where nothing is said of it: %j %s", async (level, inputs, may) => {
  await using scenario = await startScenario();
  const told = { permission: COARSE[level] ?? level, role_name: level };
  scenario.github.answer("permission", json(200, told));
  const result = await scenario.run(byPhrase(comment("/docs explain retries"), inputs));
  if (may) expect(scenario.asked()).toEqual([CREATE, POLL]);
  else expectRefused(scenario, result, "writer");
});

test.each(
  someOf([
    ["read", false],
    ["write", true],
    ["admin", true],
  ]),
)(
  "a role of the organization's own counts as the %s that it is based on: %s",
  async (base, may) => {
    await using scenario = await startScenario();
    const told = { permission: base, role_name: "docs-maintainer" };
    scenario.github.answer("permission", json(200, told));
    const result = await scenario.run(byPhrase(comment("/docs explain retries")));
    if (may) expect(scenario.asked()).toEqual([CREATE, POLL]);
    else expectRefused(scenario, result, "writer");
  },
);

test.each<[string, Answer, string]>([
  ["403", refusal(403, "Resource not accessible by integration"), "403"],
  ["HTML", text(200, "<p>admin</p>"), "no permission"],
])(
  "a GitHub that answers with %s starts nothing, and the log says why",
  async (_, answer, word) => {
    await using scenario = await startScenario();
    scenario.github.answer("permission", answer);
    expectRefused(scenario, await scenario.run(byPhrase(comment("/docs explain retries"))), word);
  },
);

test.each(
  someOf(
    EVENTS.flatMap(([name, on]) => [
      [`${name} that somebody else sent`, on("/docs explain", { sender: OWNER })] as const,
      [
        `${name} that an outsider sent`,
        on("/docs explain", { by: OWNER, sender: STRANGER }),
      ] as const,
    ]),
  ),
)("%s asks for nothing, whoever they are", async (_, asking) => {
  await using scenario = await startScenario();
  expectSkipped(scenario, await scenario.run(byPhrase(asking)), "sent the event");
  expect(scenario.github.server.requests).toEqual([]);
});

test("a GitHub that cannot be reached starts nothing either, and the step fails", async () => {
  await using scenario = await startScenario();
  const options = { ...byPhrase(comment("/docs explain")), apiUrl: await refusedUrl() };
  const result = await scenario.run(options);
  expect(result.outputs.errorKind).toBe("github-unavailable");
  expect(result.errors.join()).toContain("The permission of writer could not be read");
  expect(scenario.asked()).toEqual([]);
});

test("an issue that was transferred asks for nothing", async () => {
  await using scenario = await startScenario();
  const { eventName, event } = newIssue("/docs explain");
  const changes = { old_issue: { number: 3 }, old_repository: { full_name: "octo/other" } };
  const result = await scenario.run(byPhrase({ eventName, event: { ...Object(event), changes } }));
  expectSkipped(scenario, result, "transferred");
  expect(scenario.github.server.requests).toEqual([]);
});

test.each(
  someOf([
    ...EVENTS.flatMap(([name, on]) =>
      ["", "edited"].map(
        (action) =>
          [name, action, on("Any news?", { by: STRANGER, ...(action && { action }) })] as const,
      ),
    ),
    [
      "an issue",
      "closed",
      newIssue("x", { by: STRANGER, sender: OWNER, action: "closed" }),
    ] as const,
    ["a discussion", "created", discussion(STRANGER)] as const,
  ]),
)("without a phrase, %s %s by an outsider starts nothing", async (_, _action, trigger) => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", permissionBy(STRANGER.login, "read"));
  const run = (inputs: Record<string, string> = {}) =>
    scenario.run({ ...trigger, inputs: { wait: "false", ...inputs } });
  expectRefused(scenario, await run(), "write is required");
  expectRefused(scenario, await run({ "trigger-phrase": "" }), "write is required");
  expect(scenario.github.reactions).toEqual([]);
  await run({ "required-permission": "read" });
  await run({ "allowed-users": STRANGER.login });
  expect(scenario.asked()).toEqual([CREATE, CREATE]);
});

test.each(someOf(EVENTS))("without a phrase, %s by a bot starts nothing", async (_, on) => {
  await using scenario = await startScenario();
  const result = await scenario.run({ ...on("Any news?", { by: BOT }), inputs: { wait: "false" } });
  expectRefused(scenario, result, "bot");
  expect(scenario.github.server.requests).toEqual([]);
});

test.each(someOf([" ", "\n", "\t "]))(
  "a phrase of white space (%j) is reported",
  async (phrase) => {
    await using scenario = await startScenario();
    const result = await scenario.run(
      byPhrase(comment("Thanks!"), { "trigger-phrase": phrase, prompt: "Go." }),
    );
    expect(result.outputs.errorKind).toBe("invalid-input");
    expect(result.errors).toEqual([expect.stringMatching(/^trigger-phrase: .*one line/)]);
    expect(scenario.asked()).toEqual([]);
  },
);

test.each(someOf([review, reviewComment]))(
  "a review of a pull request from a fork, without secrets, ends green with a word",
  async (on) => {
    await using scenario = await startScenario();
    const subject = { head: { repo: { full_name: "stranger/docs" } } };
    const asking = on("/docs explain", { subject });
    const result = await scenario.run(byPhrase(asking, { "api-key": "" }));
    expectNothing(scenario, result, "in a comment on the pull request itself");
    expect(result.summary).toContain("from a fork");
    expect(scenario.github.server.requests).toEqual([]);
    // Where the secrets are passed, it is a request like any other.
    scenario.github.server.on(GRAPHQL, json(200, { data: {} }));
    await scenario.run(byPhrase(asking, { wait: "false" }));
    expect(scenario.asked()).toEqual([CREATE]);
  },
);

test("whoever may not ask is not told how to ask", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", json(200, { permission: "read", role_name: "read" }));
  expectRefused(scenario, await scenario.run(byPhrase(comment("/docs"))), "write is required");
});

test("a login that holds a workflow command stays text in the log", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", json(200, { permission: "none", role_name: "none" }));
  const by = { login: "x\n::set-output name=status::evil\n##[error]y", type: "User" };
  const result = await scenario.run(byPhrase(comment("/docs explain", { by })));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.errors).toEqual([]);
});

test.each(someOf(["/docs\n/ask", "/docs\r\n\r\n/ask"]))(
  "the phrase %j is reported, though no event could ask with it",
  async (phrase) => {
    await using scenario = await startScenario();
    const inputs = { "trigger-phrase": phrase, "api-key": "", "timeout-minutes": "soon" };
    for (const asking of [comment("Thanks!"), comment(phrase), { eventName: "discussion" }]) {
      const result = await scenario.run(byPhrase(asking, inputs));
      expect(result.exitCode).toBe(1);
      expect(result.outputs.errorKind).toBe("invalid-input");
      expect(result.errors).toEqual([expect.stringMatching(/^trigger-phrase: .*one line/)]);
    }
    expect(scenario.github.server.requests).toEqual([]);
  },
);

test("a wrong input is told once somebody asks, and nothing is done", async () => {
  await using scenario = await startScenario();
  const inputs = { "required-permission": "boss", "timeout-minutes": "soon" };
  const result = await scenario.run(byPhrase(comment("/docs explain"), inputs));
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) expect(result.errors.join()).toContain(name);
  expect(scenario.asked()).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
});

test("a request without a key says that forks get no secrets", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(comment("/docs explain"), { "api-key": "" }));
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.errors.join()).toContain("fork");
  expect(scenario.asked()).toEqual([]);
});
