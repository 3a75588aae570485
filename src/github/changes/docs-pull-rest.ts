/** Reads the pages of a docs pull request's reviews, threads and comments that one question does not answer. */

import * as z from "zod/mini";
import { readAnswer } from "../api/answer.ts";
import type { Asker, Question } from "../api/questions.ts";
import { owned } from "../api/rest.ts";
import {
  COMMENTS_FRAGMENT,
  commentsPage,
  isOver,
  reviewsPage,
  type ThreadAnswer,
  threadsPage,
  WORDS_FRAGMENTS,
  type WordsAnswer,
} from "./docs-pull-words.ts";

/** Maximum number of pages of each list: 1,000 reviews that are opinions, 1,000 threads, 950 comments of a thread. */
const MOST_PAGES = 10;
/** Of how many open threads the comments after the first 50 are read. */
const MOST_LONG_THREADS = 8;

const REST: Question<
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

const pages = z.object({
  opinions: z.optional(reviewsPage),
  reviewThreads: z.optional(threadsPage),
});
const restAnswer = z.object({ repository: z.object({ pullRequest: pages }) });

const COMMENTS: Question<"thread" | "after"> = {
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

const commentsAnswer = z.object({ node: z.object({ comments: commentsPage }) });

/** A pull request. */
interface Place {
  repository: string;
  number: number;
  /** Login of its author, without `[bot]`; null if the account was deleted. */
  author: string | null;
}

/** The words with those on further pages, as far as they are read. @throws the client's errors, or `UnusableAnswer` */
export async function withFurtherPages<Answer extends WordsAnswer>(
  first: Answer,
  asker: Asker,
  place: Place,
): Promise<Answer> {
  const answer = await withFurtherLists(first, asker, place);
  const { reviewThreads } = answer;
  const nodes = await withFurtherComments(reviewThreads.nodes, asker, place);
  return { ...answer, reviewThreads: { ...reviewThreads, nodes } };
}

async function withFurtherLists<Answer extends WordsAnswer>(
  first: Answer,
  asker: Asker,
  { repository, number }: Place,
): Promise<Answer> {
  const { owner, repo: name } = owned({ repository });
  let answer = first;
  for (let page = 2; page <= MOST_PAGES; page++) {
    const { opinions, reviewThreads } = answer;
    const [moreOpinions, moreThreads] = [opinions, reviewThreads].map(
      ({ pageInfo }) => pageInfo.hasNextPage,
    );
    if (!moreOpinions && !moreThreads) break;
    const read = await asker.ask(REST, {
      owner,
      name,
      number,
      moreOpinions,
      opinionsAfter: opinions.pageInfo.endCursor ?? null,
      moreThreads,
      threadsAfter: reviewThreads.pageInfo.endCursor ?? null,
    });
    const more = readAnswer(restAnswer, read).repository.pullRequest;
    answer = {
      ...answer,
      opinions: joined(opinions, more.opinions),
      reviewThreads: joined(reviewThreads, more.reviewThreads),
    };
  }
  return answer;
}

/** Threads that are over do not count, so the rest of their comments is not read. */
async function withFurtherComments(
  threads: ThreadAnswer[],
  asker: Asker,
  { author }: Place,
): Promise<ThreadAnswer[]> {
  const isLong = (thread: ThreadAnswer) =>
    thread.comments.pageInfo.hasNextPage && !isOver(thread, author);
  const long = threads.filter(isLong).slice(0, MOST_LONG_THREADS);
  const read = await Promise.all(long.map((thread) => withAllComments(thread, asker)));
  const whole = new Map(read.map((thread) => [thread.id, thread]));
  return threads.map((thread) => whole.get(thread.id) ?? thread);
}

async function withAllComments(thread: ThreadAnswer, asker: Asker): Promise<ThreadAnswer> {
  let { comments } = thread;
  for (let page = 2; page <= MOST_PAGES && comments.pageInfo.hasNextPage; page++) {
    const after = comments.pageInfo.endCursor ?? null;
    const read = await asker.ask(COMMENTS, { thread: thread.id, after });
    comments = joined(comments, readAnswer(commentsAnswer, read).node.comments);
  }
  return { ...thread, comments };
}

interface Page<T> {
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
  nodes: T[];
}

function joined<T>(before: Page<T>, more: Page<T> | undefined): Page<T> {
  if (more === undefined) return before;
  return { pageInfo: more.pageInfo, nodes: [...before.nodes, ...more.nodes] };
}
