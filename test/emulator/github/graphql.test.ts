import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Octokit } from "@octokit/core";
import { buildSchema, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { AGENT } from "../../../emulator/github/people.ts";
import { History } from "../../../src/github/history.ts";
import { gitHub } from "./ask.ts";

type Data = Record<string, unknown>;
type Reply = {
  data?: { repository: { pullRequest: Data | null } | null };
  errors?: { type: string; path: unknown }[];
};

const BOT = "github-actions[bot]";
const world = () => {
  const site = gitHub({ "a.md": "One\n" });
  const { repository, get } = site;
  const commits = [{ files: { "a.md": "Two\n" } }];
  const pull = repository.openPull({ author: AGENT, branch: "docs", commits });
  const tell = (fields: string, as = BOT, number = pull.number, name = "docs") => {
    const query = `{ repository(owner: "acme", name: "${name}") { pullRequest(number: ${number}) { ${fields} } } }`;
    return get<Reply>("POST /graphql", { body: { query }, as });
  };
  const told = (fields: string) => tell(fields).data?.repository?.pullRequest;
  const check = (name: string, fields: object, as = BOT) =>
    get("POST /check-runs", { body: { name, head_sha: pull.head, ...fields }, as });
  return { ...site, pull, tell, told, check };
};

describe("GitHub's own schema", () => {
  const path = import.meta.resolve("@octokit/graphql-schema").replace("index.js", "schema.graphql");
  const whole = buildSchema(readFileSync(fileURLToPath(path), "utf8"), { assumeValid: true });

  test("takes every query of the action", async () => {
    const asked: string[] = [];
    const graphql = async (query: string) => asked.push(query);
    const history = new History({ graphql } as unknown as Octokit, "acme/docs");
    await history.commitsOfPulls([1, 2]).catch(() => {});
    await history.newestTags().catch(() => {});
    const folder = join(import.meta.dirname, "../../../src/github");
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), "utf8");
      const written = text.matchAll(/[`"]((?:query|mutation) \([^`]+?\}\s*)[`"]/g);
      asked.push(...[...written].map(([, query = ""]) => query).filter((it) => !it.includes("${")));
    }
    expect(asked.length).toBeGreaterThanOrEqual(4);
    for (const query of asked) expect(validate(whole, parse(query))).toEqual([]);
  });
});

test("a pull request is told with its people, lines and merge", () => {
  const { repository, pull, told } = world();
  const bot = { author: { email: `${AGENT}@users.noreply.github.com`, user: null } };
  const person = {
    author: { email: "writer@users.noreply.github.com", user: { login: "writer" } },
  };
  expect(
    told(`number state mergedAt author { __typename login } headRefOid headRefName baseRefName
      mergeable mergeStateStatus isMergeQueueEnabled changedFiles deletions
      commits(first: 9) { totalCount nodes { commit { author { email user { login } } } } }`),
  ).toEqual({
    ...{ number: pull.number, state: "OPEN", mergedAt: null, headRefOid: pull.head },
    author: { __typename: "Bot", login: "docs-agent" },
    ...{ headRefName: "docs", baseRefName: "main", mergeable: "MERGEABLE" },
    ...{ mergeStateStatus: "CLEAN", isMergeQueueEnabled: false, changedFiles: 1, deletions: 1 },
    commits: { totalCount: 1, nodes: [{ commit: bot }] },
  });
  repository.push({}, "docs");
  expect(told("commits(last: 1) { nodes { commit { author { email user { login } } } } }")).toEqual(
    {
      commits: { nodes: [{ commit: person }] },
    },
  );
});

test("how a pull request stands follows its branch, its rule, and time", () => {
  const { github, repository, pull, told, get, refusal } = world();
  const stand = (mergeable: string, mergeStateStatus: string, state = "OPEN") =>
    expect(told("mergeable mergeStateStatus state")).toEqual({
      mergeable,
      mergeStateStatus,
      state,
    });
  repository.mergeRule = { queue: true };
  stand("MERGEABLE", "CLEAN");
  expect(told("isMergeQueueEnabled")).toEqual({ isMergeQueueEnabled: true });
  expect(refusal(`PUT /pulls/${pull.number}/merge`)).toMatch(/^405 .*merge queue/);
  repository.mergeRule = { upToDate: true };
  repository.push();
  stand("MERGEABLE", "BEHIND");
  repository.mergeRule = { approvals: 1 };
  stand("MERGEABLE", "BLOCKED");
  github.site.isMergeabilityLate = true;
  repository.push({ files: { "a.md": "Three\n" } });
  expect(get(`GET /pulls/${pull.number}`)).toMatchObject({ mergeable: null });
  stand("CONFLICTING", "DIRTY");
  repository.push({ files: { "a.md": "Two\n" } });
  stand("UNKNOWN", "UNKNOWN");
  stand("MERGEABLE", "BLOCKED");
  repository.mergeRule = {};
  repository.merge(pull);
  stand("UNKNOWN", "UNKNOWN", "MERGED");
});

test("each app's newest run of a name, and the newest status of a context, are a head's checks", () => {
  const { pull, told, tell, check, get, github, repository } = world();
  const fields = `statusCheckRollup { contexts(first: 9) { totalCount nodes { __typename
    ... on CheckRun { name status conclusion title annotations(first: 5) { nodes { path message location { start { line } } } } }
    ... on StatusContext { context state description } } } }`;
  expect(told(fields)).toEqual({ statusCheckRollup: null });
  check("lint", { conclusion: "success" });
  check("lint", { status: "in_progress" });
  const annotation = { path: "a.md", start_line: 2, end_line: 3, message: "No." };
  const output = { title: "Bad", summary: "It is", annotations: [annotation] };
  check("lint", { conclusion: "timed_out", output }, AGENT);
  for (const state of ["pending", "error"]) {
    get(`POST /statuses/${pull.head}`, { body: { state, context: "ci" } });
  }
  const found = { path: "a.md", message: "No.", location: { start: { line: 2 } } };
  const nodes = [
    { status: "IN_PROGRESS", conclusion: null, title: null, annotations: { nodes: [] } },
    {
      ...{ status: "COMPLETED", conclusion: "TIMED_OUT", title: "Bad" },
      annotations: { nodes: [found] },
    },
  ].map((node) => ({ __typename: "CheckRun", name: "lint", ...node }));
  const status = { __typename: "StatusContext", context: "ci", state: "ERROR", description: null };
  const contexts = { totalCount: 3, nodes: [...nodes, status] };
  expect(told(fields)).toEqual({ statusCheckRollup: { contexts } });
  const at = ["repository", "pullRequest", "statusCheckRollup"];
  github.restrict(BOT, { statuses: "none" });
  const left = { statusCheckRollup: { contexts: { nodes: [...nodes, null] } } };
  expect(tell(fields)).toMatchObject({
    data: { repository: { pullRequest: left } },
    errors: [{ type: "FORBIDDEN", path: [...at, "contexts", "nodes", 2] }],
  });
  github.restrict(BOT, { statuses: "none", checks: "none" });
  expect(tell(fields).errors).toMatchObject([{ type: "FORBIDDEN", path: at }]);
  repository.push({}, "docs");
  github.restrict(BOT, {});
  expect(told(fields)).toEqual({ statusCheckRollup: null });
});

test("reviews say who may push, and threads whether they are resolved", () => {
  const { github, pull, tell, told, get } = world();
  const comment = { path: "a.md", line: 1, body: "Why?" };
  const review = { event: "REQUEST_CHANGES", comments: [comment] };
  const path = `/pulls/${pull.number}`;
  get(`POST ${path}/reviews`, { body: review, as: "writer" });
  get(`POST ${path}/comments`, { body: { ...comment, body: "Because." }, as: "outsider" });
  // Nobody else sees a review that is not submitted.
  get(`POST ${path}/reviews`, { body: {}, as: "maintainer" });
  for (const as of ["writer", BOT]) {
    get(`POST /issues/${pull.number}/comments`, { body: { body: "Done" }, as });
  }
  const commit = { oid: pull.head };
  const mayPush = (authorCanPushToRepository: boolean) => ({ authorCanPushToRepository });
  const fields = `comments(first: 9) { nodes { viewerDidAuthor } }
    reviews(last: 9) { nodes { authorCanPushToRepository state commit { oid } } }
    reviewThreads(last: 9) { nodes { isResolved path line comments(first: 5) { nodes {
      author { login } body pullRequestReview { authorCanPushToRepository } } } } }`;
  const words = [
    { author: { login: "writer" }, body: "Why?", pullRequestReview: mayPush(true) },
    { author: { login: "outsider" }, body: "Because.", pullRequestReview: mayPush(false) },
  ];
  const threads = words.map((one) => ({
    ...{ isResolved: false, path: "a.md", line: 1, comments: { nodes: [one] } },
  }));
  expect(told(fields)).toEqual({
    comments: { nodes: [{ viewerDidAuthor: false }, { viewerDidAuthor: true }] },
    reviews: {
      nodes: [
        { ...mayPush(true), state: "CHANGES_REQUESTED", commit },
        { ...mayPush(false), state: "COMMENTED", commit },
      ],
    },
    reviewThreads: { nodes: threads },
  });
  const errors = [{ type: "FORBIDDEN" }];
  github.restrict(BOT, { pull_requests: "none" });
  expect(tell("number")).toMatchObject({ data: { repository: { pullRequest: null } }, errors });
});

test.each([
  ["an unknown repository", "NOT_FOUND", "number", 1, "none"],
  ["an unknown pull request", "NOT_FOUND", "number", 99, "docs"],
  ["a list without a bound", "MISSING_PAGINATION_BOUNDARIES", "commits { totalCount }", 1, "docs"],
  ["too long a list", "EXCESSIVE_PAGINATION", "commits(first: 101) { totalCount }", 1, "docs"],
])("%s is an entry of `errors` beside the data", (_, type, fields, number, name) => {
  expect(world().tell(fields, BOT, number, name)).toMatchObject({ data: {}, errors: [{ type }] });
});
