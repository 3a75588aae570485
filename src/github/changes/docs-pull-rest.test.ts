import { expect, test } from "vitest";
import { withFurtherPages } from "./docs-pull-rest.ts";
import type { WordsAnswer } from "./docs-pull-words.ts";

type Page<T> = { pageInfo: { hasNextPage: boolean; endCursor: string | null }; nodes: T[] };

function page<T>(cursor: string | null): Page<T> {
  return { pageInfo: { hasNextPage: cursor !== null, endCursor: cursor }, nodes: [] };
}

/** Answers that always have the same cursors, null for a list that is over. */
async function read(opinions: string | null, threads: string | null) {
  const asked: Record<string, unknown>[] = [];
  const graphql = async (_: string, variables: Record<string, unknown>) => {
    asked.push(variables);
    const more = {
      ...(variables.moreOpinions === true && { opinions: page(opinions) }),
      ...(variables.moreThreads === true && { reviewThreads: page(threads) }),
    };
    return { repository: { pullRequest: more } };
  };
  const first: WordsAnswer = {
    writersOpinions: { totalCount: 0, nodes: [] },
    opinions: page(opinions),
    newestReviews: { nodes: [] },
    reviewThreads: page(threads),
  };
  const place = { repository: "acme/docs", number: 7 };
  return { answer: await withFurtherPages(first, { graphql }, place), asked };
}

test("what fits into one page costs no further request", async () => {
  expect((await read(null, null)).asked).toEqual([]);
});

test("at most ten pages are read, and the answer says that there are more", async () => {
  const { answer, asked } = await read("a", "b");
  expect(asked).toHaveLength(9);
  expect(answer.opinions.pageInfo.hasNextPage).toBe(true);
  expect(answer.reviewThreads.pageInfo.hasNextPage).toBe(true);
});

test("of a list that is over, no further page is asked for", async () => {
  const { asked } = await read(null, "b");
  expect(asked[0]).toMatchObject({ moreOpinions: false, moreThreads: true, threadsAfter: "b" });
});
