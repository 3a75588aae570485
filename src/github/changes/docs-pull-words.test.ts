import { expect, test } from "vitest";
import type * as z from "zod/mini";
import type * as wordAnswers from "../api/answers/docs-pull-words.ts";
import { wordsOf } from "./docs-pull-words.ts";

const AT = "2026-11-02T00:00:00Z";
const ADA = { __typename: "User", login: "ada" };
const BOT = { __typename: "Bot", login: "reviewer" };
const LAST = { hasNextPage: false };
const MORE = { hasNextPage: true, endCursor: "x" };

type ReviewAnswer = z.infer<typeof wordAnswers.words>["opinions"]["nodes"][number];
type ThreadAnswer = z.infer<typeof wordAnswers.words>["reviewThreads"]["nodes"][number];
type PullCommentAnswer = ThreadAnswer["comments"]["nodes"][number];

function review(over: Partial<ReviewAnswer> = {}): ReviewAnswer {
  const said = { state: "CHANGES_REQUESTED", body: "No.", at: AT, head: { oid: "head" } };
  return { id: "PRR_1", databaseId: 1, author: ADA, mayWrite: true, ...said, ...over };
}

function thread(over: Partial<ThreadAnswer> = {}, comment: Partial<PullCommentAnswer> = {}) {
  const submitted = { state: "COMMENTED", submittedAt: AT, mayWrite: true };
  const said = { id: "PRRC_2", databaseId: 2, author: ADA, body: "Why?", hunk: "@@", at: AT };
  const comments = { pageInfo: LAST, nodes: [{ ...said, review: submitted, ...comment }] };
  return {
    id: "PRRT_1",
    isResolved: false,
    resolvedBy: null,
    path: "a.md",
    line: 3,
    comments,
    ...over,
  };
}

function words(over: Partial<z.infer<typeof wordAnswers.words>> = {}) {
  const answer: z.infer<typeof wordAnswers.words> = {
    writersOpinions: { totalCount: 0, nodes: [] },
    opinions: { pageInfo: LAST, nodes: [] },
    newestReviews: { nodes: [] },
    reviewThreads: { pageInfo: LAST, nodes: [] },
    ...over,
  };
  return wordsOf(answer, "docs-bot");
}

const threads = (...nodes: ThreadAnswer[]) => words({ reviewThreads: { pageInfo: LAST, nodes } });

test("the newest opinions are those of writers and of bots, and not those of strangers", () => {
  const { reviews } = words({
    writersOpinions: { totalCount: 1, nodes: [review()] },
    opinions: {
      pageInfo: LAST,
      nodes: [
        review({ author: { __typename: "User", login: "eve" }, mayWrite: false }),
        review({ id: "PRR_3", databaseId: 3, author: BOT, mayWrite: false }),
        review({ id: "PRR_4", databaseId: 4, author: BOT, mayWrite: false, state: "APPROVED" }),
      ],
    },
  });
  const byAda = {
    isAskedAgain: false,
    author: "ada",
    isByBot: false,
    mayWrite: true,
    state: "changes_requested",
  };
  const byBot = {
    isAskedAgain: false,
    author: "reviewer[bot]",
    isByBot: true,
    mayWrite: false,
    state: "approved",
  };
  const said = { body: "No.", at: AT, head: "head" };
  expect(reviews).toEqual([
    { id: "4", ...byBot, ...said },
    { id: "1", ...byAda, ...said },
  ]);
});

test("a comment is said when its review is submitted, whenever it was written", () => {
  const review = { state: "COMMENTED", submittedAt: "2026-11-03T00:00:00Z", mayWrite: true };
  expect(threads(thread({}, { review })).openComments).toMatchObject([
    { at: "2026-11-03T00:00:00Z" },
  ]);
});

test("who is asked for a review again is known, among teams that may not be seen", () => {
  const bo = { __typename: "User", login: "bo" };
  const { reviews } = words({
    writersOpinions: { totalCount: 2, nodes: [review(), review({ id: "PRR_2", author: bo })] },
    reviewRequests: { nodes: [null, { asked: null }, { asked: {} }, { asked: { login: "bo" } }] },
  });
  expect(reviews.map(({ author, isAskedAgain }) => [author, isAskedAgain])).toEqual([
    ["ada", false],
    ["bo", true],
  ]);
});

test("a comment is read with its place, and one of a deleted account has no author", () => {
  const { openComments } = threads(thread({}, { author: null, review: null }));
  const place = { path: "a.md", line: 3, hunk: "@@", at: AT };
  const by = { author: null, isByBot: false, mayWrite: false };
  expect(openComments).toEqual([{ id: "2", ...by, body: "Why?", ...place }]);
});

test("what has no ID in the REST API has the one in GraphQL", () => {
  const { reviews, openComments } = words({
    writersOpinions: { totalCount: 1, nodes: [review({ databaseId: null })] },
    reviewThreads: { pageInfo: LAST, nodes: [thread({}, { databaseId: null })] },
  });
  expect([...reviews, ...openComments].map(({ id }) => id)).toEqual(["PRR_1", "PRRC_2"]);
});

test.each([
  ["nobody resolved", {}, {}, 1],
  ["a person resolved", { isResolved: true, resolvedBy: { login: "bo" } }, {}, 0],
  [
    "the pull request's author resolved",
    { isResolved: true, resolvedBy: { login: "docs-bot" } },
    {},
    1,
  ],
  ["an app resolved", { isResolved: true, resolvedBy: null }, {}, 1],
  [
    "holds only a comment that is not submitted",
    {},
    { review: { state: "PENDING", submittedAt: null, mayWrite: true } },
    0,
  ],
])("a thread that %s", (_, over, comment, count) => {
  expect(threads(thread(over, comment)).openComments).toHaveLength(count);
});

const longThread = (over: Partial<ThreadAnswer>) =>
  thread({ ...over, comments: { ...thread().comments, pageInfo: MORE } });

test.each<[string, Partial<z.infer<typeof wordAnswers.words>>, object]>([
  ["everything", {}, { hasAllWords: true, hasAllBotReviews: true }],
  ["100 writers", { writersOpinions: { totalCount: 101, nodes: [] } }, { hasAllWords: false }],
  ["a page of threads", { reviewThreads: { pageInfo: MORE, nodes: [] } }, { hasAllWords: false }],
  ["a page of opinions", { opinions: { pageInfo: MORE, nodes: [] } }, { hasAllBotReviews: false }],
  [
    "50 comments of an open thread",
    { reviewThreads: { pageInfo: LAST, nodes: [longThread({})] } },
    { hasAllWords: false },
  ],
  [
    "50 comments of a resolved thread",
    {
      reviewThreads: {
        pageInfo: LAST,
        nodes: [longThread({ isResolved: true, resolvedBy: { login: "bo" } })],
      },
    },
    { hasAllWords: true },
  ],
])("with %s read, %j is %j", (_, over, expected) => {
  expect(words(over)).toMatchObject(expected);
});
