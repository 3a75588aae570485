import { expect, test } from "vitest";
import { knownValue } from "../../../test/support/known.ts";
import { known } from "../../runtime/fact.ts";
import { type PagePlace, readBack, readList } from "./pages.ts";

const NEXT =
  '<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last"';
const LAST =
  '<https://api.github.com/x?page=1>; rel="prev", <https://api.github.com/x?page=1>; rel="first"';

/** Answers each page with a number of entries and a `link` header, the last one from then on. */
function listOf(...pages: [count: number, link?: string][]) {
  const asked: object[] = [];
  const request = async (query: PagePlace) => {
    asked.push(query);
    const page = Number(query.page);
    const [count, link] = pages[page - 1] ?? pages.at(-1) ?? [0];
    const data = Array.from({ length: count }, (_, nth) => `${page}.${nth}`);
    return known({ data, link });
  };
  const read = async (most: number, isEnough: (data: string[]) => boolean = () => false) =>
    knownValue(
      await readList({
        ask: request,
        items: (data) => data,
        keep: (items) => items,
        most,
        isEnough,
      }),
    );
  const readPagesBack = async (most: number) => {
    const back: (readonly string[])[] = [];
    const pages = readBack({ ask: request, items: (data) => data, most });
    for await (const page of pages) back.push(knownValue(page));
    return back.map(([first]) => first);
  };
  return { asked, read, readPagesBack };
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
  const { asked, read } = listOf(...pages);
  const { items, isComplete } = await read(10);
  expect(asked).toEqual(
    Array.from({ length: requests }, (_, nth) => ({ per_page: 100, page: nth + 1 })),
  );
  expect(items).toHaveLength(pages.reduce((sum, [count]) => sum + count, 0));
  expect(isComplete).toBe(true);
});

test("a list with more pages than are read is not complete", async () => {
  const { asked, read } = listOf([100]);
  expect(await read(3)).toMatchObject({ isComplete: false });
  expect(asked).toHaveLength(3);
});

test("a list of exactly as many pages as are read is complete", async () => {
  const { read } = listOf([100], [99]);
  expect(await read(2)).toMatchObject({ isComplete: true });
});

test("no page is read after one that is enough", async () => {
  const { asked, read } = listOf([100]);
  const isEnough = (data: string[]) => data[0] === "2.0";
  const { items, first, isComplete } = await read(9, isEnough);
  expect([items.length, first[0], isComplete, asked.length]).toEqual([200, "1.0", true, 2]);
});

test("the last page comes first, if GitHub names it, and the first one is not read again", async () => {
  const named = NEXT.replace("page=9", "page=3");
  const { asked, readPagesBack } = listOf([100, named], [100, named], [7]);
  expect(await readPagesBack(9)).toEqual(["3.6", "2.99", "1.99"]);
  expect(asked).toHaveLength(3);
});

test("where GitHub does not name the last page, all are read before", async () => {
  const { asked, readPagesBack } = listOf([100], [100], [7]);
  expect(await readPagesBack(9)).toEqual(["3.6", "2.99", "1.99"]);
  expect(asked).toHaveLength(3);
});
