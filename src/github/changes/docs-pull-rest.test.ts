import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { knownValue } from "../../../test/support/known.ts";
import { ABSENT, known } from "../../runtime/fact.ts";
import type * as wordAnswers from "../api/answers/docs-pull-words.ts";
import { withFurtherPages } from "./docs-pull-rest.ts";

const PLACE = { repository: "acme/docs", number: 7, author: "docs-bot" };

type Page<T> = { pageInfo: { hasNextPage: boolean; endCursor: string | null }; nodes: T[] };

function page(cursor: string | null): Page<never> {
  return { pageInfo: { hasNextPage: cursor !== null, endCursor: cursor }, nodes: [] };
}

/** Nothing is asked here. */
const none = async () => ABSENT;

/** Answers that always have the same cursors, null for a list that is over. */
async function read(opinions: string | null, threads: string | null) {
  const asked: Record<string, unknown>[] = [];
  const moreWords = async (variables: Readonly<Record<string, unknown>>) => {
    asked.push(variables);
    const more = {
      ...(variables.moreOpinions === true && { opinions: page(opinions) }),
      ...(variables.moreThreads === true && { reviewThreads: page(threads) }),
    };
    return known({ repository: { pullRequest: more } });
  };
  const first: z.infer<typeof wordAnswers.words> = {
    writersOpinions: { totalCount: 0, nodes: [] },
    opinions: page(opinions),
    newestReviews: { nodes: [] },
    reviewThreads: page(threads),
  };
  const fact = await withFurtherPages(first, { moreWords, moreComments: none }, PLACE);
  return { answer: knownValue(fact), asked };
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

function thread(
  id: string,
  over: Partial<z.infer<typeof wordAnswers.thread>> = {},
): z.infer<typeof wordAnswers.thread> {
  const open = { isResolved: false, resolvedBy: null, path: "a.md", line: 1 };
  return { id, ...open, comments: page("50"), ...over };
}

/** Reads threads whose comments have so many pages. */
async function readThreads(threads: z.infer<typeof wordAnswers.thread>[], pages: number) {
  const asked: unknown[] = [];
  const moreComments = async ({ thread: id }: Readonly<Record<string, unknown>>) => {
    asked.push(id);
    const count = asked.filter((other) => other === id).length;
    return known({ node: { comments: page(count + 1 < pages ? "more" : null) } });
  };
  const { answer: nothing } = await read(null, null);
  const first = { ...nothing, reviewThreads: { ...nothing.reviewThreads, nodes: threads } };
  const answer = knownValue(
    await withFurtherPages(first, { moreWords: none, moreComments }, PLACE),
  );
  const left = answer.reviewThreads.nodes.filter(({ comments }) => comments.pageInfo.hasNextPage);
  return { asked, left: left.length };
}

test("all comments of an open thread are read, in at most ten pages", async () => {
  expect(await readThreads([thread("a")], 3)).toEqual({ asked: ["a", "a"], left: 0 });
  const { asked, left } = await readThreads([thread("a")], 99);
  expect(asked).toHaveLength(9);
  expect(left).toBe(1);
});

test("of a thread that is over, no further comment is read", async () => {
  const resolved = thread("a", { isResolved: true, resolvedBy: { login: "ada" } });
  const byAuthor = thread("b", { isResolved: true, resolvedBy: { login: PLACE.author } });
  expect((await readThreads([resolved, byAuthor], 2)).asked).toEqual(["b"]);
});

test("the further comments of at most eight threads are read", async () => {
  const threads = Array.from({ length: 9 }, (_, nth) => thread(String(nth)));
  const { asked, left } = await readThreads(threads, 2);
  expect(asked).toHaveLength(8);
  expect(left).toBe(1);
});
