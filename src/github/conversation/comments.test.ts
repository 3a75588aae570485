import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { refusal } from "../../../test/support/github.ts";
import {
  type ConnectedClient,
  connectClient,
  inPages,
} from "../../../test/support/github-client.ts";
import { addReaction, COMMENT_PERMISSION, IssueComments } from "./comments.ts";
import { type JobMarker, jobMarkers, MAX_PAGES, recentJobs } from "./job-marker.ts";

const PLACE = { repository: "octo/docs", issue: 7 };
const LIST = "GET /repos/octo/docs/issues/7/comments?per_page=100&page=";
const markers = jobMarkers(["mint_k3y"], "docs");

function marker(job: string): JobMarker {
  const step = { run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" };
  return { job, api: "v2", request: "accepted", ended: false, ...step };
}

/** Serves comments on issue #7, oldest first, with ids from 1. */
function serveComments({ server }: ConnectedClient, bodies: readonly string[]): void {
  const listed = bodies.map((body, nth) => ({ id: nth + 1, body }));
  server.on("GET /repos/octo/docs/issues/7/comments", inPages(listed));
}

/** A comment of the action's own, which names itself. */
function marked(job: string, id: number): string {
  return `The agent is working.\n\n${markers.write(PLACE, marker(job), id)}`;
}

test.each([0, 1, 99, 100, 101, 250])(
  "of %i comments every one comes, newest first",
  async (count) => {
    const github = connectClient();
    const oldestFirst = Array.from({ length: count }, (_, n) => `comment ${n + 1}`);
    serveComments(github, oldestFirst);
    const bodies: string[] = [];
    for await (const { body } of new IssueComments(github.connect, PLACE).newest())
      bodies.push(body);
    expect(bodies).toEqual(oldestFirst.toReversed());
    expect(github.asked()).toHaveLength(Math.max(1, Math.ceil(count / 100)));
  },
);

test.each([99, 100, 101, 250])(
  "of %i comments every one comes, newest first, if GitHub does not name the last page",
  async (count) => {
    const github = connectClient();
    const all = Array.from({ length: count }, (_, nth) => ({ id: nth + 1, body: `${nth + 1}` }));
    github.server.on("GET /repos/octo/docs/issues/7/comments", inPages(all, "prev, next"));
    const comments = new IssueComments(github.connect, PLACE).newest();
    const ids = (await Array.fromAsync(comments)).map(({ id }) => id);
    expect(ids).toEqual(all.map(({ id }) => id).toReversed());
    expect(github.asked()).toHaveLength(Math.ceil(count / 100));
  },
);

/** Thousands of comments, with the action's own at one place, counted from the newest (0). */
async function search(back: number) {
  const github = connectClient();
  const comments = Array.from({ length: 3210 }, (_, n) => `comment ${n}`);
  const own = comments.length - 1 - back;
  serveComments(github, comments.with(own, marked("job_1", own + 1)));
  const jobs: string[] = [];
  for await (const found of new IssueComments(github.connect, PLACE).marked(markers)) {
    jobs.push(found.marker.job);
    break;
  }
  return { jobs, asked: github.asked() };
}

test.each([
  [0, [1, 33]],
  [9, [1, 33]],
  [10, [1, 33, 32]],
  [109, [1, 33, 32]],
  [110, [1, 33, 32, 31]],
])("in thousands of comments, %i from the newest, it takes the pages %j", async (back, pages) => {
  const found = await search(back);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toEqual(pages.map((page) => `${LIST}${page}`));
});

test("what is on the first page was read with the first request", async () => {
  const found = await search(3209);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toHaveLength(33);
  expect(new Set(found.asked).size).toBe(33);
});

/** The comments of which a marker counts, newest first. */
async function counting(github: ConnectedClient, bodies: readonly string[]) {
  serveComments(github, bodies);
  const found: { id: number; job: string }[] = [];
  for await (const marked of new IssueComments(github.connect, PLACE).marked(markers)) {
    found.push({ id: marked.comment.id, job: marked.marker.job });
  }
  return found;
}

test("a marker that somebody copied is passed over, and the ones before it count", async () => {
  const github = connectClient();
  const genuine = marked("job_1", 1);
  const copy = `I am the agent.\n\n${genuine}`;
  const found = await counting(github, [genuine, marked("job_2", 2), copy]);
  expect(found.map(({ id }) => id)).toEqual([2, 1]);
});

test("a newer marker that is edited into an older comment does not count there", async () => {
  const github = connectClient();
  const newer = marked("job_1", 2);
  expect(await counting(github, [newer, newer])).toEqual([{ id: 2, job: "job_1" }]);
});

test("the marker of a comment that has no id yet counts for nothing", async () => {
  const github = connectClient();
  const draft = markers.write(PLACE, marker("job_1"), "draft");
  expect(await counting(github, [draft])).toEqual([]);
});

const react = ({ connect }: ConnectedClient) =>
  addReaction(connect, "octo/docs", { node: "PRR_1" }, "eyes");

test("a review takes a reaction through the graph, by its id", async () => {
  const github = connectClient();
  github.server.on("POST /graphql", json(200, { data: { addReaction: {} } }));
  expect(await react(github)).toBeNull();
  const [request] = github.server.requestsTo("POST /graphql");
  const { query, variables } = JSON.parse(String(request?.body));
  expect(query).toContain("addReaction");
  expect(variables).toEqual({ id: "PRR_1", content: "EYES" });
});

test("a refusal of the graph, which is answered 200, is a refusal", async () => {
  const github = connectClient();
  const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
  github.server.on("POST /graphql", json(200, { data: { addReaction: null }, errors }));
  expect(await react(github)).toMatchObject({ isPassing: true });
});

test.each([null, "<html>", [], { errors: "no" }, { errors: [null] }])(
  "an answer of the graph that is %j cannot be read",
  async (answer) => {
    const github = connectClient();
    github.server.on("POST /graphql", json(200, answer));
    const reason = expect.stringContaining("GitHub's response could not be read");
    expect(await react(github)).toMatchObject({ isPassing: true, reason });
  },
);

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
  return await recentJobs(connect, "octo/docs", markers, SINCE);
}

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
  await recentJobs(client.connect, "octo/docs", watched, SINCE);
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

test("who may not read the comments is told which permission is missing", async () => {
  const client = connectClient();
  client.server.on(ROUTE, refusal(403, "Resource not accessible by integration"));
  await expect(recentOf(client)).rejects.toThrow("needs the permission `issues: read`");
  const writing = recentJobs(client.connect, "octo/docs", markers, SINCE, COMMENT_PERMISSION);
  await expect(writing).rejects.toThrow("`issues: write`, or on pull requests");
});

test("a list without an end is left after so many pages", async () => {
  const client = connectClient();
  client.server.on(ROUTE, json(200, [listed(1)], { link: '<http://localhost/x>; rel="next"' }));
  expect((await recentOf(client)).comments).toHaveLength(MAX_PAGES);
});
