import { describe, expect, test } from "vitest";
import { PULL } from "../../test/support/history-answers.ts";
import type { ReadingClient } from "../github/api/repository.ts";
import type { Fact } from "../runtime/fact.ts";
import { GateReader } from "./gate-reader.ts";

type Status = { state: string; description: string | null; targetUrl: null; createdAt: string };

const HEAD = { updatedAt: "2026-05-01T10:00:00Z", headRefOid: "abc" };

function node(number: number, status: Status | null) {
  const commit = { status: status === null ? null : { context: status } };
  return { number, ...HEAD, commits: { nodes: [{ commit }] } };
}

/** A reader that gets these pages of open pull requests, and the queries that it made. */
function readerOf(pages: object[][]) {
  const queries: string[] = [];
  const github: ReadingClient = {
    request: () => Promise.reject(new Error("no request was expected")),
    graphql: async (query) => {
      const nodes = pages[queries.push(query) - 1] ?? [];
      const hasNextPage = queries.length < pages.length;
      const endCursor = hasNextPage ? `after ${queries.length}` : null;
      return { repository: { pullRequests: { pageInfo: { hasNextPage, endCursor }, nodes } } };
    },
  };
  return { reader: readerWith(github), queries };
}

function readerWith(github: ReadingClient): GateReader {
  return new GateReader(github, "acme/code", () => Promise.reject(new Error("not expected")));
}

function listOf<T>(fact: Fact<readonly T[]>): readonly T[] {
  if (fact.type !== "known") throw new Error(`The list is ${fact.type}.`);
  return fact.value;
}

describe("the open pull requests", () => {
  test("are those of all pages", async () => {
    const { reader, queries } = readerOf([[node(1, null)], [node(2, null)], [node(3, null)]]);
    const pulls = listOf(await reader.openPulls("docs gate"));
    expect(pulls.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(queries.map((query) => /after: (\S.*?)\)/.exec(query)?.[1])).toEqual([
      "null",
      '"after 1"',
      '"after 2"',
    ]);
  });

  test("of more than 2,000 are not read to the end", async () => {
    const { reader, queries } = readerOf(Array.from({ length: 30 }, () => [node(1, null)]));
    expect(listOf(await reader.openPulls("docs gate"))).toHaveLength(20);
    expect(queries).toHaveLength(20);
  });

  test("have the status of a name with any characters", async () => {
    const createdAt = "2026-05-01T11:00:00Z";
    const known = { state: "SUCCESS", description: null, targetUrl: null, createdAt };
    const { reader, queries } = readerOf([[node(1, known), node(2, null)]]);
    const [first, second] = listOf(await reader.openPulls('docs "gate"'));
    const setAt = Date.parse(createdAt);
    const status = { state: "success", description: "", targetUrl: null, setAt };
    expect(first).toEqual({ number: 1, head: "abc", updatedAt: setAt - 3_600_000, status });
    expect(second?.status).toBeNull();
    expect(queries[0]).toContain(String.raw`context(name: "docs \"gate\"")`);
  });
});

describe("the open pull requests of a commit", () => {
  const OPEN = { ...PULL, state: "open" };

  test.each<[string, object, number]>([
    ["that are open", OPEN, 1],
    ["whatever the case of the name", { ...OPEN, html_url: "https://x/Acme/Code/pull/7" }, 1],
    ["but not one that is closed", PULL, 0],
    [
      "but not one of the upstream repository",
      { ...OPEN, html_url: "https://x/up/code/pull/7" },
      0,
    ],
  ])("are those of the repository %s", async (_, pull, count) => {
    const github: ReadingClient = {
      request: async () => ({ data: [pull], headers: {} }),
      graphql: () => Promise.reject(new Error("no query was expected")),
    };
    const pulls = await readerWith(github).openPullsOf("abc");
    expect(listOf(pulls)).toHaveLength(count);
  });
});
