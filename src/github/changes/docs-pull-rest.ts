/** Reads the pages of a docs pull request's reviews, threads and comments that one question does not answer. */

import type * as z from "zod/mini";
import { type Fact, known } from "../../runtime/fact.ts";
import type * as wordAnswers from "../api/answers/docs-pull-words.ts";
import type { GitHub } from "../api/client.ts";
import { isThreadOver } from "./docs-pull-words.ts";

/** Maximum number of pages of each list: 1,000 reviews that are opinions, 1,000 threads, 950 comments of a thread. */
const MOST_PAGES = 10;
/** Of how many open threads the comments after the first 50 are read. */
const MOST_LONG_THREADS = 8;

type FurtherPages = Pick<GitHub["docsPulls"], "moreWords" | "moreComments">;

/**
 * The words with those on further pages, as far as they are read.
 *
 * @param place `author`: login of the pull request's author, without `[bot]`; null if the account was deleted
 */
export async function withFurtherPages<Answer extends z.infer<typeof wordAnswers.words>>(
  first: Answer,
  docsPulls: FurtherPages,
  place: { repository: string; number: number; author: string | null },
): Promise<Fact<Answer>> {
  const lists = await withFurtherLists(first, docsPulls, place);
  if (lists.type !== "known") return lists;
  const { reviewThreads } = lists.value;
  const nodes = await withFurtherComments(reviewThreads.nodes, docsPulls, place);
  if (nodes.type !== "known") return nodes;
  return known({ ...lists.value, reviewThreads: { ...reviewThreads, nodes: nodes.value } });
}

async function withFurtherLists<Answer extends z.infer<typeof wordAnswers.words>>(
  first: Answer,
  docsPulls: FurtherPages,
  { repository, number }: { repository: string; number: number },
): Promise<Fact<Answer>> {
  let answer = first;
  for (let page = 2; page <= MOST_PAGES; page++) {
    const { opinions, reviewThreads } = answer;
    const [moreOpinions, moreThreads] = [opinions, reviewThreads].map(
      ({ pageInfo }) => pageInfo.hasNextPage,
    );
    if (!moreOpinions && !moreThreads) break;
    const read = await docsPulls.moreWords({
      repository,
      number,
      moreOpinions,
      opinionsAfter: opinions.pageInfo.endCursor ?? null,
      moreThreads,
      threadsAfter: reviewThreads.pageInfo.endCursor ?? null,
    });
    if (read.type !== "known") return read;
    const more = read.value.repository.pullRequest;
    answer = {
      ...answer,
      opinions: joined(opinions, more.opinions),
      reviewThreads: joined(reviewThreads, more.reviewThreads),
    };
  }
  return known(answer);
}

/** Threads that are over do not count, so the rest of their comments is not read. */
async function withFurtherComments(
  threads: z.infer<typeof wordAnswers.thread>[],
  docsPulls: FurtherPages,
  { author }: { author: string | null },
): Promise<Fact<z.infer<typeof wordAnswers.thread>[]>> {
  const isLong = (thread: z.infer<typeof wordAnswers.thread>) =>
    thread.comments.pageInfo.hasNextPage && !isThreadOver(thread, author);
  const long = threads.filter(isLong).slice(0, MOST_LONG_THREADS);
  const whole = new Map<string, z.infer<typeof wordAnswers.thread>>();
  for (const read of await Promise.all(long.map((thread) => withAllComments(thread, docsPulls)))) {
    if (read.type !== "known") return read;
    whole.set(read.value.id, read.value);
  }
  return known(threads.map((thread) => whole.get(thread.id) ?? thread));
}

async function withAllComments(
  thread: z.infer<typeof wordAnswers.thread>,
  docsPulls: FurtherPages,
): Promise<Fact<z.infer<typeof wordAnswers.thread>>> {
  let { comments } = thread;
  for (let page = 2; page <= MOST_PAGES && comments.pageInfo.hasNextPage; page++) {
    const after = comments.pageInfo.endCursor ?? null;
    const read = await docsPulls.moreComments({ thread: thread.id, after });
    if (read.type !== "known") return read;
    comments = joined(comments, read.value.node.comments);
  }
  return known({ ...thread, comments });
}

interface Page<T> {
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
  nodes: T[];
}

function joined<T>(before: Page<T>, more: Page<T> | undefined): Page<T> {
  if (more === undefined) return before;
  return { pageInfo: more.pageInfo, nodes: [...before.nodes, ...more.nodes] };
}
