import { expect, test } from "vitest";
import { json } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { type ConnectedClient, connectClient } from "../../test/support/github-client.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { resolveTrigger } from "./resolve-trigger.ts";
import type { RunContext } from "./run-context.ts";
import type { GitHubSettings } from "./settings.ts";

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
    comment: { body, user: { login, type } },
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
  const resolved = await resolveTrigger(context, dependencies, {
    phrase: "/docs",
    settings: SETTINGS,
    connect: github.connect,
    usage: (phrase) => `Write ${phrase}`,
  });
  return { resolved, outputs: dependencies.outputs.values };
}

test.each([
  ["without the phrase", commentBy("User", "Thanks!")],
  ["by a bot", commentBy("Bot", "/docs explain")],
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
  expect(resolved).toEqual({ type: "run", request: null });
  expect(github.asked()).toEqual([]);
});

test("a request by somebody with the permission runs", async () => {
  const github = connectWith("write");
  const { resolved } = await resolve(commentBy("User", "/docs --new explain"), github);
  expect(resolved).toEqual({
    type: "run",
    request: { login: "writer", text: "explain", isNew: true },
  });
});

test.each([
  ["Bot", "renovate[bot]"],
  ["User", "Guest"],
])("a %s that the workflow names runs, and GitHub is not asked", async (type, login) => {
  const github = connectClient();
  const { resolved } = await resolve(commentBy(type, "/docs explain", login), github);
  expect(resolved).toMatchObject({ type: "run", request: { login } });
  expect(github.asked()).toEqual([]);
});

test.each(["/docs", "/docs \n ", "/docs --new"])("%j is answered with the usage", async (body) => {
  const github = connectWith("write");
  const { resolved, outputs } = await resolve(commentBy("User", body), github);
  expect(resolved).toEqual({ type: "skip" });
  expect(outputs).toMatchObject({ status: "skipped", commentUrl: expect.stringMatching(/^http/) });
  expect(github.asked().filter((it) => it.startsWith("POST"))).toHaveLength(1);
});

test("without the permission there is no usage comment either", async () => {
  for (const body of ["/docs", "/docs explain"]) {
    const github = connectWith("read");
    const { resolved } = await resolve(commentBy("User", body), github);
    expect(resolved).toEqual({ type: "skip" });
    expect(github.asked().filter((it) => it.startsWith("POST"))).toEqual([]);
  }
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
