import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

interface Made {
  sha: string;
}

const REF = "refs/docs-agent/upkeep/KEY";
const path = REF.replace("refs/", "");

/** Creates a commit with a file, as an action does. */
function commitFile({ get }: ReturnType<typeof gitHub>, parent: string, text: string): string {
  const tree = [{ path: "ledger.json", mode: "100644", type: "blob", content: text }];
  const made = get<Made>("POST /git/trees", { body: { base_tree: parent, tree } });
  const commit = { message: text, tree: made.sha, parents: [parent] };
  return get<Made>("POST /git/commits", { body: commit, as: "github-actions[bot]" }).sha;
}

test("a ref of any name is created once, and moves only forward unless it is forced", () => {
  const github = gitHub();
  const { repository, get, refusal } = github;
  const start = repository.tip();
  expect(refusal(`GET /git/ref/${path}`)).toMatch(/^404/);
  const [first, second] = [commitFile(github, start, "one"), commitFile(github, start, "two")];
  get("POST /git/refs", { body: { ref: REF, sha: start } });
  const again = refusal("POST /git/refs", { body: { ref: REF, sha: first } });
  expect(again).toBe("422 Reference already exists");
  const move = (sha: string, more = {}) =>
    refusal(`PATCH /git/refs/${path}`, { body: { sha, ...more } });
  get(`PATCH /git/refs/${path}`, { body: { sha: first } });
  expect(move(second)).toBe("422 Update is not a fast forward");
  expect(get(`GET /git/ref/${path}`)).toMatchObject({ ref: REF, object: { sha: first } });
  get(`PATCH /git/refs/${path}`, { body: { sha: second, force: true } });
  expect(move("0".repeat(40))).toBe("422 Object does not exist");
  expect(get("GET /git/matching-refs/docs-agent/")).toMatchObject([{ ref: REF }]);
  expect(get(`GET /contents/ledger.json?ref=${first}`)).toMatchObject({ size: 3 });
  repository.setRef(REF, null);
  expect(move(first)).toBe("422 Reference does not exist");
});

test.each([
  ["heads/x", /^422 Reference name must begin with refs/],
  ["refs/x", /^422 .*at least two slashes/],
  ["refs/heads/a..b", /^422 .*not a valid ref name/],
  ["refs/heads/a b", /^422 .*not a valid ref name/],
  ["refs/heads/main", /^422 Reference already exists/],
])("the ref %s is refused", (ref, message) => {
  const { repository, refusal } = gitHub();
  expect(refusal("POST /git/refs", { body: { ref, sha: repository.tip() } })).toMatch(message);
});

test("an empty repository refuses git data", () => {
  const { repository, refusal } = gitHub();
  const sha = repository.tip();
  repository.setRef("refs/heads/main", null);
  for (const request of ["refs", "trees", "commits"]) {
    const body = { ref: "refs/heads/x", sha, content: "x", message: "x", tree: [] };
    expect(refusal(`POST /git/${request}`, { body })).toBe("409 Git Repository is empty.");
  }
});

test("GraphQL returns tags sorted by the dates of their commits", () => {
  const { repository, get } = gitHub();
  const at = (day: number) => new Date(Date.UTC(2030, 0, day));
  const [older = "", newer = ""] = [1, 2].map((day) => repository.push({ at: at(day) }));
  repository.setRef("refs/tags/v2", newer);
  repository.setRef("refs/tags/v10", older);
  expect(get("GET /commits/v2")).toMatchObject({ sha: newer });
  const commit = "... on Commit { oid committedDate }";
  const query = `query ($first: Int!) { repository(owner: "acme", name: "docs") {
    refs(refPrefix: "refs/tags/", first: $first, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      nodes { name target { ${commit} ... on Tag { target { ${commit} } } } } pageInfo { hasNextPage } } } }`;
  const { data } = get("POST /graphql", { body: { query, variables: { first: 1 } } });
  const target = { oid: newer, committedDate: "2030-01-02T00:00:00Z" };
  expect(data).toEqual({
    repository: { refs: { nodes: [{ name: "v2", target }], pageInfo: { hasNextPage: true } } },
  });
  const invalid = { query: "{ repository(owner: 1) { nothing } }" };
  expect(get("POST /graphql", { body: invalid })).toHaveProperty("errors");
});

test("GraphQL returns releases with the commits of their tags, and drafts only to those who may push", () => {
  const { repository, get } = gitHub();
  const released = repository.tip();
  get("POST /releases", { body: { tag_name: "v1" } });
  repository.push();
  get("POST /releases", { body: { tag_name: "v2", draft: true } });
  const query = `{ repository(owner: "acme", name: "docs") {
    releases(first: 9) { nodes { tagName isDraft isPrerelease tagCommit { oid } } } } }`;
  const releasesFor = (as: string) => get("POST /graphql", { body: { query }, as });
  const nodes = [
    { tagName: "v1", isDraft: false, isPrerelease: false, tagCommit: { oid: released } },
  ];
  expect(releasesFor("reader")).toEqual({ data: { repository: { releases: { nodes } } } });
  const draft = { tagName: "v2", isDraft: true, isPrerelease: false, tagCommit: null };
  expect(releasesFor("writer")).toEqual({
    data: { repository: { releases: { nodes: [draft, ...nodes] } } },
  });
});

describe("contents", () => {
  test("are returned in JSON up to a megabyte, and raw beyond", () => {
    const large = "x".repeat(1024 * 1024 + 1);
    const { get, ask, refusal } = gitHub({ "docs/a.md": "# Ä\n", "large.txt": large });
    const { content } = get<{ content: string }>("GET /contents/docs/a.md");
    expect(Buffer.from(content, "base64").toString()).toBe("# Ä\n");
    expect(refusal("GET /contents/large.txt")).toMatch(/^403 This API returns blobs up to 1 MB/);
    const accept = "application/vnd.github.raw+json";
    expect(ask<string>("GET /contents/large.txt", { accept }).body).toHaveLength(large.length);
    expect(refusal("GET /contents/none.md")).toMatch(/^404/);
    expect(refusal("GET /contents/docs/a.md?ref=none")).toMatch(/^404/);
  });
});
