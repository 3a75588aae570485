/** The question about a docs pull request, and the fields of GitHub's answer to it. */

import * as z from "zod/mini";
import { textOrEmpty as text } from "../api/answer.ts";
import {
  accountAnswer as account,
  identifiedAnswer as identified,
  WORDS_FRAGMENTS,
  wordsFields,
} from "./docs-pull-words.ts";

export const DOCS_PULL_QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner
    pullRequest(number: $number) {
      url state isDraft isLocked: locked author { __typename login } createdAt endedAt: closedAt
      head: headRefOid branch: headRefName base: baseRefName
      isConflicting: mergeable mergeState: mergeStateStatus hasMergeQueue: isMergeQueueEnabled
      changedFiles deletedLines: deletions
      files(first: 100) { totalCount nodes { path changeType } }
      commits(first: 100) {
        totalCount
        nodes { commit { committedDate author { email user { login } } committer { email user { login } } } }
      }
      writersOpinions: latestOpinionatedReviews(first: 100, writersOnly: true) {
        totalCount
        nodes { ...docsReview }
      }
      opinions: reviews(first: 100, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]) {
        pageInfo { hasNextPage endCursor }
        nodes { ...docsReview }
      }
      newestReviews: reviews(last: 20) { nodes { at: submittedAt } }
      reviewThreads(first: 100) { ...docsThreads }
      comments(last: 20) { nodes { createdAt body } }
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
}
${WORDS_FRAGMENTS}`;

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
  isLocked: z.boolean(),
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
  /** Null if GitHub does not list them. */
  files: z.nullish(
    z.object({
      totalCount: z.int(),
      nodes: z.array(z.object({ path: z.string(), changeType: z.string() })),
    }),
  ),
  commits,
  ...wordsFields,
  comments: z.object({ nodes: z.array(z.object({ createdAt: z.string(), body: text })) }),
  statusCheckRollup: z.nullable(
    z.object({ contexts: z.object({ totalCount: z.int(), nodes: z.array(check) }) }),
  ),
});

const repository = z.object({
  databaseId: z.nullish(z.int()),
  /** Its present name, if it was renamed. */
  nameWithOwner: z.string(),
  pullRequest,
});

export const docsPullAnswer = z.object({ repository });

export type PersonAnswer = z.infer<typeof person>;
export type CommitsAnswer = z.infer<typeof commits>;
export type AnnotationAnswer = z.infer<typeof annotation>;
export type CheckAnswer = z.infer<typeof check>;
export type RepositoryAnswer = z.infer<typeof repository>;
export type PullRequestAnswer = z.infer<typeof pullRequest>;
