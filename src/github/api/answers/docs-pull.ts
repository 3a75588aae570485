/** The question about a docs pull request, and the fields of GitHub's answer to it. */

import * as z from "zod/mini";
import { textOrEmpty as text, textOrNull } from "../answer.ts";
import type { Question } from "../route.ts";
import {
  accountAnswer as account,
  identifiedAnswer as identified,
  WORDS_FRAGMENTS,
  wordsFields,
} from "./docs-pull-words.ts";

/** The app or the workflow that checks are of. Without `actions: read`, the workflow is null, beside an error. */
const SUITE = "id createdAt app { slug } workflowRun { event workflow { id } }";

/** A page of checks. @param number the variable with the pull request's number */
const contexts = (number: string) => `totalCount
          pageInfo { hasNextPage endCursor }
          nodes {
            ... on CheckRun {
              id databaseId name status conclusion startedAt title summary
              isRequired(pullRequestNumber: ${number})
              checkSuite { ${SUITE} }
              annotations(first: 50) { nodes { path message location { start { line } } } }
            }
            ... on StatusContext {
              id name: context state description isRequired(pullRequestNumber: ${number})
            }
          }`;

const PULL_VARIABLES = { owner: "String!", name: "String!", number: "Int!" };

/** @param number the variable with the pull request's number */
const pullFields = (
  number: string,
) => `id url title body state isDraft isLocked: locked author { __typename login } createdAt endedAt: closedAt
      head: headRefOid branch: headRefName base: baseRefName
      isConflicting: mergeable mergeState: mergeStateStatus hasMergeQueue: isMergeQueueEnabled isInMergeQueue
      reviewDecision changedFiles
      labels(first: 100) { nodes { name } }
      baseChanges: timelineItems(
        last: 1, itemTypes: [BASE_REF_CHANGED_EVENT, AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT]
      ) {
        nodes {
          ... on BaseRefChangedEvent { at: createdAt }
          ... on AutomaticBaseChangeSucceededEvent { at: createdAt }
        }
      }
      files(first: 100) { totalCount nodes { path changeType } }
      commits(first: 100) {
        totalCount
        nodes {
          commit {
            oid committedDate message parents(first: 3) { nodes { oid } }
            author { email user { login } } committer { email user { login } }
          }
        }
      }
      writersOpinions: latestOpinionatedReviews(first: 100, writersOnly: true) {
        totalCount
        nodes { ...docsReview }
      }
      opinions: reviews(first: 100, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]) {
        pageInfo { hasNextPage endCursor }
        nodes { ...docsReview }
      }
      reviewRequests(first: 100) {
        nodes { asked: requestedReviewer { ... on User { login } ... on Bot { login } } }
      }
      newestReviews: reviews(last: 20) { nodes { at: submittedAt } }
      reviewThreads(first: 100) { ...docsThreads }
      comments(last: 20) { nodes { createdAt body } }
      statusCheckRollup {
        contexts(first: 100) {
          ${contexts(number)}
        }
      }
      headCommit: commits(last: 1) {
        nodes {
          commit { oid checkSuites(first: 100) { totalCount nodes { ${SUITE} status conclusion } } }
        }
      }`;

export const DOCS_PULL: Question<"owner" | "name" | "number"> = {
  variables: PULL_VARIABLES,
  fields: (variable) => ({
    viewer: "viewer { login }",
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    databaseId nameWithOwner
    pullRequest(number: ${variable("number")}) {
      ${pullFields(variable("number"))}
    }
  }`,
  }),
  fragments: WORDS_FRAGMENTS,
};

/** The checks after the first 100. */
export const MORE_CHECKS: Question<"owner" | "name" | "number" | "after"> = {
  variables: { ...PULL_VARIABLES, after: "String!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    pullRequest(number: ${variable("number")}) {
      head: headRefOid
      statusCheckRollup {
        contexts(first: 100, after: ${variable("after")}) {
          ${contexts(variable("number"))}
        }
      }
    }
  }`,
  }),
  fragments: "",
};

/** The author or committer of a commit, and the account, if GitHub knows it by the e-mail address. */
export const person = z.nullish(
  z.object({
    email: text,
    user: account,
  }),
);

export const branchCommits = z.object({
  totalCount: z.int(),
  nodes: z.array(
    z.object({
      commit: z.object({
        oid: z.string(),
        committedDate: textOrNull,
        message: text,
        parents: z.object({ nodes: z.array(z.object({ oid: z.string() })) }),
        author: person,
        committer: person,
      }),
    }),
  ),
});

export const annotation = z.object({
  path: text,
  message: text,
  location: z.nullish(z.object({ start: z.object({ line: z.nullable(z.int()) }) })),
});

/** What a check belongs to. `workflowRun`: null for other apps than Actions, and where it may not be read. */
export const suite = z.object({
  id: z.string(),
  createdAt: textOrNull,
  app: z.nullish(z.object({ slug: z.string() })),
  workflowRun: z.nullish(z.object({ event: z.string(), workflow: z.object({ id: z.string() }) })),
  status: text,
  conclusion: text,
});

/** A check run, with a status and a conclusion, or a commit status, with a state. */
export const check = z.extend(identified, {
  name: z.string(),
  status: text,
  conclusion: text,
  state: text,
  startedAt: textOrNull,
  /** Whether the rules of the base want it to succeed. */
  isRequired: z.boolean(),
  checkSuite: z.nullish(suite),
  title: text,
  summary: text,
  description: text,
  annotations: z.nullish(z.object({ nodes: z.array(annotation) })),
});

/** A page of checks. Null for no check at all. */
const rollup = z.nullable(
  z.object({
    contexts: z.object({
      totalCount: z.int(),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
      /** Null where the token may not read one. */
      nodes: z.array(z.nullable(check)),
    }),
  }),
);

/** `checkSuites`, or one of them: null where the token may not read it. */
export const headCommit = z.object({
  oid: z.string(),
  checkSuites: z.nullish(z.object({ totalCount: z.int(), nodes: z.array(z.nullable(suite)) })),
});

export const pullRequest = z.object({
  id: z.string(),
  url: z.string(),
  title: text,
  body: text,
  isDraft: z.boolean(),
  isLocked: z.boolean(),
  author: account,
  createdAt: z.string(),
  state: z.enum(["OPEN", "MERGED", "CLOSED"]),
  endedAt: textOrNull,
  head: z.string(),
  branch: z.string(),
  base: z.string(),
  /** `MERGEABLE`, `CONFLICTING` or `UNKNOWN`. */
  isConflicting: z.string(),
  mergeState: z.string(),
  hasMergeQueue: z.boolean(),
  isInMergeQueue: z.boolean(),
  /** What the reviews come to by the rules of the base; null if those want none. */
  reviewDecision: textOrNull,
  labels: z.nullish(z.object({ nodes: z.array(z.object({ name: z.string() })) })),
  /** The newest change of the base. */
  baseChanges: z.object({ nodes: z.array(z.object({ at: z.string() })) }),
  changedFiles: z.int(),
  /** Null if GitHub does not list them. */
  files: z.nullish(
    z.object({
      totalCount: z.int(),
      nodes: z.array(z.object({ path: z.string(), changeType: z.string() })),
    }),
  ),
  commits: branchCommits,
  ...wordsFields,
  comments: z.object({ nodes: z.array(z.object({ createdAt: z.string(), body: text })) }),
  statusCheckRollup: rollup,
  headCommit: z.object({ nodes: z.array(z.object({ commit: headCommit })) }),
});

const repository = z.object({
  databaseId: z.nullish(z.int()),
  /** Its present name, if it was renamed. */
  nameWithOwner: z.string(),
  pullRequest,
});

export const docsPullAnswer = z.object({
  viewer: z.object({ login: z.string() }),
  repository,
});

export const moreChecksAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({ head: z.string(), statusCheckRollup: rollup }),
  }),
});
