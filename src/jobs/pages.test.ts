import { expect, test } from "vitest";
import { largeTest } from "../../test/support/large-test.ts";
import { type JobsPageQuery, readAllPages } from "./pages.ts";

const sessions = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ sessionId: `s_${nth}` }));

/** Reads a list from a service, and what it was asked for. */
async function pagesOf(serve: (query: JobsPageQuery) => readonly unknown[] | "too-large") {
  const asked: JobsPageQuery[] = [];
  const read = await readAllPages(async (query) => {
    asked.push(query);
    const rows = serve(query);
    return rows === "too-large" ? { type: "too-large" } : { type: "rows", rows };
  });
  return { ...read, count: read.sessions.length, asked };
}

const cut =
  (all: readonly unknown[]) =>
  ({ skip, take }: JobsPageQuery) =>
    all.slice(skip, skip + take);

test("a list is read to its end", async () => {
  expect(await pagesOf(cut(sessions(250)))).toMatchObject({
    count: 250,
    unreadable: 0,
    end: "end",
    asked: [0, 100, 200, 250].map((skip) => ({ skip, take: 100 })),
  });
});

test("the same page again is no end, but a service that ignores where it should begin", async () => {
  const page = await pagesOf(() => sessions(12));
  expect(page).toMatchObject({ count: 12, end: "ignored" });
});

test("rows that cannot be read are counted once, and a page of them alone is no end", async () => {
  const rows = [
    ...sessions(99),
    null,
    ...Array.from({ length: 100 }, () => ({})),
    ...sessions(150),
  ];
  expect(await pagesOf(cut(rows))).toMatchObject({ count: 150, unreadable: 101, end: "end" });
  expect(await pagesOf(() => [...sessions(3), null])).toMatchObject({
    unreadable: 1,
    end: "ignored",
  });
  expect(await pagesOf(() => [null])).toMatchObject({ unreadable: 1, end: "ignored" });
});

test("a page that is too large is asked for in smaller ones, and so are those after it", async () => {
  const all = sessions(60);
  const page = await pagesOf((query) => (query.take > 30 ? "too-large" : cut(all)(query)));
  expect(page).toMatchObject({ count: 60, end: "end" });
  expect(page.asked.map(({ skip, take }) => [skip, take])).toEqual([
    [0, 100],
    [0, 50],
    [0, 25],
    [25, 25],
    [50, 25],
    [60, 25],
  ]);
});

largeTest("of more sessions than anybody reads, ten thousand are listed", async () => {
  const page = await pagesOf(() => sessions(20_000));
  expect(page).toMatchObject({ count: 10_000, end: "limit" });
});
