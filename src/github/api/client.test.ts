import { describe, expect, test } from "vitest";
import { json, redirect, refusal, text } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { HttpInProcess } from "../../../test/support/http-in-process.ts";
import { ExchangeError } from "../../net/http.ts";
import { known } from "../../runtime/fact.ts";
import { Secrets } from "../../text/secrets.ts";
import { IssueComments } from "../conversation/comments.ts";
import { createGitHub, type GitHub } from "./client.ts";
import { Requests } from "./requests.ts";

const KEY = "mint_k3yOfTheTest";
const LOWER = "mint_lower_case";
const TOKEN = "ghs_TokenOfTheTest";
const ROUTE = "POST /repos/octo/docs/issues/:n/comments";
const OF_DOCS = { repository: "octo/docs" };
const REF = { name: "docs-agent/x", sha: "0" };
const BODY = { body: "x" };
const PLACE = { repository: "octo/docs", issue: 7 };

async function connected() {
  const { server, connect } = connectClient(TOKEN, new Secrets([KEY, LOWER]));
  const comments = new IssueComments(connect, PLACE);
  return { server, comments, github: await connect() };
}

test("no secret is written on GitHub, and the rest of a comment stays as it is", async () => {
  const client = await connected();
  client.server.on(ROUTE, json(201, { id: 1, html_url: "https://github.com/octo/docs/issues/7" }));
  await client.comments.create(`a "${KEY}" b ${TOKEN.slice(0, 12)}\n漢 \\`);
  await client.comments.create("nothing to hide \\ 漢");
  const [first, second] = client.server.requests.map(({ body }) => JSON.parse(body.toString()));
  expect(first).toEqual({ body: 'a "***" b ***\n漢 \\' });
  expect(second).toEqual({ body: "nothing to hide \\ 漢" });
  expect(client.server.requests[0]?.headers.authorization).toBe(`token ${TOKEN}`);
});

test("each request names the API version that its answer is read as", async () => {
  const it = await connected();
  const repository = "octo/docs";
  await it.github.pulls.newest({ repository, base: "main" });
  await it.github.pulls.tryOpening({ repository });
  const versions = it.server.requests.map(({ headers }) => headers["x-github-api-version"]);
  expect(versions).toEqual(Array(2).fill("2022-11-28"));
});

test("no secret is read from any part of GitHub's answer", async () => {
  const client = await connected();
  const url = `https://github.com/?a=${encodeURIComponent(KEY)}&b=${TOKEN}`;
  client.server.on(ROUTE, json(201, { id: 1, html_url: url }));
  const created = await client.comments.create("x");
  expect(created).toMatchObject({ value: { url: "https://github.com/?a=***&b=***" } });
  client.server.on(ROUTE, json(422, { message: `no ${TOKEN}` }, { "x-echo": `token ${TOKEN}` }));
  expect(await client.comments.create("x")).toMatchObject({ message: "no ***" });
});

test("no secret is read from a file, or from the name of a header", async () => {
  const client = await connected();
  const headers = { "content-type": "application/octet-stream", [`x-${LOWER}`]: "1" };
  client.server.on("GET /repos/octo/docs/contents/a", text(200, `key ${KEY}`, headers));
  const file = { repository: "octo/docs", path: "a", ref: null };
  expect(await client.github.git.file(file)).toEqual(known("key ***"));
  const { secrets, clock } = dependenciesOf();
  const apiUrl = new URL(client.server.url);
  const { signal } = new AbortController();
  const { http } = client.server;
  const given = { http, clock, token: TOKEN, apiUrl, signal, patience: null };
  const requests = new Requests({ ...given, secrets: secrets.and(LOWER) });
  const asked = { method: "GET", path: "/repos/octo/docs/contents/a", body: null } as const;
  const seen = await requests.send({
    ...asked,
    accept: "*/*",
    isRepeatable: true,
    isPatient: true,
  });
  expect(Object.keys(seen.headers)).toContain("x-***");
});

test.each([[null], [{ errors: "No" }], [{ errors: ["No"] }]])(
  "an answer of GraphQL's that cannot be read is GitHub's: %j",
  async (answer) => {
    const { server, github } = await connected();
    server.on("POST /graphql", json(200, answer));
    expect(await github.repositories.viewer({})).toMatchObject({
      type: "unread",
      reason: expect.stringContaining("GitHub's response could not be read"),
    });
  },
);

test("a failed read is repeated once, after a second", async () => {
  const delays: number[] = [];
  const sleep = async (delay: number) => void delays.push(delay);
  const { secrets, clock } = dependenciesOf({ clock: { now: () => 0, timeOfDay: () => 0, sleep } });
  const { server } = connectClient();
  server.on("GET /repositories/1", refusal(502, "Bad Gateway"));
  const { signal } = new AbortController();
  const place = { http: server.http, apiUrl: new URL(server.url) };
  const github = createGitHub({ ...place, secrets, clock, token: "", signal, patience: null });
  expect(await github.repositories.byId({ id: 1 })).toMatchObject({ status: 502 });
  expect(delays).toEqual([1_000]);
  // Without a token, there is no header, which GitHub would refuse.
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
  ]);
});

test("a read that the end of the run stopped is not repeated", async () => {
  const controller = new AbortController();
  const asked: string[] = [];
  const http = new HttpInProcess(async ({ url }) => {
    asked.push(url.pathname);
    controller.abort();
    throw new ExchangeError("sent", "stopped", "stopped by the run");
  });
  const { secrets, clock } = dependenciesOf();
  const apiUrl = new URL("https://api.github.test");
  const { signal } = controller;
  const options = { http, secrets, clock, token: TOKEN, apiUrl, signal, patience: null };
  const github = createGitHub(options);
  expect(await github.repositories.byId({ id: 1 })).toMatchObject({ reason: "stopped by the run" });
  expect(asked).toEqual(["/repositories/1"]);
});

test("a byte order mark before GitHub's JSON is passed over", async () => {
  const client = await connected();
  const body = '\uFEFF{"id":1,"html_url":"https://github.com/"}';
  client.server.on(ROUTE, text(201, body, { "content-type": "application/json" }));
  expect(await client.comments.create("x")).toMatchObject({
    value: { id: 1, url: "https://github.com/" },
  });
});

test.each<[string, string, number, (github: GitHub) => Promise<unknown>]>([
  [
    "PATCH",
    "issues/comments/1",
    2,
    ({ comments }) => comments.edit({ ...OF_DOCS, ...BODY, id: 1 }),
  ],
  ["PATCH", "git/refs/docs-agent/x", 1, ({ refs }) => refs.move({ ...OF_DOCS, ...REF })],
  [
    "POST",
    "issues/1/comments",
    1,
    ({ issues }) => issues.comment({ ...OF_DOCS, ...BODY, number: 1 }),
  ],
])("%s %s that fails arrives %i times", async (method, path, times, send) => {
  const client = await connected();
  client.server.on(`${method} /repos/octo/docs/${path}`, refusal(502, "Bad Gateway"));
  expect(await send(client.github)).toMatchObject({ type: "uncertain" });
  expect(client.server.requests).toHaveLength(times);
});

describe("a redirect", () => {
  const GET = "GET /repos/octo/docs/pulls/:n";
  const ask = (github: GitHub) => github.pulls.head({ repository: "octo/docs", number: 7 });

  test("to another place of the same API is followed for a read, with the token", async () => {
    const client = await connected();
    client.server.on(GET, redirect(301, "/repositories/1/pulls/7"));
    client.server.on("GET /repositories/1/pulls/:n", json(200, { head: { sha: "a" } }));
    expect(await ask(client.github)).toEqual(known({ head: { sha: "a" } }));
    expect(client.server.requests.at(-1)?.headers.authorization).toBe(`token ${TOKEN}`);
  });

  test.each(["https://elsewhere.example/x", "http://localhost:1/x", "http://["])(
    "to %s is not: the token would travel",
    async (location) => {
      const client = await connected();
      client.server.on(GET, redirect(302, location));
      expect(await ask(client.github)).toMatchObject({
        reason: "GitHub returned 302, a redirect",
      });
      expect(client.server.requests).toHaveLength(1);
    },
  );

  test("to the log of a job on another host is followed, without the token", async () => {
    const client = await connected();
    client.server.on(
      "GET /repos/octo/docs/actions/jobs/:n/logs",
      redirect(302, "http://logs.test/7"),
    );
    client.server.on("GET /7", text(200, "It failed.", { "content-type": "text/plain" }));
    const log = await client.github.actions.log({ repository: "octo/docs", id: 7 });
    expect(log).toEqual(known("It failed."));
    expect(client.server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("to nowhere is not followed", async () => {
    const client = await connected();
    client.server.on(GET, json(302, {}));
    expect(await ask(client.github)).toMatchObject({
      reason: "GitHub returned 302, a redirect",
    });
    expect(client.server.requests).toHaveLength(1);
  });

  test("that goes in circles ends", async () => {
    const client = await connected();
    client.server.on(GET, redirect(301, "/repos/octo/docs/pulls/7"));
    expect(await ask(client.github)).toMatchObject({ reason: "GitHub returned 301, a redirect" });
    expect(client.server.requests).toHaveLength(4);
  });

  test("of a write to a renamed repository is followed once, since nothing was received", async () => {
    const client = await connected();
    client.server.on(ROUTE, redirect(307, "/repositories/1/issues/7/comments"));
    const moved = "POST /repositories/1/issues/7/comments";
    client.server.on(moved, json(201, { id: 5 }));
    expect(await client.comments.create("x")).toMatchObject({ type: "accepted", value: { id: 5 } });
    expect(client.server.requests.map(({ body }) => String(body))).toEqual(
      Array(2).fill('{"body":"x"}'),
    );
    client.server.on(moved, redirect(307, "/repositories/2/issues/7/comments"));
    expect(await client.comments.create("x")).toMatchObject({
      type: "not-sent",
      code: "unreached",
    });
    expect(client.server.requests).toHaveLength(4);
  });

  test.each(["https://elsewhere.example/x", "http://["])(
    "of a write to %s is not followed, and nothing was sent",
    async (location) => {
      const client = await connected();
      client.server.on(ROUTE, redirect(307, location));
      const { issues } = client.github;
      const sent = await issues.comment({ repository: "octo/docs", number: 7, body: "x" });
      expect(sent).toMatchObject({ type: "not-sent", code: "unreached" });
      expect(client.server.requests).toHaveLength(1);
    },
  );
});
