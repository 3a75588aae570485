/** What is asked about the words of a pull request, and the fields of GitHub's answer. */

import * as z from "zod/mini";
import { textOrEmpty as text, textOrNull } from "../answer.ts";
import type { Question } from "../route.ts";

/** The fields of a page of a thread's comments. */
const COMMENTS_FRAGMENT = `
fragment docsComments on PullRequestReviewCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    id databaseId author { __typename login } body hunk: diffHunk at: createdAt
    review: pullRequestReview { state submittedAt mayWrite: authorCanPushToRepository }
  }
}`;

/** The fields of a review, and of a page of threads. */
export const WORDS_FRAGMENTS = `
fragment docsReview on PullRequestReview {
  id databaseId author { __typename login } mayWrite: authorCanPushToRepository
  state body at: submittedAt head: commit { oid }
}
fragment docsThreads on PullRequestReviewThreadConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    id isResolved resolvedBy { login } path line
    comments(first: 50) { ...docsComments }
  }
}
${COMMENTS_FRAGMENT}`;

const identified = z.object({
  /** The ID in GraphQL. */
  id: z.string(),
  /** The ID in the REST API. Null if GitHub does not return it; commit statuses have none in GraphQL. */
  databaseId: z.nullish(z.int()),
});

/** Null if the account was deleted. A bot's login is without `[bot]`. */
const account = z.nullish(z.object({ login: z.string(), __typename: z.optional(z.string()) }));

export const review = z.extend(identified, {
  author: account,
  body: text,
  /** When it was submitted. */
  at: z.string(),
  mayWrite: z.boolean(),
  state: z.string(),
  head: z.nullable(z.object({ oid: z.string() })),
});

export const threadComment = z.extend(identified, {
  author: account,
  body: text,
  hunk: text,
  /** When it was written. */
  at: z.string(),
  /** The one that it belongs to. Others see the comment when that is submitted. */
  review: z.nullish(
    z.object({ state: z.string(), submittedAt: textOrNull, mayWrite: z.boolean() }),
  ),
});

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) });
const commentsPage = z.object({ pageInfo, nodes: z.array(threadComment) });

export const thread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  /** Null for an app, and if the account was deleted. */
  resolvedBy: z.nullish(z.object({ login: z.string() })),
  path: z.string(),
  line: z.nullable(z.int()),
  comments: commentsPage,
});

const reviewsPage = z.object({ pageInfo, nodes: z.array(review) });
const threadsPage = z.object({ pageInfo, nodes: z.array(thread) });

/** What is asked about the words of a pull request. */
export const wordsFields = {
  /** The newest opinion of each account with write permission, however many reviews others leave. */
  writersOpinions: z.object({ totalCount: z.int(), nodes: z.array(review) }),
  /** All opinions. Only those of bots are read here, because GitHub does not count every bot as a writer. */
  opinions: reviewsPage,
  /** Who is asked for a review and has not given it yet. Null for a team that the token may not see. */
  reviewRequests: z.nullish(
    z.object({
      nodes: z.array(
        z.nullable(z.object({ asked: z.nullish(z.object({ login: z.optional(z.string()) })) })),
      ),
    }),
  ),
  newestReviews: z.object({ nodes: z.array(z.object({ at: textOrNull })) }),
  reviewThreads: threadsPage,
} as const;

export const identifiedAnswer = identified;
export const accountAnswer = account;

export const words = z.object(wordsFields);

/** The pages of opinions and threads that one question does not answer. */
export const MORE_WORDS: Question<
  "owner" | "name" | "number" | "moreOpinions" | "opinionsAfter" | "moreThreads" | "threadsAfter"
> = {
  variables: {
    owner: "String!",
    name: "String!",
    number: "Int!",
    moreOpinions: "Boolean!",
    opinionsAfter: "String",
    moreThreads: "Boolean!",
    threadsAfter: "String",
  },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    pullRequest(number: ${variable("number")}) {
      opinions: reviews(
        first: 100, after: ${variable("opinionsAfter")}, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]
      ) @include(if: ${variable("moreOpinions")}) {
        pageInfo { hasNextPage endCursor }
        nodes { ...docsReview }
      }
      reviewThreads(first: 100, after: ${variable("threadsAfter")})
        @include(if: ${variable("moreThreads")}) { ...docsThreads }
    }
  }`,
  }),
  fragments: WORDS_FRAGMENTS,
};

const furtherPages = z.object({
  opinions: z.optional(reviewsPage),
  reviewThreads: z.optional(threadsPage),
});
export const moreWordsAnswer = z.object({ repository: z.object({ pullRequest: furtherPages }) });

/** The comments of a thread after the first 50. */
export const MORE_COMMENTS: Question<"thread" | "after"> = {
  variables: { thread: "ID!", after: "String" },
  fields: (variable) => ({
    node: `node(id: ${variable("thread")}) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: ${variable("after")}) { ...docsComments }
    }
  }`,
  }),
  fragments: COMMENTS_FRAGMENT,
};

export const moreCommentsAnswer = z.object({ node: z.object({ comments: commentsPage }) });
