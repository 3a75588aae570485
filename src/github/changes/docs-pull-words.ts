/** What people and bots say on a docs pull request: opinions, and comments in threads. Anyone may have written it. */

import type * as z from "zod/mini";
import type * as wordAnswers from "../api/answers/docs-pull-words.ts";

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
  /** When others could see it. */
  at: string;
}

/** The newest opinion of an account: an approval, a request for changes, or one that was dismissed. */
export interface Review extends Words {
  /** `approved`, `changes_requested` or `dismissed`. */
  state: string;
  /** The head that it was given on; null if that is gone. */
  head: string | null;
  /** Whether its author is asked for another one. */
  isAskedAgain: boolean;
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
  /** Whether a thread is not resolved, whoever began it. */
  hasOpenThreads: boolean;
  /** Whether the opinions of all writers, and all comments, could be read. */
  hasAllWords: boolean;
  /** Whether the opinions of all bots could be read. */
  hasAllBotReviews: boolean;
}

/** The ID in the REST API, which is kept between runs; if there is none, the one in GraphQL. */
export function idOf({ id, databaseId }: z.infer<typeof wordAnswers.identifiedAnswer>): string {
  return String(databaseId ?? id);
}

/** As the REST API writes it: a bot's with `[bot]`. Null if the account was deleted. */
export function fullLogin(account: z.infer<typeof wordAnswers.accountAnswer>): string | null {
  const { login, __typename: type } = account ?? {};
  if (login === undefined) return null;
  return type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}

/**
 * GitHub lets the author of a pull request resolve its threads. That settles nothing, and neither do apps.
 *
 * @param author login of the pull request's author, without `[bot]`; null if the account was deleted
 */
export function isThreadOver(
  { isResolved, resolvedBy = null }: z.infer<typeof wordAnswers.thread>,
  author: string | null,
): boolean {
  return isResolved && resolvedBy !== null && resolvedBy.login !== author;
}

/** @param author login of the pull request's author, without `[bot]`; null if the account was deleted */
export function wordsOf(
  answer: z.infer<typeof wordAnswers.words>,
  author: string | null,
): PullWords {
  const { writersOpinions, opinions, reviewThreads, reviewRequests } = answer;
  const asked = (reviewRequests?.nodes ?? []).flatMap((request) => request?.asked?.login ?? []);
  const ofBots = opinions.nodes.filter(({ author: by }) => by?.__typename === "Bot");
  const newest = new Map(
    [...ofBots, ...writersOpinions.nodes]
      .map((review) => reviewOf(review, asked))
      .map((review) => [review.author, review]),
  );
  const open = reviewThreads.nodes.filter((thread) => !isThreadOver(thread, author));
  const isWhole =
    writersOpinions.nodes.length === writersOpinions.totalCount &&
    !open.some(({ comments }) => comments.pageInfo.hasNextPage);
  return {
    reviews: [...newest.values()],
    openComments: open.flatMap(openCommentsOf),
    hasOpenThreads: reviewThreads.nodes.some(({ isResolved }) => !isResolved),
    hasAllWords: isWhole && !reviewThreads.pageInfo.hasNextPage,
    hasAllBotReviews: !opinions.pageInfo.hasNextPage,
  };
}

/** @param asked logins of those who are asked for a review */
function reviewOf(answer: z.infer<typeof wordAnswers.review>, asked: readonly string[]): Review {
  return {
    id: idOf(answer),
    author: fullLogin(answer.author),
    isByBot: answer.author?.__typename === "Bot",
    body: answer.body,
    at: answer.at,
    mayWrite: answer.mayWrite,
    state: answer.state.toLowerCase(),
    head: answer.head?.oid ?? null,
    isAskedAgain: asked.some((login) => login === answer.author?.login),
  };
}

/** When others could see a comment: it is submitted with its review. */
export function seenAt({ review, at }: z.infer<typeof wordAnswers.threadComment>): string {
  return review?.submittedAt ?? at;
}

/** The comments of a thread, without those that their author has not submitted yet. */
function openCommentsOf({
  path,
  line,
  comments,
}: z.infer<typeof wordAnswers.thread>): OpenComment[] {
  const submitted = comments.nodes.filter(({ review }) => review?.state !== "PENDING");
  return submitted.map((comment) => openCommentOf(comment, path, line));
}

function openCommentOf(
  answer: z.infer<typeof wordAnswers.threadComment>,
  path: string,
  line: number | null,
): OpenComment {
  return {
    id: idOf(answer),
    author: fullLogin(answer.author),
    isByBot: answer.author?.__typename === "Bot",
    body: answer.body,
    hunk: answer.hunk,
    at: seenAt(answer),
    mayWrite: answer.review?.mayWrite ?? false,
    path,
    line,
  };
}
