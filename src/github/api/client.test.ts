import type { Octokit } from "@octokit/core";
import { describe, expect, test, vi } from "vitest";
import { json, redirect, refusal, text } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { HttpInProcess } from "../../../test/support/http-in-process.ts";
import { ExchangeError } from "../../net/http.ts";
import { Secrets } from "../../text/secrets.ts";
import { IssueComments } from "../conversation/comments.ts";
import { createGitHub } from "./client.ts";
import { refusalOf } from "./refusal.ts";

const KEY = "mint_k3yOfTheTest";
const LOWER = "mint_lower_case";
const TOKEN = "ghs_TokenOfTheTest";
const ROUTE = "POST /repos/octo/docs/issues/:n/comments";
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

test.each(["GET", "POST"])(
  "a %s request names the API version that its answer is read as",
  async (method) => {
    const it = await connected();
    it.server.on(`${method} /repos/octo/docs/pulls`, json(200, []));
    await it.github.request(`${method} /repos/octo/docs/pulls`);
    expect(it.server.requests[0]?.headers["x-github-api-version"]).toBe("2022-11-28");
  },
);

test("no secret is read from any part of GitHub's answer", async () => {
  const client = await connected();
  const url = `https://github.com/?a=${encodeURIComponent(KEY)}&b=${TOKEN}`;
  client.server.on(ROUTE, json(201, { id: 1, html_url: url }));
  const created = await client.comments.create("x");
  expect(created).toMatchObject({ value: { url: "https://github.com/?a=***&b=***" } });
  client.server.on(ROUTE, json(422, { message: `no ${TOKEN}` }, { "x-echo": `token ${TOKEN}` }));
  expect(await client.comments.create("x")).toMatchObject({ message: "no ***" });
});

test("no secret is read from bytes, or from the name of a header", async () => {
  const client = await connected();
  const headers = { "content-type": "application/octet-stream", [`x-${LOWER}`]: "1" };
  client.server.on("GET /repos/octo/docs/contents/a", text(200, `key ${KEY}`, headers));
  const { data, headers: seen } = await client.github.request("GET /repos/octo/docs/contents/a");
  expect(Buffer.from(data).toString()).toBe("key ***");
  expect(Object.keys(seen)).toContain("x-***");
});

test.each([[null], [{ errors: "No" }], [{ errors: ["No"] }]])(
  "an answer of GraphQL's that cannot be read is GitHub's: %j",
  async (answer) => {
    const { server, github } = await connected();
    server.on("POST /graphql", json(200, answer));
    const refused = await refusalOf(() => github.graphql("{ viewer { login } }"), ["issues: read"]);
    expect(refused?.reason).toContain("GitHub's response could not be read");
  },
);

test("a failed read is repeated once, after a second", async () => {
  const delays: number[] = [];
  const sleep = async (delay: number) => void delays.push(delay);
  const { secrets, clock } = dependenciesOf({ clock: { now: () => 0, timeOfDay: () => 0, sleep } });
  const { server } = connectClient();
  server.on("GET /user", refusal(502, "Bad Gateway"));
  const { signal } = new AbortController();
  const place = { http: server.http, apiUrl: new URL(server.url) };
  const github = createGitHub({ ...place, secrets, clock, token: "", signal, patience: null });
  await expect(github.request("GET /user")).rejects.toThrow("Bad Gateway");
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
  await expect(github.request("GET /user")).rejects.toThrow("stopped by the run");
  expect(asked).toEqual(["/user"]);
});

test("a byte order mark before GitHub's JSON is passed over", async () => {
  const client = await connected();
  const body = '\uFEFF{"id":1,"html_url":"https://github.com/"}';
  client.server.on(ROUTE, text(201, body, { "content-type": "application/json" }));
  expect(await client.comments.create("x")).toMatchObject({
    value: { id: 1, url: "https://github.com/" },
  });
});

test("what Octokit warns of does not go to the console", async () => {
  const client = await connected();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const link = '<https://docs.github.com/>; rel="deprecation"';
  const headers = { deprecation: "true", sunset: "soon", link };
  client.server.on(ROUTE, json(201, { id: 1, html_url: "https://github.com/" }, headers));
  await client.comments.create("x");
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test.each([
  ["PATCH", "issues/comments/1", 2],
  ["PATCH", "git/refs/docs-agent/x", 1],
  ["POST", "issues/1/comments", 1],
])("%s %s that fails arrives %i times", async (method, path, times) => {
  const client = await connected();
  const route = `${method} /repos/octo/docs/${path}`;
  client.server.on(route, refusal(502, "Bad Gateway"));
  await expect(client.github.request(route, { body: "x" })).rejects.toThrow("Bad Gateway");
  expect(client.server.requests).toHaveLength(times);
});

describe("a redirect", () => {
  const GET = "GET /repos/octo/docs/issues/:n";
  const ask = (github: Octokit) =>
    github.request("GET /repos/{owner}/{repo}/issues/{n}", { owner: "octo", repo: "docs", n: 7 });

  test("to another place of the same API is followed for a read, with the token", async () => {
    const client = await connected();
    client.server.on(GET, redirect(301, "/repositories/1/issues/7"));
    client.server.on("GET /repositories/1/issues/:n", json(200, { number: 7 }));
    expect((await ask(client.github)).data).toEqual({ number: 7 });
    expect(client.server.requests.at(-1)?.headers.authorization).toBe(`token ${TOKEN}`);
  });

  test.each(["https://elsewhere.example/x", "http://localhost:1/x", "http://["])(
    "to %s is not: the token would travel",
    async (location) => {
      const client = await connected();
      client.server.on(GET, redirect(302, location));
      await expect(ask(client.github)).rejects.toThrow("GitHub returned 302, a redirect");
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
    const route = "GET /repos/octo/docs/actions/jobs/{n}/logs";
    expect((await client.github.request(route, { n: 7 })).data).toBe("It failed.");
    expect(client.server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("to nowhere is not followed", async () => {
    const client = await connected();
    client.server.on(GET, json(302, {}));
    await expect(ask(client.github)).rejects.toThrow("GitHub returned 302, a redirect");
    expect(client.server.requests).toHaveLength(1);
  });

  test("that goes in circles ends", async () => {
    const client = await connected();
    client.server.on(GET, redirect(301, "/repos/octo/docs/issues/7"));
    await expect(ask(client.github)).rejects.toThrow("a redirect");
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
    await expect(client.comments.create("x")).rejects.toThrow("GitHub returned 307, a redirect");
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
