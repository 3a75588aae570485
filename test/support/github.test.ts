import { expect, test } from "vitest";
import { json } from "./answers.ts";
import { refusal, startGitHub, tokenOf, WORKFLOW } from "./github.ts";

/** Calls the GitHub of a test as the workflow. */
function call(url: string, method: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${tokenOf(WORKFLOW)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test("comments are those of the emulated GitHub, in pages", async () => {
  await using github = await startGitHub();
  const url = `${github.url}/repos/octo/docs/issues/7/comments`;
  for (let n = 1; n <= 2; n += 1) await github.addComment(7, `comment ${n}`, "outsider");
  const created = await call(url, "POST", { body: "mine" });
  expect(await created.json()).toMatchObject({ body: "mine", user: { login: WORKFLOW } });
  const page = await call(`${url}?per_page=2`, "GET");
  expect(await page.json()).toMatchObject([{ body: "comment 1" }, { body: "comment 2" }]);
  expect(page.headers.get("link")).toMatch(/page=2>; rel="next", <.*page=2>; rel="last"/);
  expect((await github.comments(7)).map(({ body }) => body)).toEqual([
    "comment 1",
    "comment 2",
    "mine",
  ]);
  expect(github.bodies).toEqual(["mine"]);
});

test("a call can be refused, and answered as GitHub does again", async () => {
  await using github = await startGitHub();
  const url = `${github.url}/repos/octo/docs/issues/7/comments`;
  github.answer("create-comment", refusal(403, "Resource not accessible by integration"));
  expect((await call(url, "POST", { body: "x" })).status).toBe(403);
  expect(await github.comments(7)).toEqual([]);
  github.restore("create-comment");
  expect((await call(url, "POST", { body: "x" })).status).toBe(201);
  expect(github.bodies).toEqual(["x"]);
});

test("what the emulated GitHub refuses is no accepted comment", async () => {
  await using github = await startGitHub();
  const url = `${github.url}/repos/octo/docs/issues/999/comments`;
  expect((await call(url, "POST", { body: "x" })).status).toBe(404);
  expect(github.bodies).toEqual([]);
});

test("reactions are taken, for comments that only an event tells of too", async () => {
  await using github = await startGitHub();
  const path = "/repos/octo/docs/issues/comments/555/reactions";
  expect((await call(`${github.url}${path}`, "POST", { content: "eyes" })).status).toBe(201);
  expect(github.reactions).toEqual([`${path} eyes`]);
});

test("an answer of a test's own takes the place of GitHub's", async () => {
  await using github = await startGitHub();
  github.answer("permission", json(200, { permission: "admin" }));
  const url = `${github.url}/repos/octo/docs/collaborators/outsider/permission`;
  expect(await (await call(url, "GET")).json()).toEqual({ permission: "admin" });
});
