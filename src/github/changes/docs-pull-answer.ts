/** The question about a docs pull request, and the fields of GitHub's answer to it. */

import * as z from "zod/mini";
import { textOrEmpty as text } from "../api/answer.ts";

export const DOCS_PULL_QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      url state isDraft author { login } createdAt endedAt: closedAt
      head: headRefOid branch: headRefName base: baseRefName
      isConflicting: mergeable mergeState: mergeStateStatus hasMergeQueue: isMergeQueueEnabled
      changedFiles deletedLines: deletions
      commits(first: 100) {
        totalCount
        nodes { commit { committedDate author { email user { login } } committer { email user { login } } } }
      }
      reviews(last: 100) {
        nodes {
          id databaseId author { login } mayWrite: authorCanPushToRepository
          state body at: submittedAt head: commit { oid }
        }
      }
      reviewThreads(last: 100) {
        nodes {
          isResolved path line
          comments(first: 50) {
            nodes {
              id databaseId author { login } body hunk: diffHunk at: createdAt
              mayWrite: pullRequestReview { authorCanPushToRepository }
            }
          }
        }
      }
      comments(last: 20) { nodes { createdAt viewerDidAuthor } }
      statusCheckRollup {
        contexts(first: 100) {
          totalCount
          nodes {
            ... on CheckRun {
              id databaseId name status conclusion title summary
              annotations(first: 50) { nodes { path message location { start { line } } } }
            }
            ... on StatusContext { id name: context state description }
          }
        }
      }
    }
  }
}`;

const identified = z.object({
  /** The ID in GraphQL. */
  id: z.string(),
  /** The ID in the REST API. Null if GitHub does not tell it; commit statuses have none in GraphQL. */
  databaseId: z.nullish(z.int()),
});

/** Null if the account was deleted. */
const account = z.nullish(z.object({ login: z.string() }));

/** The author or committer of a commit, and the account, if GitHub knows it by the e-mail address. */
const person = z.nullish(
  z.object({
    email: text,
    user: account,
  }),
);

const commits = z.object({
  totalCount: z.int(),
  nodes: z.array(
    z.object({
      commit: z.object({
        committedDate: text,
        author: person,
        committer: person,
      }),
    }),
  ),
});

const review = z.extend(identified, {
  author: account,
  body: text,
  /** When it was submitted. */
  at: text,
  mayWrite: z.boolean(),
  state: z.string(),
  head: z.nullable(z.object({ oid: z.string() })),
});

const comment = z.extend(identified, {
  author: account,
  body: text,
  hunk: text,
  at: z.string(),
  /** The review that it belongs to. */
  mayWrite: z.nullish(z.object({ authorCanPushToRepository: z.boolean() })),
});

const thread = z.object({
  isResolved: z.boolean(),
  path: z.string(),
  line: z.nullable(z.int()),
  comments: z.object({ nodes: z.array(comment) }),
});

const annotation = z.object({
  path: text,
  message: text,
  location: z.nullish(z.object({ start: z.object({ line: z.nullable(z.int()) }) })),
});

/** A check run, with a status and a conclusion, or a commit status, with a state. */
const check = z.extend(identified, {
  name: z.string(),
  status: text,
  conclusion: text,
  state: text,
  title: text,
  summary: text,
  description: text,
  annotations: z.nullish(z.object({ nodes: z.array(annotation) })),
});

const pullRequest = z.object({
  url: z.string(),
  isDraft: z.boolean(),
  author: account,
  createdAt: z.string(),
  state: z.enum(["OPEN", "MERGED", "CLOSED"]),
  endedAt: text,
  head: z.string(),
  branch: z.string(),
  base: z.string(),
  /** `MERGEABLE`, `CONFLICTING` or `UNKNOWN`. */
  isConflicting: z.string(),
  mergeState: z.string(),
  hasMergeQueue: z.boolean(),
  changedFiles: z.int(),
  deletedLines: z.int(),
  commits,
  reviews: z.object({ nodes: z.array(review) }),
  reviewThreads: z.object({ nodes: z.array(thread) }),
  comments: z.object({
    nodes: z.array(z.object({ createdAt: z.string(), viewerDidAuthor: z.boolean() })),
  }),
  statusCheckRollup: z.nullable(
    z.object({ contexts: z.object({ totalCount: z.int(), nodes: z.array(check) }) }),
  ),
});

export const docsPullAnswer = z.object({ repository: z.object({ pullRequest }) });

export type IdentifiedAnswer = z.infer<typeof identified>;
export type AccountAnswer = z.infer<typeof account>;
export type PersonAnswer = z.infer<typeof person>;
export type CommitsAnswer = z.infer<typeof commits>;
export type ReviewAnswer = z.infer<typeof review>;
export type CommentAnswer = z.infer<typeof comment>;
export type ThreadAnswer = z.infer<typeof thread>;
export type AnnotationAnswer = z.infer<typeof annotation>;
export type CheckAnswer = z.infer<typeof check>;
export type PullRequestAnswer = z.infer<typeof pullRequest>;
