import { expect, test } from "vitest";
import { json, refusal } from "../../../test/support/answers.ts";
import {
  type ConnectedClient,
  connectClient,
  inPages,
} from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { contextOf } from "../../../test/support/run-context.ts";
import { JOB, type JobMarker, jobMarkers, recentJobs } from "./job-marker.ts";
import { unverifiedMarker } from "./markers.ts";

const PLACE = { repository: "octo/docs", issue: 7 };
const markers = jobMarkers(["mint_k3y"], "docs");

function marker(job: string): JobMarker {
  const step = { run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" };
  return { job, api: "v2", request: "accepted", ended: null, ...step };
}

/** A comment of the action's own, which names itself. */
function marked(job: string, id: number): string {
  return `The agent is working.\n\n${markers.write(PLACE, marker(job), id)}`;
}

const ROUTE = "GET /repos/octo/docs/issues/comments";
const SINCE = Date.parse("2026-03-01T12:00:00.789Z");

function listed(id: number) {
  return {
    id,
    body: marked(`job_${id}`, id),
    html_url: `https://github.com/octo/docs/pull/7#issuecomment-${id}`,
    issue_url: "https://api.github.com/repos/octo/docs/issues/7",
    updated_at: "2026-03-02T12:00:00Z",
  };
}

async function recentOf({ connect }: ConnectedClient) {
  return knownValue(await recentJobs(connect, contextOf("schedule"), markers, SINCE));
}

/** What a marker stores, and a marker that stores this. */
function storedIn(text: string): Record<string, unknown> {
  const [, payload = ""] = /docs-agent:([\w-]+)\./.exec(text) ?? [];
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

const unsigned = (fields: object) => {
  const payload = Buffer.from(JSON.stringify(fields)).toString("base64url");
  return `<!-- docs-agent:${payload}.${"a".repeat(43)} -->`;
};

test.each<JobMarker["ended"]>([null, "completed", "archived", "failed", "unknown"])(
  "a marker says that a job has ended: %s",
  (ended) => {
    const text = markers.write(PLACE, { ...marker("job"), ended }, 1);
    expect(markers.read(text, PLACE, 1)).toMatchObject({ ended });
    expect(storedIn(text)).toMatchObject({ ended });
  },
);

test.each([true, "dreaming", undefined])("a marker that says %j of the end is none", (ended) => {
  const fields = storedIn(markers.write(PLACE, marker("job"), 1));
  expect(unverifiedMarker(unsigned({ ...fields, ended: null }), PLACE, 1, JOB)).not.toBeNull();
  expect(unverifiedMarker(unsigned({ ...fields, ended }), PLACE, 1, JOB)).toBeNull();
});

test.each([
  [0, 1],
  [1, 1],
  // GitHub sends no `link` header here, and the page is full.
  [100, 2],
  [101, 2],
  [250, 3],
])("of %i comments about jobs every one comes, with %i requests", async (count, requests) => {
  const client = connectClient();
  const ids = Array.from({ length: count }, (_, nth) => nth + 1);
  client.server.on(ROUTE, inPages(ids.map(listed)));
  const { comments } = await recentOf(client);
  expect(comments.map(({ id }) => id)).toEqual(ids);
  expect(client.asked()).toHaveLength(requests);
});

test("those written since are asked for, the last first, and each has its place and its time", async () => {
  const client = connectClient();
  const date = "Mon, 02 Mar 2026 12:00:05 GMT";
  client.server.on(ROUTE, json(200, [listed(5), { id: 6 }], { date }));
  const recent = await recentOf(client);
  const [asked] = client.asked();
  const query = new URL(asked?.replace("GET ", "") ?? "", "http://localhost").searchParams;
  expect(Object.fromEntries(query)).toEqual({
    since: "2026-03-01T12:00:00Z",
    sort: "updated",
    direction: "desc",
    per_page: "100",
    page: "1",
  });
  const updatedAt = Date.parse("2026-03-02T12:00:00Z");
  const url = "https://github.com/octo/docs/pull/7#issuecomment-5";
  expect(recent).toMatchObject({
    now: Date.parse(date),
    comments: [{ id: 5, marker: { job: "job_5" }, url, issue: 7, updatedAt }],
  });
});

test("the comments of a page are read before the next page, so that no other texts are kept", async () => {
  const client = connectClient();
  const order: string[] = [];
  const serve = inPages(Array.from({ length: 101 }, (_, nth) => listed(nth + 1)));
  client.server.on(ROUTE, (exchange) => {
    order.push("page");
    return serve(exchange);
  });
  const read: typeof markers.read = (body, place, name) => {
    order.push("comment");
    return markers.read(body, place, name);
  };
  const watched = Object.assign(jobMarkers(["mint_k3y"], "docs"), { read });
  await recentJobs(client.connect, contextOf("schedule"), watched, SINCE);
  const page = Array.from({ length: 100 }, () => "comment");
  expect(order).toEqual(["page", ...page, "page", "comment"]);
});

test("a full page of comments about no job may have a next one", async () => {
  const client = connectClient();
  const others = Array.from({ length: 100 }, (_, nth) => ({ id: nth + 1, body: "Thanks." }));
  // GitHub sends no `link` header here.
  client.server.on(ROUTE, inPages(others));
  expect((await recentOf(client)).comments).toEqual([]);
  expect(client.asked()).toHaveLength(2);
});

test("a comment whose author has no type is one by nobody in particular", async () => {
  const client = connectClient();
  client.server.on(ROUTE, json(200, [{ ...listed(5), user: { type: null } }, listed(6)]));
  const { comments } = await recentOf(client);
  expect(comments).toMatchObject([{ id: 5, isByBot: false }, { id: 6 }]);
});

test.each([1.5, 2 ** 53, "5"])("a comment with the ID %j cannot be read", async (id) => {
  const client = connectClient();
  client.server.on(ROUTE, json(200, [{ ...listed(5), id }]));
  await expect(recentOf(client)).rejects.toThrow("could not be read (at `0.id`)");
});

test("an error about unreadable comments names the missing permission", async () => {
  const client = connectClient();
  client.server.on(ROUTE, refusal(403, "Resource not accessible by integration"));
  await expect(recentOf(client)).rejects.toThrow("`issues: write`, or on pull requests");
});

test("a list without an end is left after so many pages", async () => {
  const client = connectClient();
  client.server.on(ROUTE, json(200, [listed(1)], { link: '<http://localhost/x>; rel="next"' }));
  expect((await recentOf(client)).comments).toHaveLength(100);
});
