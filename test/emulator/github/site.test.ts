import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({
    files: { "docs/keys.md": "# Keys\n" },
    issues: [
      { title: "First", body: "One\n<!-- hidden -->" },
      { title: "Second", body: "Two", author: "reader" },
    ],
  });
});

afterAll(() => world.close());

/** Sends a request over HTTP. */
function send(path: string, body?: unknown, token?: string): Promise<Response> {
  return fetch(`${world.github.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test("the emulated GitHub serves the world's repository over HTTP, with GitHub's headers", async () => {
  const { token, url } = world.github;
  const response = await send("/repos/acme/docs/issues?per_page=1&state=all", undefined, token);
  expect(await response.json()).toMatchObject([{ title: "Second", user: { login: "reader" } }]);
  expect(response.headers.get("link")).toContain(`<${url}/repos/acme/docs/issues?per_page=1`);
  expect(response.headers.get("content-type")).toContain("application/json");
  const made = await send("/repos/acme/docs/issues/1/comments", { body: "Grüße" }, token);
  const comment = (await made.json()) as { html_url: string; id: number };
  expect(comment).toMatchObject({ body: "Grüße", user: { login: "github-actions[bot]" } });
  expect(comment.html_url).toBe(`${url}/acme/docs/issues/1#issuecomment-${comment.id}`);
  expect((await send("/repos/acme/docs", undefined, "ghs_wrong")).status).toBe(401);
});

test("requests are recorded without tokens, and writes are counted", async () => {
  const { github } = world;
  const before = await github.writes();
  await send("/repos/acme/docs/issues/1", undefined, github.token);
  expect(await github.writes()).toBe(before);
  const reaction = { content: "eyes" };
  await send("/repos/acme/docs/issues/1/reactions", reaction, github.token);
  expect(await github.writes()).toBe(before + 1);
  const requests = await github.requests();
  expect(requests.at(-1)).toMatchObject({
    method: "POST",
    path: "/repos/acme/docs/issues/1/reactions",
    body: JSON.stringify(reaction),
  });
  expect(JSON.stringify(requests)).not.toContain(github.token);
  expect(await github.reactions()).toMatchObject([{ subject: "/repos/acme/docs/issues/1" }]);
});
