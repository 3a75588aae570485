import { expect, test } from "vitest";
import { type PageQuery, readList } from "./rest.ts";

const NEXT =
  '<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last"';
const LAST =
  '<https://api.github.com/x?page=1>; rel="prev", <https://api.github.com/x?page=1>; rel="first"';

/** Answers each page with a number of entries and a `link` header, the last one from then on. */
function listOf(...pages: [count: number, link?: string][]) {
  const asked: object[] = [];
  const request = async (query: PageQuery) => {
    asked.push(query);
    const page = Number(query.page);
    const [count, link] = pages[page - 1] ?? pages.at(-1) ?? [0];
    const data = Array.from({ length: count }, (_, nth) => `${page}.${nth}`);
    return { data, headers: link === undefined ? {} : { link } };
  };
  return { asked, request };
}

test.each<[what: string, pages: [number, string?][], requests: number]>([
  ["a full page without a header may have a next one", [[100], [3]], 2],
  ["a page that is not full and has no header is the last", [[99]], 1],
  ["an empty page without a header is the last", [[0]], 1],
  [
    "an empty header counts as none",
    [
      [100, ""],
      [0, ""],
    ],
    2,
  ],
  [
    "a full page is the last if its header names no next one",
    [
      [100, NEXT],
      [100, LAST],
    ],
    2,
  ],
  [
    "a page that is not full has a next one if its header says so",
    [
      [7, NEXT],
      [0, NEXT],
      [1, LAST],
    ],
    3,
  ],
])("%s", async (_, pages, requests) => {
  const { asked, request } = listOf(...pages);
  const { items, isComplete } = await readList(10, request, (data) => data);
  expect(asked).toEqual(
    Array.from({ length: requests }, (_, nth) => ({ per_page: 100, page: nth + 1 })),
  );
  expect(items).toHaveLength(pages.reduce((sum, [count]) => sum + count, 0));
  expect(isComplete).toBe(true);
});

test("a list with more pages than are read is not complete", async () => {
  const { asked, request } = listOf([100]);
  expect(await readList(3, request, (data) => data)).toMatchObject({ isComplete: false });
  expect(asked).toHaveLength(3);
});

test("a list of exactly as many pages as are read is complete", async () => {
  const { request } = listOf([100], [99]);
  expect(await readList(2, request, (data) => data)).toMatchObject({ isComplete: true });
});

test("no page is read after one that is enough", async () => {
  const { asked, request } = listOf([100]);
  const isEnough = (data: string[]) => data[0] === "2.0";
  const { items, first, isComplete } = await readList(9, request, (data) => data, isEnough);
  expect([items.length, first.data[0], isComplete, asked.length]).toEqual([200, "1.0", true, 2]);
});
