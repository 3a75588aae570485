import { describe, expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { known, whyUnknown } from "../../runtime/fact.ts";
import { limitDelay } from "../api/limits.ts";
import { HistoryReader } from "./history-reader.ts";
import { commitsOf as readCommits } from "./landed-changes.ts";

const secondary = "You have exceeded a secondary rate limit. Please wait a few minutes.";
const documentation_url = "https://docs.github.com/graphql";
const LIMITS: [name: string, answer: object][] = [
  ["the documented type", { errors: [{ type: "RATE_LIMITED", message: "Wait" }] }],
  ["the type that GitHub sends", { errors: [{ type: "RATE_LIMIT", message: "Wait" }] }],
  ["a code", { errors: [{ extensions: { code: "graphql_rate_limit" }, message: "Wait" }] }],
  ["words in an error", { data: null, errors: [{ message: secondary }] }],
  ["words alone", { message: secondary, documentation_url }],
];

describe("a limit that GraphQL reports with status 200", () => {
  test.each(LIMITS)("is known by %s", (_, answer) => {
    const text = JSON.stringify(answer);
    expect(limitDelay(200, {}, text)).toBe(60_000);
    expect(limitDelay(200, { "retry-after": "7" }, text)).toBe(7_000);
  });

  test.each([
    ["a text that somebody wrote", { data: { title: "Explain the rate limit" } }],
    ["such a text beside another error", { data: { title: secondary }, errors: [{}] }],
    ["another error", { errors: [{ type: "NOT_FOUND", message: "Could not resolve" }] }],
    ["a commit's message", { sha: "a", message: secondary }],
    ["a list", [{ message: secondary, documentation_url }]],
  ])("is not %s", (_, answer) => {
    expect(limitDelay(200, {}, JSON.stringify(answer))).toBeNull();
  });

  test("is not a page of another server", () => {
    expect(limitDelay(200, {}, "<html>rate limit</html>")).toBeNull();
  });
});

/** The commits of twelve pull requests, asked for once. */
async function commitsOf(answer: object) {
  const { server, connect } = connectClient();
  server.on("POST /graphql", json(200, answer));
  const history = new HistoryReader(await connect(), "acme/code");
  const numbers = Array.from({ length: 12 }, (_, nth) => nth + 1);
  const fact = await readCommits(numbers, history);
  const result = fact.type === "known" ? [...fact.value.keys()] : whyUnknown(fact);
  return { result, requests: server.requests.length };
}

test.each(LIMITS)(
  "after a limit, known by %s, GitHub is not asked more often",
  async (_, answer) => {
    expect((await commitsOf(answer)).requests).toBe(1);
  },
);

const commits = { totalCount: 0, nodes: [] };
const data = Object.fromEntries(
  Array.from({ length: 12 }, (_, nth) => {
    const pullRequest: object | null = { number: nth + 1, commits };
    return [`q${nth}_repository`, { pullRequest }];
  }),
);
const message = "Could not resolve";

test("one pull request that GitHub cannot resolve is missing, and the others are read", async () => {
  const errors = [{ type: "NOT_FOUND", path: ["q1_repository", "pullRequest"], message }];
  const { result, requests } = await commitsOf({
    data: { ...data, q1_repository: { pullRequest: null } },
    errors,
  });
  expect(result).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(requests).toBe(1);
});

const errors = [{ type: "NOT_FOUND", path: ["q1_repository"], message }];

test.each([{ data: null, errors }, { errors }])(
  "without data, the error is GitHub's: %#",
  async (answer) => {
    expect((await commitsOf(answer)).result).toContain("Could not resolve");
  },
);

test("of a pull request of which a commit is lost, the own commits are not known", async () => {
  const { server, connect } = connectClient();
  const pullRequest = { number: 1, commits: { totalCount: 1, nodes: [null] } };
  server.on("POST /graphql", json(200, { data: { repository: { pullRequest } } }));
  const history = new HistoryReader(await connect(), "acme/code");
  expect(await history.ownCommits(1)).toEqual(known(null));
});
