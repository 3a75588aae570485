import { expect, test } from "vitest";
import { clientOf } from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { known } from "../../runtime/fact.ts";
import { HistoryReader } from "./history-reader.ts";
import { commitsOf } from "./landed-changes.ts";

/** A repository of which GraphQL answers these fields. */
async function graphOf(repository: object): Promise<HistoryReader> {
  return new HistoryReader(await clientOf(() => [200, { data: { repository } }]), "acme/code");
}

test("of releases, those that are published have tags, the newest first", async () => {
  const release = (tagName: string, publishedAt: string | null, more = {}) => ({
    tagName,
    publishedAt,
    isDraft: false,
    isPrerelease: false,
    tagCommit: { oid: `of ${tagName}` },
    ...more,
  });
  const nodes = [
    release("v3", "2026-05-04T00:00:00Z", { isPrerelease: true }),
    release("v4", null, { isDraft: true }),
    release("v2", "2026-05-01T00:00:00Z"),
    release("v5", null),
    release("v1.1", "2026-05-03T00:00:00Z"),
    release("v1.2", "2026-05-04T00:00:00Z", { tagCommit: null }),
  ];
  expect(await (await graphOf({ releases: { nodes } })).releases()).toEqual(
    known([
      { name: "v1.1", sha: "of v1.1", isCommit: true },
      { name: "v2", sha: "of v2", isCommit: true },
    ]),
  );
  expect(await (await graphOf({ releases: { nodes: [] } })).releases()).toEqual(known([]));
  expect(await (await graphOf({})).releases()).toMatchObject({ type: "unread", cause: "unusable" });
});

test("a tag names a commit, itself or by its message, and that of another tag", async () => {
  const nodes = [
    { name: "plain", target: { oid: "a" } },
    { name: "annotated", target: { oid: "x", target: { oid: "b" } } },
    { name: "of a tag", target: { oid: "x", target: { oid: "y", target: { oid: "c" } } } },
    { name: "gone", target: null },
  ];
  const tags = knownValue(await (await graphOf({ refs: { nodes } })).newestTags());
  expect(tags.map(({ name, sha }) => [name, sha])).toEqual([
    ["plain", "a"],
    ["annotated", "b"],
    ["of a tag", "c"],
  ]);
});

test("the own commits of pull requests are asked for in halves if GitHub fails", async () => {
  const asked: number[] = [];
  const github = await clientOf(({ body }) => {
    const { variables } = JSON.parse(body) as { variables: Record<string, unknown> };
    const numbers = Object.entries(variables).filter(([name]) => name.endsWith("number"));
    asked.push(numbers.length);
    if (numbers.length > 3) return [502, "timeout"];
    const commits = { totalCount: 0, nodes: [] };
    const data = numbers.map(([name, number]) => {
      return [name.replace("number", "repository"), { pullRequest: { number, commits } }];
    });
    return [200, { data: Object.fromEntries(data) }];
  });
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const own = knownValue(await commitsOf(numbers, new HistoryReader(github, "acme/code")));
  expect([...own.keys()]).toEqual(numbers);
  expect(asked).toEqual([7, 4, 2, 2, 3]);
});
