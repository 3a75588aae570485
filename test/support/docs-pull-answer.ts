/** What GitHub answers about a docs pull request, and what is read from that. */

import { expect } from "vitest";
import { type DocsPull, docsPullAt } from "../../src/github/changes/docs-pull.ts";
import { json } from "./answers.ts";
import { connectClient } from "./github-client.ts";
import { knownValue } from "./known.ts";

/** The author or committer of a commit. */
export type Person = { email: string; user: { login: string } | null };

/** A commit of its branch. @param parents SHAs */
export const commitAnswer = (
  author: Person | null,
  committer = author,
  oid = "Write a page",
  parents: readonly string[] = ["base"],
) => ({
  commit: {
    oid,
    message: oid,
    parents: { nodes: parents.map((parent) => ({ oid: parent })) },
    author,
    committer,
  },
});

/** Whoever made the first commit, a person, and GitHub itself. */
export const AGENT: Person = { email: "agent@docs.example", user: null };
export const ADA: Person = { email: "ada@example.com", user: { login: "ada" } };
export const WEB: Person = { email: "noreply@github.com", user: { login: "web-flow" } };

const PULL = {
  id: "PR_7",
  url: "https://github.com/acme/docs/pull/7",
  state: "OPEN",
  title: "Describe webhooks",
  body: "",
  reviewDecision: null,
  labels: { nodes: [] },
  baseChanges: { nodes: [] },
  isDraft: false,
  isLocked: false,
  createdAt: "2026-11-01T00:00:00Z",
  endedAt: null,
  author: { login: "docs-bot" },
  head: "head",
  branch: "docs/x",
  base: "main",
  isConflicting: "MERGEABLE",
  mergeState: "CLEAN",
  hasMergeQueue: false,
  isInMergeQueue: false,
  changedFiles: 2,
  commits: { totalCount: 1, nodes: [commitAnswer(AGENT)] },
  writersOpinions: listOf([]),
  opinions: listOf([]),
  newestReviews: listOf([]),
  reviewThreads: listOf([]),
  comments: { nodes: [] },
  statusCheckRollup: null,
  headCommit: { nodes: [{ commit: { oid: "head", checkSuites: listOf([]) } }] },
};

/** A list that was read as a whole. */
function listOf<T>(nodes: T[]) {
  return { totalCount: nodes.length, nodes, pageInfo: { hasNextPage: false, endCursor: null } };
}

/** Its checks. */
export const rollupOf = (nodes: object[]) => ({ statusCheckRollup: { contexts: listOf(nodes) } });

const REPOSITORY = { databaseId: 5, nameWithOwner: "acme/handbook" };

/** What is read from GitHub's answer. @param login of the token's account */
export async function readDocsPull(
  over: object,
  allowedCommitters: string[] = [],
  login = "ci[bot]",
): Promise<DocsPull> {
  const { server, connect } = connectClient();
  const repository = { ...REPOSITORY, pullRequest: { ...PULL, ...over } };
  server.on("POST /graphql", json(200, { data: { viewer: { login }, repository } }));
  const place = {
    repository: "acme/docs",
    number: 7,
    allowedCommitters,
    updatedFrom: ["judged"],
    ownMark: "own:",
  };
  const read = knownValue(await docsPullAt(await connect(), place));
  expect(String(server.requests[0]?.body)).toContain("annotations(first: 50)");
  return read;
}
