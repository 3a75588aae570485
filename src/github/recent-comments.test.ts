import { expect, test } from "vitest";
import { json } from "../../test/support/answers.ts";
import { type ConnectedClient, connectClient, inPages } from "../../test/support/github-client.ts";
import { MAX_PAGES, recentComments } from "./comments.ts";

const ROUTE = "GET /repos/octo/docs/issues/comments";
const SINCE = Date.parse("2026-03-01T12:00:00.789Z");

function listed(id: number) {
  return {
    id,
    body: `comment ${id}`,
    html_url: `https://github.com/octo/docs/pull/7#issuecomment-${id}`,
    issue_url: "https://api.github.com/repos/octo/docs/issues/7",
    updated_at: "2026-03-02T12:00:00Z",
  };
}

async function pagesOf({ connect }: ConnectedClient) {
  const pages = [];
  for await (const page of recentComments(await connect(), "octo/docs", SINCE)) pages.push(page);
  return pages;
}

test.each([
  [0, 1],
  [1, 1],
  // GitHub sends no `link` header here, and the page is full.
  [100, 2],
  [101, 2],
  [250, 3],
])("of %i comments every one comes, with %i requests", async (count, requests) => {
  const client = connectClient();
  const ids = Array.from({ length: count }, (_, nth) => nth + 1);
  client.server.on(ROUTE, inPages(ids.map(listed)));
  const found = (await pagesOf(client)).flatMap(({ comments }) => comments);
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(client.asked()).toHaveLength(requests);
});

test("those written since are asked for, the last first, and each tells its place and its time", async () => {
  const client = connectClient();
  const date = "Mon, 02 Mar 2026 12:00:05 GMT";
  client.server.on(ROUTE, json(200, [listed(5), { id: 6 }], { date }));
  const [page] = await pagesOf(client);
  const [asked] = client.asked();
  const query = new URL(asked?.replace("GET ", "") ?? "", "http://localhost").searchParams;
  expect(Object.fromEntries(query)).toEqual({
    ...{ since: "2026-03-01T12:00:00Z", sort: "updated", direction: "desc" },
    ...{ per_page: "100", page: "1" },
  });
  const updatedAt = Date.parse("2026-03-02T12:00:00Z");
  const url = "https://github.com/octo/docs/pull/7#issuecomment-5";
  expect(page).toMatchObject({
    now: Date.parse(date),
    comments: [
      { id: 5, body: "comment 5", url, issue: 7, updatedAt },
      { id: 6, body: "", url: "", issue: 0, updatedAt: 0 },
    ],
  });
});

test("a list without an end is left after so many pages", async () => {
  const client = connectClient();
  client.server.on(ROUTE, json(200, [listed(1)], { link: '<http://localhost/x>; rel="next"' }));
  const pages = await pagesOf(client);
  expect(pages).toHaveLength(MAX_PAGES);
});
