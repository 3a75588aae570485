/** The lines of GitHub's seed, over HTTP. */

import { describe, expect, test } from "vitest";
import { BAD_GATEWAY, GRAPHQL_FAILURE } from "../../../emulator/github/faults.ts";
import { OWNER, WORKFLOW } from "../../../emulator/github/people.ts";
import type { GitHubSeed } from "../../../emulator/github/seed.ts";
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";

const HOUR = 3_600_000;
const DOCS = "/repos/acme/docs";
const FILE = ".github/workflows/docs.yml";

const worldOf = (github: GitHubSeed) =>
  startLocalWorld({ github, files: { [FILE]: "on: push\n" } });

/** Sends a request over HTTP. A redirect is not followed. */
async function ask({ github }: LocalWorld, path: string, login = WORKFLOW, query?: string) {
  const response = await fetch(`${github.url}${path}`, {
    method: query === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${github.tokenOf(login)}` },
    redirect: "manual",
    ...(query !== undefined && { body: JSON.stringify({ query }) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("<") ? text : JSON.parse(text) };
}

const graphql = (world: LocalWorld, query: string) => ask(world, "/graphql", WORKFLOW, query);
const docs = (fields: string) => `{ repository(owner: "acme", name: "docs") { ${fields} } }`;

test.each([
  ['{"fault": []}', 'Unrecognized key: "fault"'],
  ['{"faults": [{"status": 99}]}', "faults[0].status: "],
  ['{"faults": [{"status": 502, "path": "("}]}', "faults[0].path: Expected a regular expression"],
  ['{"faults": [{"status": 502, "method": "get"}]}', "faults[0].method: Expected a method such as"],
  ['{"faults": [{"status": 502, "times": 0}]}', "faults[0].times: Expected a number from 1"],
  ['{"faults": [{"status": 502, "body": 1}]}', "faults[0].body: Expected an object or a text"],
  ['{"mostRootFields": 0}', "mostRootFields: "],
  ['{"permissions": {"check": "none"}}', 'permissions: Unrecognized key: "check"'],
  ['{"changes": [{"visibility": "secret"}]}', "changes[0].visibility: "],
  ['{"changes": [{"rename": {"to": "docs"}}]}', "changes[0].rename.to: Expected owner/name"],
  ['{"changes": [{"repository": "acme/code"}]}', "changes[0].repository: There is no acme/code"],
  ['{"mostRootFields": 0, "changes": [{"afterMs": -1}]}', "changes[0].afterMs: "],
])("a seed with %s is refused, with the name of the field", async (text, words) => {
  await expect(startLocalWorld({ github: JSON.parse(text) })).rejects.toThrow(words);
});

test("faults answer the workflow's requests, as often as they say, and nobody else's", async () => {
  await using world = await worldOf({
    faults: [
      { ...BAD_GATEWAY, path: "/issues/1$", times: 2 },
      { ...GRAPHQL_FAILURE, times: Number.POSITIVE_INFINITY },
      { status: 403, path: "/pulls", login: "reader", message: "Not now" },
    ],
  });
  const issue = async (login: string) => (await ask(world, `${DOCS}/issues/1`, login)).status;
  const logins = [OWNER, WORKFLOW, OWNER, WORKFLOW, WORKFLOW];
  const statuses: number[] = [];
  for (const login of logins) statuses.push(await issue(login));
  expect(statuses).toEqual([200, 502, 200, 502, 200]);
  for (const _ of logins) expect((await graphql(world, docs("id"))).body).toHaveProperty("errors");
  expect((await ask(world, `${DOCS}/pulls`)).status).toBe(200);
  expect(await ask(world, `${DOCS}/pulls`, "reader")).toMatchObject({
    status: 403,
    body: { message: "Not now" },
  });
});

describe("GraphQL", () => {
  test("answers a query with too many fields with RESOURCE_LIMITS_EXCEEDED", async () => {
    await using world = await worldOf({ mostRootFields: 1 });
    const query = "{ a: viewer { login } b: viewer { login } }";
    expect((await graphql(world, query)).body).toMatchObject({
      data: { a: null, b: null },
      errors: [{ type: "RESOURCE_LIMITS_EXCEEDED" }, { type: "RESOURCE_LIMITS_EXCEEDED" }],
    });
    expect((await graphql(world, "{ viewer { login } }")).body).not.toHaveProperty("errors");
  });

  test("answers without a pull request that it cannot resolve", async () => {
    await using world = await worldOf({ changes: [{ unresolvable: [2] }] });
    for (const title of ["Two", "Three"]) await world.github.openPull({ title });
    const query = docs("a: pullRequest(number: 2) { title } b: pullRequest(number: 3) { title }");
    expect((await graphql(world, query)).body).toMatchObject({
      data: { repository: { a: null, b: { title: "Three" } } },
      errors: [{ path: ["repository", "a"] }],
    });
  });

  test.each([[true], [false]])(
    "hides checks that the token may not read, in silence: %s",
    async (hidesInSilence) => {
      await using world = await worldOf({ hidesInSilence, permissions: { checks: "none" } });
      const number = await world.github.openPull();
      await world.github.report(number);
      const nodes = "nodes { ... on CheckRun { name } }";
      const rollup = `statusCheckRollup { contexts(first: 5) { ${nodes} } }`;
      const { body } = await graphql(world, docs(`pullRequest(number: ${number}) { ${rollup} }`));
      const { contexts } = body.data.repository.pullRequest.statusCheckRollup;
      expect(contexts.nodes).toEqual([null]);
      expect("errors" in body).toBe(!hidesInSilence);
    },
  );
});

describe("changes", () => {
  test("come when their time has come, of repositories that the seed names", async () => {
    await using world = await worldOf({
      repositories: ["acme/code"],
      changes: [
        { afterMs: 2 * HOUR, repository: "acme/code", rename: { to: "other/code" } },
        { afterMs: HOUR, repository: "acme/code", visibility: "private" },
      ],
    });
    const code = async (login: string) => (await ask(world, "/repos/acme/code", login)).status;
    expect(await code("outsider")).toBe(200);
    await world.github.advance(HOUR);
    expect([await code("outsider"), await code("reader")]).toEqual([404, 200]);
    await world.github.advance(HOUR);
    expect([await code("outsider"), await code("reader")]).toEqual([404, 301]);
    expect((await ask(world, DOCS)).status).toBe(200);
  });

  test.each([[true], [false]])(
    "rename; another takes the former name: %s",
    async (isFormerTaken) => {
      const rename = { to: "acme/handbook", isFormerTaken };
      await using world = await worldOf({ changes: [{ afterMs: HOUR, rename }] });
      const { body: before } = await ask(world, DOCS);
      await world.github.advance(HOUR);
      const { status, body } = await ask(world, DOCS);
      expect(status).toBe(isFormerTaken ? 200 : 301);
      expect(body.id).not.toBe(before.id);
      expect((await ask(world, "/repos/acme/handbook")).body).toMatchObject({ id: before.id });
      expect(world.github.isHome("acme/docs")).toBe(!isFormerTaken);
    },
  );

  test("close issues as a bot, and no pull requests", async () => {
    await using world = await worldOf({
      changes: [{ afterMs: HOUR, issuesClosedBy: "stale[bot]" }],
    });
    const number = await world.github.openPull();
    expect((await ask(world, `${DOCS}/issues/1`)).body).toMatchObject({ state: "open" });
    await world.github.advance(HOUR);
    expect((await ask(world, `${DOCS}/issues/1`)).body).toMatchObject({
      state: "closed",
      closed_by: { login: "stale[bot]" },
    });
    expect((await ask(world, `${DOCS}/issues/${number}`)).body).toMatchObject({ state: "open" });
  });

  test("disable workflows", async () => {
    const workflows = { [FILE]: "disabled_inactivity" } as const;
    await using world = await worldOf({ changes: [{ workflows }] });
    expect((await ask(world, `${DOCS}/actions/workflows`)).body).toMatchObject({
      workflows: [{ path: FILE, state: "disabled_inactivity" }],
    });
  });
});
