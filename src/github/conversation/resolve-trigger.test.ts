import { expect, test } from "vitest";
import { json, refusal } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { type ConnectedClient, connectClient } from "../../../test/support/github-client.ts";
import { contextOf } from "../../../test/support/run-context.ts";
import { Patience } from "../api/patience.ts";
import type { RunContext } from "../trigger/run-context.ts";
import type { GitHubSettings } from "./feedback.ts";
import { resolveTrigger } from "./resolve-trigger.ts";

const SETTINGS: GitHubSettings = {
  requiredPermission: "write",
  allowedUsers: ["guest"],
  allowedBots: ["renovate[bot]"],
  comment: true,
  issueNumber: null,
  matrix: "",
  githubToken: "ghs_x",
  githubApiUrl: new URL("https://api.github.com"),
};

function commentBy(type: string, body: string, login = "writer") {
  return contextOf("issue_comment", {
    action: "created",
    issue: { number: 7 },
    comment: { body, user: { login, type }, performed_via_github_app: null },
  });
}

/** A GitHub on which `writer` has this permission, and which takes every comment. */
function connectWith(permission: string): ConnectedClient {
  const client = connectClient();
  const answer = json(200, { permission, role_name: permission });
  client.server.on("GET /repos/octo/docs/collaborators/writer/permission", answer);
  const comment = { id: 1, html_url: "https://github.com/octo/docs/issues/7#issuecomment-1" };
  client.server.on("POST /repos/octo/docs/issues/7/comments", json(201, comment));
  return client;
}

async function resolve(
  context: RunContext,
  github: ConnectedClient,
  dependencies = dependenciesOf(),
) {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const clock = { ...dependencies.clock, now: () => now, sleep };
  const toGitHub = { ...dependencies, clock, http: github.server.http };
  const resolved = await resolveTrigger(context, toGitHub, {
    phrase: "/docs",
    isInstructed: () => false,
    settingsFor: () => SETTINGS,
    patience: new Patience(toGitHub),
  });
  return { resolved, outputs: dependencies.outputs.values };
}

test.each([
  ["without the phrase", commentBy("User", "Thanks!")],
  ["on a discussion", contextOf("discussion_comment", commentBy("User", "/docs explain").payload)],
])("a comment %s is skipped, and GitHub is not asked", async (_, context) => {
  const github = connectClient();
  const { resolved, outputs } = await resolve(context, github);
  expect(resolved).toEqual({ type: "skip" });
  expect(outputs).toEqual({ status: "skipped" });
  expect(github.asked()).toEqual([]);
});

test("an event that carries no text runs, and GitHub is not asked", async () => {
  const github = connectClient();
  const { resolved } = await resolve(contextOf("schedule"), github);
  expect(resolved).toMatchObject({ type: "run", request: null });
  expect(github.asked()).toEqual([]);
});

test("a request by somebody with the permission runs", async () => {
  const github = connectWith("write");
  const { resolved } = await resolve(commentBy("User", "/docs --new explain"), github);
  expect(resolved).toMatchObject({
    type: "run",
    request: { text: "explain", isNew: true },
  });
});

test.each([
  ["Bot", "renovate[bot]"],
  ["User", "Guest"],
])("a %s that the workflow names runs, and GitHub is not asked", async (type, login) => {
  const github = connectClient();
  const { resolved } = await resolve(commentBy(type, "/docs explain", login), github);
  expect(resolved).toMatchObject({ type: "run", request: { text: "explain" } });
  expect(github.asked()).toEqual([]);
});

test.each(["/docs", "/docs \n ", "/docs --new"])("%j is answered with the usage", async (body) => {
  const github = connectWith("write");
  const { resolved, outputs } = await resolve(commentBy("User", body), github);
  expect(resolved).toEqual({ type: "skip" });
  expect(outputs).toMatchObject({ status: "skipped", commentUrl: expect.stringMatching(/^http/) });
  expect(github.asked().filter((request) => request.startsWith("POST"))).toHaveLength(1);
});

test("without the permission there is no usage comment either", async () => {
  for (const body of ["/docs", "/docs explain"]) {
    const github = connectWith("read");
    const { resolved } = await resolve(commentBy("User", body), github);
    expect(resolved).toEqual({ type: "skip" });
    expect(github.asked().filter((request) => request.startsWith("POST"))).toEqual([]);
  }
});

const REACT = "POST /repos/octo/docs/issues/comments/5/reactions";

/** The same comment, with an id, to be reacted to. */
function remarkBy(type: string, more: object = {}) {
  const { payload } = commentBy(type, "/docs explain");
  const comment = { ...payload.comment, id: 5, ...more };
  return contextOf("issue_comment", { ...payload, comment });
}

test.each([
  [
    "a person without the permission",
    "User",
    "`writer` has `read` permission on `octo/docs`, and `write` is required. Someone",
    "`allowed-users`",
  ],
  ["a bot", "Bot", "`writer` is a bot, and", "add `writer` to `allowed-bots`"],
])(
  "%s sees that the request was refused, and the log and the summary say how to allow it",
  async (_, type, reason, how) => {
    const github = connectWith("read");
    github.server.on(REACT, json(201, { id: 1 }));
    const dependencies = dependenciesOf();
    const { resolved, outputs } = await resolve(remarkBy(type), github, dependencies);
    expect(resolved).toEqual({ type: "skip" });
    expect(outputs).toEqual({ status: "skipped" });
    const [reaction] = github.server.requestsTo(REACT);
    expect(JSON.parse(String(reaction?.body))).toEqual({ content: "-1" });
    for (const level of ["info", "summary"]) {
      const line = dependencies.lines.find((logged) => logged.startsWith(`${level}: `)) ?? "";
      expect(line).toContain(reason);
      expect(line).toContain(how);
    }
  },
);

/** A comment with the phrase after a bullet. */
const missedBy = (type: string, more: object = {}) =>
  remarkBy(type, { body: "- /docs explain", ...more });

test("a person who may ask sees that the phrase does not count where it is", async () => {
  const github = connectWith("write");
  github.server.on(REACT, json(201, { id: 1 }));
  const dependencies = dependenciesOf();
  const { resolved, outputs } = await resolve(missedBy("User"), github, dependencies);
  expect([resolved, outputs]).toEqual([{ type: "skip" }, { status: "skipped" }]);
  const [reaction] = github.server.requestsTo(REACT);
  expect(JSON.parse(String(reaction?.body))).toEqual({ content: "confused" });
  for (const level of ["info", "summary"]) {
    const line = dependencies.lines.find((it) => it.startsWith(`${level}: `)) ?? "";
    expect(line).toContain("it is not at the start of a line");
  }
});

test.each([
  ["a person without the permission", missedBy("User"), connectWith("read")],
  ["a bot", missedBy("Bot"), connectWith("write")],
  ["an app", missedBy("User", { performed_via_github_app: { slug: "x" } }), connectWith("write")],
])("%s gets no answer to a phrase that does not count", async (_, context, github) => {
  const dependencies = dependenciesOf();
  const { resolved } = await resolve(context, github, dependencies);
  expect(resolved).toEqual({ type: "skip" });
  expect(github.server.requestsTo(REACT)).toEqual([]);
  expect(dependencies.lines).toHaveLength(1);
});

test.each([
  [403, refusal(403, "API rate limit exceeded", { "x-ratelimit-remaining": "0" })],
  [500, refusal(500, "Server Error")],
])("a phrase that does not count never fails the step: permission %i", async (_, answer) => {
  const github = connectWith("write");
  github.server.on("GET /repos/octo/docs/collaborators/writer/permission", answer);
  expect((await resolve(missedBy("User"), github)).resolved).toEqual({ type: "skip" });
});

test("a reaction that GitHub refuses changes nothing, and is no warning", async () => {
  const dependencies = dependenciesOf();
  const { resolved } = await resolve(remarkBy("User"), connectWith("read"), dependencies);
  expect(resolved).toEqual({ type: "skip" });
  expect(dependencies.lines.filter((logged) => /^(warning|error)/.test(logged))).toEqual([]);
});

test.each([
  ["429", refusal(429, "Slow down")],
  ["a rate limit's 403", refusal(403, "API rate limit exceeded", { "x-ratelimit-remaining": "0" })],
  ["503", refusal(503, "Unavailable")],
])("a permission that GitHub answers with %s fails the step", async (_, answer) => {
  const github = connectWith("write");
  github.server.on("GET /repos/octo/docs/collaborators/writer/permission", answer);
  await expect(resolve(remarkBy("User"), github)).rejects.toMatchObject({
    kind: "github-unavailable",
    problem: expect.stringMatching(/^The permission of `writer` could not be read: .*[^.]\.$/),
    advice: "Nothing was started. Run again later.",
  });
});

const COMMENT = "GET /repos/octo/docs/issues/comments/5";
/** As an older GitHub Enterprise Server sends it. */
const UNTOLD = { performed_via_github_app: undefined };
const APP = { performed_via_github_app: { slug: "helper" } };

test("an event that does not tell of an app: GitHub is asked for it", async () => {
  const github = connectWith("write");
  github.server.on(COMMENT, json(200, APP));
  expect((await resolve(remarkBy("User", UNTOLD), github)).resolved).toEqual({ type: "skip" });
  github.server.on(COMMENT, json(200, { performed_via_github_app: null }));
  expect((await resolve(remarkBy("User", UNTOLD), github)).resolved.type).toBe("run");
  github.server.on(COMMENT, json(200, { performed_via_github_app: { slug: "renovate" } }));
  expect((await resolve(remarkBy("User", UNTOLD), github)).resolved.type).toBe("run");
  const asked = github.server.requestsTo(COMMENT).length;
  expect((await resolve(remarkBy("User"), github)).resolved.type).toBe("run");
  expect(github.server.requestsTo(COMMENT)).toHaveLength(asked);
});

test.each([
  ["404", refusal(404, "Not Found"), "skip"],
  ["500", refusal(500, "Server Error"), "github-unavailable"],
])("where GitHub answers that with %s, nobody is allowed", async (_, answer, end) => {
  const github = connectWith("write");
  github.server.on(COMMENT, answer);
  const dependencies = dependenciesOf();
  const resolving = resolve(remarkBy("User", UNTOLD), github, dependencies);
  const ended = await resolving.then(
    ({ resolved }) => resolved.type,
    ({ kind }) => kind,
  );
  expect(ended).toBe(end);
});

test("a run that is cancelled while GitHub is asked says that nothing was sent", async () => {
  const github = await connectWith("write");
  const dependencies = dependenciesOf();
  dependencies.cancellation.cancel();
  const resolving = resolve(commentBy("User", "/docs explain"), github, dependencies);
  // Jobs or questions: nothing that is true of only one of them.
  await expect(resolving).rejects.toMatchObject({
    kind: "cancelled",
    message: "This workflow run was cancelled before anything was sent to the service.",
  });
});
