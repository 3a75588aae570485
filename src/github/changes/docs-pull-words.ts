/** What people and bots say on a docs pull request: opinions, and comments in threads. Anyone may have written it. */

import * as z from "zod/mini";
import { textOrEmpty as text, textOrNull } from "../api/answer.ts";

/** The fields of a page of a thread's comments. */
export const COMMENTS_FRAGMENT = `
fragment docsComments on PullRequestReviewCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    id databaseId author { __typename login } body hunk: diffHunk at: createdAt
    review: pullRequestReview { state mayWrite: authorCanPushToRepository }
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

const review = z.extend(identified, {
  author: account,
  body: text,
  /** When it was submitted. */
  at: z.string(),
  mayWrite: z.boolean(),
  state: z.string(),
  head: z.nullable(z.object({ oid: z.string() })),
});

const comment = z.extend(identified, {
  author: account,
  body: text,
  hunk: text,
  at: z.string(),
  /** The one that it belongs to. */
  review: z.nullish(z.object({ state: z.string(), mayWrite: z.boolean() })),
});

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) });
export const commentsPage = z.object({ pageInfo, nodes: z.array(comment) });

const thread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  /** Null for an app, and if the account was deleted. */
  resolvedBy: z.nullish(z.object({ login: z.string() })),
  path: z.string(),
  line: z.nullable(z.int()),
  comments: commentsPage,
});

export const reviewsPage = z.object({ pageInfo, nodes: z.array(review) });
export const threadsPage = z.object({ pageInfo, nodes: z.array(thread) });

/** What is asked about the words of a pull request. */
export const wordsFields = {
  /** The newest opinion of each account with write permission, however many reviews others leave. */
  writersOpinions: z.object({ totalCount: z.int(), nodes: z.array(review) }),
  /** All opinions. Only those of bots are read here, because GitHub does not count every bot as a writer. */
  opinions: reviewsPage,
  newestReviews: z.object({ nodes: z.array(z.object({ at: textOrNull })) }),
  reviewThreads: threadsPage,
} as const;

export const identifiedAnswer = identified;
export const accountAnswer = account;

export type IdentifiedAnswer = z.infer<typeof identified>;
export type AccountAnswer = z.infer<typeof account>;
type ReviewAnswer = z.infer<typeof review>;
type CommentAnswer = z.infer<typeof comment>;
export type ThreadAnswer = z.infer<typeof thread>;

const words = z.object(wordsFields);
export type WordsAnswer = z.infer<typeof words>;

/** Who wrote something. */
interface Words {
  /** Identifies it permanently. */
  id: string;
  /** Login, of a bot with `[bot]`; null if the account was deleted. */
  author: string | null;
  isByBot: boolean;
  /** Whether the author has write permission. For a bot, that says nothing of what its words count. */
  mayWrite: boolean;
  body: string;
  at: string;
}

/** The newest opinion of an account: an approval, a request for changes, or one that was dismissed. */
export interface Review extends Words {
  /** `approved`, `changes_requested` or `dismissed`. */
  state: string;
  /** The head that it was given on; null if that is gone. */
  head: string | null;
}

/** A comment on a line of a pull request, in a thread that no writer has resolved. */
export interface OpenComment extends Words {
  /** The lines of the diff that it is about. */
  hunk: string;
  path: string;
  line: number | null;
}

/** The words on a pull request that may count. */
export interface PullWords {
  /** The newest opinion of each account with write permission, and of each bot. */
  reviews: Review[];
  openComments: OpenComment[];
  /** Whether the opinions of all writers, and all comments, could be read. */
  hasAllWords: boolean;
  /** Whether the opinions of all bots could be read. */
  hasAllBotReviews: boolean;
}

/** The ID in the REST API, which is kept between runs; if there is none, the one in GraphQL. */
export function idOf({ id, databaseId }: IdentifiedAnswer): string {
  return String(databaseId ?? id);
}

/** As the REST API writes it: a bot's with `[bot]`. Null if the account was deleted. */
export function fullLogin(account: AccountAnswer): string | null {
  const { login, __typename: type } = account ?? {};
  if (login === undefined) return null;
  return type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}

/**
 * GitHub lets the author of a pull request resolve its threads. That settles nothing, and neither do apps.
 *
 * @param author login of the pull request's author, without `[bot]`; null if the account was deleted
 */
export function isOver(
  { isResolved, resolvedBy = null }: ThreadAnswer,
  author: string | null,
): boolean {
  return isResolved && resolvedBy !== null && resolvedBy.login !== author;
}

/** @param author login of the pull request's author, without `[bot]`; null if the account was deleted */
export function wordsOf(answer: WordsAnswer, author: string | null): PullWords {
  const { writersOpinions, opinions, reviewThreads } = answer;
  const ofBots = opinions.nodes.filter(({ author: by }) => by?.__typename === "Bot");
  const newest = new Map(
    [...ofBots, ...writersOpinions.nodes].map(reviewOf).map((review) => [review.author, review]),
  );
  const open = reviewThreads.nodes.filter((thread) => !isOver(thread, author));
  const isWhole =
    writersOpinions.nodes.length === writersOpinions.totalCount &&
    !open.some(({ comments }) => comments.pageInfo.hasNextPage);
  return {
    reviews: [...newest.values()],
    openComments: open.flatMap(openCommentsOf),
    hasAllWords: isWhole && !reviewThreads.pageInfo.hasNextPage,
    hasAllBotReviews: !opinions.pageInfo.hasNextPage,
  };
}

function reviewOf(answer: ReviewAnswer): Review {
  return {
    id: idOf(answer),
    author: fullLogin(answer.author),
    isByBot: answer.author?.__typename === "Bot",
    body: answer.body,
    at: answer.at,
    mayWrite: answer.mayWrite,
    state: answer.state.toLowerCase(),
    head: answer.head?.oid ?? null,
  };
}

/** The comments of a thread, without those that their author has not submitted yet. */
function openCommentsOf({ path, line, comments }: ThreadAnswer): OpenComment[] {
  const submitted = comments.nodes.filter(({ review }) => review?.state !== "PENDING");
  return submitted.map((comment) => openCommentOf(comment, path, line));
}

function openCommentOf(answer: CommentAnswer, path: string, line: number | null): OpenComment {
  return {
    id: idOf(answer),
    author: fullLogin(answer.author),
    isByBot: answer.author?.__typename === "Bot",
    body: answer.body,
    hunk: answer.hunk,
    at: answer.at,
    mayWrite: answer.review?.mayWrite ?? false,
    path,
    line,
  };
}
