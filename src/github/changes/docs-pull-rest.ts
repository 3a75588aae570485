/** Reads the pages of a docs pull request's reviews and threads that one question does not answer. */

import * as z from "zod/mini";
import { readAnswer } from "../api/answer.ts";
import type { ReadingClient } from "../api/repository.ts";
import { owned } from "../api/rest.ts";
import { reviewsPage, threadsPage, WORDS_FRAGMENTS, type WordsAnswer } from "./docs-pull-words.ts";

/** Maximum number of pages of either list: 1,000 reviews that are opinions, and 1,000 threads. */
const MOST_PAGES = 10;

const REST_QUERY = `query (
  $owner: String!, $name: String!, $number: Int!,
  $moreOpinions: Boolean!, $opinionsAfter: String, $moreThreads: Boolean!, $threadsAfter: String,
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      opinions: reviews(first: 100, after: $opinionsAfter, states: [APPROVED, CHANGES_REQUESTED, DISMISSED])
        @include(if: $moreOpinions) { pageInfo { hasNextPage endCursor } nodes { ...docsReview } }
      reviewThreads(first: 100, after: $threadsAfter) @include(if: $moreThreads) { ...docsThreads }
    }
  }
}
${WORDS_FRAGMENTS}`;

const pages = z.object({
  opinions: z.optional(reviewsPage),
  reviewThreads: z.optional(threadsPage),
});
const restAnswer = z.object({ repository: z.object({ pullRequest: pages }) });

/** The words with those on further pages, as far as they are read. @throws the client's errors, or `UnusableAnswer` */
export async function withFurtherPages<Answer extends WordsAnswer>(
  first: Answer,
  github: Pick<ReadingClient, "graphql">,
  { repository, number }: { repository: string; number: number },
): Promise<Answer> {
  const { owner, repo: name } = owned({ repository });
  let answer = first;
  for (let page = 2; page <= MOST_PAGES; page++) {
    const { opinions, reviewThreads } = answer;
    const [moreOpinions, moreThreads] = [opinions, reviewThreads].map(
      ({ pageInfo }) => pageInfo.hasNextPage,
    );
    if (!moreOpinions && !moreThreads) break;
    const read = await github.graphql(REST_QUERY, {
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

interface Page<T> {
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
  nodes: T[];
}

function joined<T>(before: Page<T>, more: Page<T> | undefined): Page<T> {
  if (more === undefined) return before;
  return { pageInfo: more.pageInfo, nodes: [...before.nodes, ...more.nodes] };
}
