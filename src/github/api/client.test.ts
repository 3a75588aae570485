import type { Octokit } from "@octokit/core";
import { describe, expect, test, vi } from "vitest";
import { json, redirect, text } from "../../../test/support/answers.ts";
import { refusal } from "../../../test/support/github.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { Secrets } from "../../text/secrets.ts";
import { IssueComments } from "../conversation/comments.ts";

const KEY = "mint_k3yOfTheTest";
const TOKEN = "ghs_TokenOfTheTest";
const ROUTE = "POST /repos/octo/docs/issues/:n/comments";
const PLACE = { repository: "octo/docs", issue: 7 };

async function connected() {
  const { server, connect } = connectClient(TOKEN, new Secrets([KEY]));
  const comments = new IssueComments(connect, PLACE);
  return { server, comments, github: await connect() };
}

test("no secret is written on GitHub, and the rest of a comment stays as it is", async () => {
  const it = await connected();
  it.server.on(ROUTE, json(201, { id: 1, html_url: "https://github.com/octo/docs/issues/7" }));
  await it.comments.create(`a "${KEY}" b ${TOKEN.slice(0, 12)}\n漢 \\`);
  await it.comments.create("nothing to hide \\ 漢");
  const [first, second] = it.server.requests.map(({ body }) => JSON.parse(body.toString()));
  expect(first).toEqual({ body: 'a "***" b ***\n漢 \\' });
  expect(second).toEqual({ body: "nothing to hide \\ 漢" });
  expect(it.server.requests[0]?.headers.authorization).toBe(`token ${TOKEN}`);
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

test("no secret is read from GitHub, in whatever an answer says", async () => {
  const it = await connected();
  const url = `https://github.com/?a=${encodeURIComponent(KEY)}&b=${TOKEN}`;
  it.server.on(ROUTE, json(201, { id: 1, html_url: url }));
  expect((await it.comments.create("x")).url).toBe("https://github.com/?a=***&b=***");
  it.server.on(ROUTE, json(422, { message: `no ${TOKEN}` }, { "x-echo": `token ${TOKEN}` }));
  const refused = await it.comments.create("x").catch((error: unknown) => error);
  expect((refused as Error).message).toContain("no ***");
  expect((refused as { response: { headers: object } }).response.headers).toMatchObject({
    "x-echo": "token ***",
  });
});

test("a byte order mark before GitHub's JSON is passed over", async () => {
  const it = await connected();
  const body = '\uFEFF{"id":1,"html_url":"https://github.com/"}';
  it.server.on(ROUTE, text(201, body, { "content-type": "application/json" }));
  expect(await it.comments.create("x")).toMatchObject({
    id: 1,
    url: "https://github.com/",
  });
});

test("what Octokit warns of does not go to the console", async () => {
  const it = await connected();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const link = '<https://docs.github.com/>; rel="deprecation"';
  const headers = { deprecation: "true", sunset: "soon", link };
  it.server.on(ROUTE, json(201, { id: 1, html_url: "https://github.com/" }, headers));
  await it.comments.create("x");
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test.each([
  ["PATCH", "issues/comments/1", 2],
  ["PATCH", "git/refs/docs-agent/x", 1],
  ["POST", "issues/1/comments", 1],
])("%s %s that fails arrives %i times", async (method, path, times) => {
  const it = await connected();
  const route = `${method} /repos/octo/docs/${path}`;
  it.server.on(route, refusal(502, "Bad Gateway"));
  await expect(it.github.request(route, { body: "x" })).rejects.toThrow("Bad Gateway");
  expect(it.server.requests).toHaveLength(times);
});

describe("a redirect", () => {
  const GET = "GET /repos/octo/docs/issues/:n";
  const ask = (github: Octokit) =>
    github.request("GET /repos/{owner}/{repo}/issues/{n}", { owner: "octo", repo: "docs", n: 7 });

  test("to another place of the same API is followed for a read, with the token", async () => {
    const it = await connected();
    it.server.on(GET, redirect(301, "/repositories/1/issues/7"));
    it.server.on("GET /repositories/1/issues/:n", json(200, { number: 7 }));
    expect((await ask(it.github)).data).toEqual({ number: 7 });
    expect(it.server.requests.at(-1)?.headers.authorization).toBe(`token ${TOKEN}`);
  });

  test.each(["https://elsewhere.example/x", "http://localhost:1/x", "http://["])(
    "to %s is not: the token would travel",
    async (location) => {
      const it = await connected();
      it.server.on(GET, redirect(302, location));
      await expect(ask(it.github)).rejects.toThrow("GitHub returned 302, a redirect");
      expect(it.server.requests).toHaveLength(1);
    },
  );

  test("that goes in circles ends", async () => {
    const it = await connected();
    it.server.on(GET, redirect(301, "/repos/octo/docs/issues/7"));
    await expect(ask(it.github)).rejects.toThrow("a redirect");
    expect(it.server.requests).toHaveLength(4);
  });

  test("of a write is never followed", async () => {
    const it = await connected();
    it.server.on(ROUTE, redirect(307, "/repositories/1/issues/7/comments"));
    await expect(it.comments.create("x")).rejects.toThrow("a redirect");
  });
});
