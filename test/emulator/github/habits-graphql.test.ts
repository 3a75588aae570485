import { describe, expect, test } from "vitest";
import {
  BAD_GATEWAY,
  GRAPHQL_FAILURE,
  GRAPHQL_LIMIT,
  GRAPHQL_SECONDARY_LIMIT,
} from "../../../emulator/github/faults.ts";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

const asking = (fields: string) => ({
  body: { query: `{ repository(owner: "acme", name: "docs") { ${fields} } }` },
});

describe("GraphQL", () => {
  test("says with status 200 that the hourly limit is exceeded, and does not say that nothing remains", () => {
    const { github, ask } = gitHub();
    github.addFault(GRAPHQL_LIMIT);
    const { status, headers, body } = ask("POST /graphql", asking("id"));
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([200, "37"]);
    expect(body).toMatchObject({ errors: [{ type: "RATE_LIMIT", code: "graphql_rate_limit" }] });
    expect(ask("POST /graphql", asking("id")).body).not.toMatchObject({
      errors: [{ type: "RATE_LIMIT" }],
    });
  });

  test("says with status 200 and only in words that a secondary limit is exceeded", () => {
    const { github, ask } = gitHub();
    github.addFault(GRAPHQL_SECONDARY_LIMIT);
    const message = expect.stringContaining("secondary rate limit");
    expect(ask("POST /graphql", asking("id"))).toMatchObject({
      status: 200,
      body: { errors: [{ message }] },
    });
  });

  test("leaves out what it likes of a query that costs too much", () => {
    const { github, ask } = gitHub();
    github.site.switches.mostRootFields = 1;
    const fields = `a: repository(owner: "acme", name: "docs") { databaseId }`;
    expect(ask("POST /graphql", { body: { query: `{ ${fields} }` } }).body).not.toHaveProperty(
      "errors",
    );
    const query = `{ ${fields} ${fields.replace("a:", "b:")} }`;
    expect(ask("POST /graphql", { body: { query } })).toMatchObject({
      status: 200,
      body: {
        data: { a: null, b: null },
        errors: [
          { type: "RESOURCE_LIMITS_EXCEEDED", path: ["a"] },
          { type: "RESOURCE_LIMITS_EXCEEDED", path: ["b"] },
        ],
      },
    });
  });

  test("fails without saying at what", () => {
    const { github, ask } = gitHub();
    github.addFault(GRAPHQL_FAILURE);
    const { status, body } = ask("POST /graphql", asking("id"));
    expect([status, body]).toEqual([
      200,
      { errors: [{ message: expect.stringContaining("Something went wrong") }] },
    ]);
  });

  test("answers an error beside the data if one pull request cannot be resolved, although REST lists it", () => {
    const { repository, get } = gitHub();
    for (let nth = 0; nth < 2; nth += 1) repository.openPull();
    repository.switches.unresolvable.add(2);
    const fields = "p1: pullRequest(number: 1) { number } p2: pullRequest(number: 2) { number }";
    expect(get("POST /graphql", asking(fields))).toMatchObject({
      data: { repository: { p1: { number: 1 }, p2: null } },
      errors: [{ path: ["repository", "p2"] }],
    });
    expect(get("GET /pulls/2")).toMatchObject({ number: 2 });
  });

  test("names who resolved a thread, but not if it was an app", () => {
    const { repository, get } = gitHub({ "a.md": "a\n" });
    repository.openPull({ author: AGENT, commits: [{ files: { "a.md": "b\n" } }] });
    const body = { body: "Wrong", path: "a.md", line: 1 };
    const thread = "pullRequest(number: 1) { reviewThreads(first: 1) { nodes { ";
    const read = () =>
      JSON.stringify(
        get("POST /graphql", asking(`${thread} isResolved resolvedBy { login } } } }`)),
      );
    get("POST /pulls/1/comments", { body });
    expect(read()).toContain('{"isResolved":false,"resolvedBy":null}');
    const [comment] = repository.reviewComments;
    if (comment === undefined) throw new Error("there is no comment");
    comment.isResolved = true;
    comment.resolvedBy = AGENT;
    expect(read()).toContain('{"isResolved":true,"resolvedBy":null}');
    comment.resolvedBy = "writer";
    expect(read()).toContain('{"isResolved":true,"resolvedBy":{"login":"writer"}}');
  });

  test("lists the comments of a thread by its ID, page by page", () => {
    const { repository, get } = gitHub({ "a.md": "a\n" });
    repository.openPull({ author: AGENT, commits: [{ files: { "a.md": "b\n" } }] });
    get("POST /pulls/1/comments", { body: { body: "First", path: "a.md", line: 1 } });
    const [first] = repository.reviewComments;
    if (first === undefined) throw new Error("there is no comment");
    const reply = { ...first, id: first.id + 1, body: "Second", in_reply_to_id: first.id };
    repository.add("reviewComments", reply);
    const threads = "pullRequest(number: 1) { reviewThreads(first: 9) { nodes { id } } }";
    const id = `PRRT_${first.id}`;
    expect(get("POST /graphql", asking(threads))).toMatchObject({
      data: { repository: { pullRequest: { reviewThreads: { nodes: [{ id }] } } } },
    });
    const comments = 'comments(first: 1, after: "1") { pageInfo { hasNextPage } nodes { body } }';
    const query = `{ node(id: "${id}") { ... on PullRequestReviewThread { ${comments} } } }`;
    expect(get("POST /graphql", { body: { query } })).toMatchObject({
      data: {
        node: { comments: { pageInfo: { hasNextPage: false }, nodes: [{ body: "Second" }] } },
      },
    });
  });

  test("gives the newest opinion of each writer, however many reviews others leave", () => {
    const { repository, get, ask } = gitHub();
    repository.openPull({ author: AGENT });
    const review = (as: string, event: string) =>
      ask("POST /pulls/1/reviews", { body: { event, body: "x" }, as });
    review("writer", "APPROVE");
    review("writer", "REQUEST_CHANGES");
    review("writer", "COMMENT");
    for (let nth = 0; nth < 3; nth++) review("outsider", "APPROVE");
    const opinions = (args: string) =>
      get(
        "POST /graphql",
        asking(
          `pullRequest(number: 1) { latestOpinionatedReviews(${args}) { totalCount nodes { state author { login } } } }`,
        ),
      );
    const ofWriter = { state: "CHANGES_REQUESTED", author: { login: "writer" } };
    expect(opinions("first: 9, writersOnly: true")).toMatchObject({
      data: {
        repository: {
          pullRequest: { latestOpinionatedReviews: { totalCount: 1, nodes: [ofWriter] } },
        },
      },
    });
    expect(JSON.stringify(opinions("first: 9"))).toContain('"totalCount":2');
  });

  test("shows comments that are not submitted yet only to who writes them", () => {
    const { repository, get, ask } = gitHub({ "a.md": "a\n" });
    repository.openPull({ author: AGENT, commits: [{ files: { "a.md": "b\n" } }] });
    const comments = [{ path: "a.md", line: 1, body: "Wrong" }];
    ask("POST /pulls/1/reviews", { body: { body: "", comments }, as: "writer" });
    const fields = "pullRequest(number: 1) { reviewThreads(first: 9) { totalCount } }";
    const countFor = (as: string) =>
      JSON.stringify(get("POST /graphql", { ...asking(fields), as }));
    expect(countFor("writer")).toContain('"totalCount":1');
    expect(countFor("maintainer")).toContain('"totalCount":0');
  });

  test("leaves out the ending of a bot's login, and knows the token's own comments", () => {
    const { repository, get } = gitHub();
    const pull = repository.openPull({ author: AGENT });
    repository.comment(pull, "x", WORKFLOW);
    repository.comment(pull, "y", "writer");
    const fields =
      "pullRequest(number: 1) { author { login } comments(first: 9) { nodes { viewerDidAuthor } } }";
    expect(get("POST /graphql", { ...asking(fields), as: WORKFLOW })).toMatchObject({
      data: {
        repository: {
          pullRequest: {
            author: { login: "docs-agent" },
            comments: { nodes: [{ viewerDidAuthor: true }, { viewerDidAuthor: false }] },
          },
        },
      },
    });
  });

  test("sorts tags by their commits' dates, but annotated ones by their tagger's", () => {
    const { repository, get } = gitHub();
    const at = (day: number) => new Date(Date.UTC(2026, 3, day));
    const [first = "", second = ""] = [1, 2].map((day) => repository.push({ at: at(day) }));
    repository.setRef("refs/tags/v2", second);
    repository.tag("v1", first, at(3));
    const target = "__typename ... on Tag { target { ... on Commit { oid } } }";
    const order = "orderBy: { field: TAG_COMMIT_DATE, direction: DESC }";
    const fields = `refs(refPrefix: "refs/tags/", first: 9, ${order}) { nodes { name target { ${target} } } }`;
    expect(get("POST /graphql", asking(fields))).toMatchObject({
      data: {
        repository: {
          refs: {
            nodes: [
              { name: "v1", target: { __typename: "Tag", target: { oid: first } } },
              { name: "v2", target: { __typename: "Commit" } },
            ],
          },
        },
      },
    });
    // REST takes the name of such a tag for its commit.
    expect(get("GET /commits/v1")).toMatchObject({ sha: first });
    expect(get("GET /compare/v1...main")).toMatchObject({ ahead_by: 1 });
    expect(get("GET /git/ref/tags/v1")).toMatchObject({ object: { type: "tag" } });
  });

  test("finds a repository by its former name", () => {
    const { repository, get } = gitHub();
    repository.openPull();
    repository.rename("acme/handbook");
    const answer = get("POST /graphql", asking("pullRequest(number: 1) { number }"));
    expect(answer).toMatchObject({ data: { repository: { pullRequest: { number: 1 } } } });
  });

  test("makes a review of each comment on a line, and says that apps can push", () => {
    const { repository, get } = gitHub({ "a.md": "a\n" });
    repository.openPull({ commits: [{ files: { "a.md": "b\n" } }] });
    get("POST /pulls/1/comments", { body: { body: "x", path: "a.md", line: 1 }, as: AGENT });
    const fields =
      "pullRequest(number: 1) { reviews(last: 9) { nodes { state authorCanPushToRepository } } }";
    const nodes = [{ state: "COMMENTED", authorCanPushToRepository: true }];
    expect(get("POST /graphql", asking(fields))).toMatchObject({
      data: { repository: { pullRequest: { reviews: { nodes } } } },
    });
  });

  test("gives at most 100 of a list at once", () => {
    const { repository, get } = gitHub();
    repository.openPull();
    const fields = "pullRequest(number: 1) { commits(first: 101) { totalCount } }";
    expect(get("POST /graphql", asking(fields))).toMatchObject({
      errors: [{ type: "EXCESSIVE_PAGINATION" }],
    });
  });
});

test("a server error can be a page of HTML, and any answer can be replaced", () => {
  const { github, ask } = gitHub();
  github.addFault(BAD_GATEWAY);
  const { status, headers, body } = ask<string>("GET /issues");
  expect([status, headers["content-type"]]).toEqual([502, "text/html"]);
  expect(body).toMatch(/^<html>/);
  const headers429 = { "retry-after": "7" };
  github.addFault({ status: 429, headers: headers429, message: "secondary rate limit", times: 2 });
  for (const left of [429, 429, 200]) expect(ask("GET /issues").status).toBe(left);
});
