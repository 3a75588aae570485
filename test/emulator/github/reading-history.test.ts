import { Octokit } from "@octokit/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../../emulator/local-world/repository-history.ts";
import { type GitHubRequest, History } from "../../../src/github/history.ts";
import { parsePathFilter } from "../../../src/inputs/path-filter.ts";
import { keyOf, type SourceCursor } from "../../../src/upkeep/changes.ts";
import { readRange } from "../../../src/upkeep/range.ts";
import { collectChanges, Walk } from "../../../src/upkeep/walk.ts";

let world: LocalWorld;
let history: RepositoryHistory;
let github: GitHubRequest;

beforeAll(async () => {
  world = await startLocalWorld({ issues: [] });
  history = new RepositoryHistory(world.github);
  github = new Octokit({ baseUrl: world.github.url, auth: world.github.token });
});

afterAll(() => world.close());

/** One look at a repository from a cursor on, as far as 60 requests reach. */
async function look(
  repository: string,
  cursor: SourceCursor,
  branch = "main",
  known: string[] = [],
) {
  const reader = new History(github, repository);
  const range = await readRange({
    history: reader,
    branch,
    cursor,
    since: { kind: "default" },
  });
  if ("problem" in range) throw new Error(range.problem);
  const paths = parsePathFilter("");
  if ("problem" in paths) throw new Error(paths.problem);
  const filters = { ignoreLabels: ["skip-docs"], ignoreAuthors: [], own: new Set<string>(), paths };
  const walk = new Walk(reader, range, {
    filters,
    isKnown: (key) => known.includes(key),
    left: () => 60 - reader.requests,
  });
  const { items, cursors, waiting } = await collectChanges([walk], 20);
  return {
    items: items.map(({ change, fate }) => [fate, keyOf(change)]),
    files: items.map(({ change }) => change.files?.map(({ path }) => path)),
    cursor: cursors.get(repository) as SourceCursor,
    waiting: waiting.length,
    requests: reader.requests,
  };
}

const here = async (): Promise<SourceCursor> => ({
  sha: await history.tip(),
  date: new Date().toISOString(),
});

test("merges of all three kinds and pushes are told apart", async () => {
  const start = await here();
  const two = (name: string) => [
    { message: `${name} one`, files: { [`${name}/1.ts`]: "1\n" } },
    { message: `${name} two`, files: { [`${name}/2.ts`]: "2\n" } },
  ];
  const merged = await history.land({ commits: two("m") }, "merge");
  const pushed = await history.push({ message: "Push", files: { "pushed.ts": "1\n" } });
  const rebased = await history.land({ commits: two("r") }, "rebase");
  const squashed = await history.land({ commits: two("s"), labels: ["skip-docs"] }, "squash");
  const found = await look("acme/docs", start);
  expect(found.items).toEqual([
    ["counts", `acme/docs#${merged.number}`],
    ["counts", `acme/docs@${pushed}`],
    ["counts", `acme/docs#${rebased.number}`],
    ["passed over", `acme/docs#${squashed.number}`],
  ]);
  expect(found.files).toEqual([
    ["m/1.ts", "m/2.ts"],
    ["pushed.ts"],
    ["r/1.ts", "r/2.ts"],
    undefined,
  ]);
  expect(found.cursor.sha).toBe(squashed.sha);
  expect((await look("acme/docs", found.cursor)).items).toEqual([]);
});

test("a branch with a slash in its name is read, and a force-push of it", async () => {
  const base = await history.tip();
  const body = { ref: "refs/heads/release/1.x", sha: base };
  await world.github.api("/git/refs", { method: "POST", body });
  const old = await history.push({ message: "Old" }, "release/1.x");
  const cursor = { sha: old, date: new Date().toISOString() };
  const sha = await history.forcePush(base, [{ message: "New" }], "release/1.x");
  const found = await look("acme/docs", cursor, "release/1.x");
  expect(found.items).toEqual([["counts", `acme/docs@${sha}`]]);
});

test("a commit that GitHub forgot is no obstacle", async () => {
  const base = await history.tip();
  const old = await history.push({ message: "Old" });
  const date = new Date(Date.now() - 1000).toISOString();
  const known = [`acme/docs@${base}`];
  const sha = await history.forcePush(base, [{ message: "New" }]);
  await history.forget(old);
  const { items } = await look("acme/docs", { sha: old, date }, "main", known);
  expect(items.at(-1)).toEqual(["counts", `acme/docs@${sha}`]);
});

test.each([
  ["squash", 20, 25],
  ["merge", 20, 35],
  ["rebase", 20, 53],
] as const)(
  "1,000 commits merged by %s are read within 60 requests",
  async (method, counting, most) => {
    const repository = `acme/large-${method}`;
    const sha = await history.grow({ repository, pulls: 200, method });
    const date = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
    const { items, waiting, requests } = await look(repository, { sha, date });
    expect(items).toHaveLength(counting);
    expect(waiting).toBe(200 - counting);
    expect(requests).toBe(most);
  },
);
