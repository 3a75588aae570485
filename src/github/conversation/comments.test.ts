import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import {
  type ConnectedClient,
  connectClient,
  inPages,
} from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { largeTest } from "../../../test/support/large-test.ts";
import { addReaction, IssueComments } from "./comments.ts";
import { type JobMarker, jobMarkers } from "./job-marker.ts";

const PLACE = { repository: "octo/docs", issue: 7 };
const LIST = "GET /repos/octo/docs/issues/7/comments?per_page=100&page=";
const markers = jobMarkers(["mint_k3y"], "docs");

function marker(job: string): JobMarker {
  const step = { run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" };
  return { job, api: "v2", request: "accepted", ended: null, ...step };
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

test.each([
  [0, 1],
  [1, 1],
  [99, 1],
  // GitHub sends no `link` header here, and the page is full.
  [100, 2],
  [101, 2],
  [250, 3],
])("of %i comments every one comes, newest first, with %i requests", async (count, requests) => {
  const github = connectClient();
  const oldestFirst = Array.from({ length: count }, (_, n) => `comment ${n + 1}`);
  serveComments(github, oldestFirst);
  const bodies: string[] = [];
  for await (const comment of new IssueComments(github.connect, PLACE).newest()) {
    bodies.push(knownValue(comment).body);
  }
  expect(bodies).toEqual(oldestFirst.toReversed());
  expect(github.asked()).toHaveLength(requests);
});

/** All comments, of pages that name only the next one. */
async function unnumbered(pages: readonly number[], linkTo: (next: number) => string) {
  const { server, connect, asked } = connectClient();
  let served = 0;
  server.on("GET /repos/octo/docs/issues/7/comments", (exchange) => {
    const nth = served;
    served += 1;
    const ids = Array.from({ length: pages[nth] ?? 0 }, (_, n) => ({ id: nth * 100 + n + 1 }));
    const link = nth + 1 < pages.length ? { link: `<${linkTo(nth + 2)}>; rel="next"` } : {};
    return json(200, ids, link)(exchange);
  });
  const comments = new IssueComments(connect, PLACE).newest();
  return {
    ids: (await Array.fromAsync(comments)).map((comment) => knownValue(comment).id),
    asked: asked(),
  };
}

test.each([
  ["by number", (next: number) => `https://a.example/x?per_page=100&page=${next}`, "page="],
  [
    "by a cursor",
    (next: number) => `https://a.example/x?after=c${next}%3D&per_page=100`,
    "after=c",
  ],
])("where no last page is named, all pages are read %s", async (_, linkTo, word) => {
  const { ids, asked } = await unnumbered([100, 90, 5], linkTo);
  expect(ids).toHaveLength(195);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  // The path is the action's own.
  for (const path of asked) expect(path).toMatch(/^GET \/repos\/octo\/docs\/issues\/7\/comments\?/);
  expect(asked.slice(1)).toEqual([2, 3].map((nth) => expect.stringContaining(`${word}${nth}`)));
});

test("comments whose pages never end are left after so many", async () => {
  const next = () => "https://a.example/x?after=same";
  const { asked } = await unnumbered(Array(500).fill(1), next);
  expect(asked).toHaveLength(100);
});

/** Thousands of comments, with the action's own at one place, counted from the newest (0). */
async function search(back: number) {
  const github = connectClient();
  const comments = Array.from({ length: 3210 }, (_, n) => `comment ${n}`);
  const own = comments.length - 1 - back;
  serveComments(github, comments.with(own, marked("job_1", own + 1)));
  const jobs: (string | null)[] = [];
  for await (const found of new IssueComments(github.connect, PLACE).marked(markers)) {
    jobs.push(knownValue(found).marker.job);
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

largeTest("what is on the first page was read with the first request", async () => {
  const found = await search(3209);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toHaveLength(33);
  expect(new Set(found.asked).size).toBe(33);
});

/** The comments of which a marker counts, newest first. */
async function counting(github: ConnectedClient, bodies: readonly string[]) {
  serveComments(github, bodies);
  const found: { id: number; job: string | null }[] = [];
  for await (const fact of new IssueComments(github.connect, PLACE).marked(markers)) {
    const { comment, marker } = knownValue(fact);
    found.push({ id: comment.id, job: marker.job });
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

const OWN = "docs-agent-gate:x";

/** Keeps a comment in a list with one that begins with its mark. @returns the requests that write */
async function keepBeside(user: object | null, viewer: string | null) {
  const { server, connect, asked } = connectClient();
  const body = `<!-- ${OWN} -->\nOld`;
  server.on("GET /repos/octo/docs/issues/7/comments", json(200, [{ id: 5, body, user }]));
  const login =
    viewer === null ? json(502, {}) : json(200, { data: { viewer: { login: viewer } } });
  server.on("POST /graphql", login);
  server.on("POST /repos/octo/docs/issues/7/comments", json(201, { id: 6 }));
  server.on("PATCH /repos/octo/docs/issues/comments/5", json(200, { id: 5 }));
  const kept = await new IssueComments(connect, PLACE).keep(OWN, "New");
  const writes = asked().filter(
    (request) => / \/repos/.test(request) && !request.startsWith("GET"),
  );
  return kept.type === "accepted" ? writes : [kept.type, ...writes];
}

const EDIT = ["PATCH /repos/octo/docs/issues/comments/5"];
const CREATE = ["POST /repos/octo/docs/issues/7/comments"];
const MONA = { login: "mona", type: "User" };

test.each([
  ["the token's own", MONA, "mona", EDIT],
  ["another bot's", { login: "x[bot]", type: "Bot" }, "ci[bot]", CREATE],
  ["somebody's", MONA, "ci[bot]", CREATE],
  ["somebody's, by a token of nobody known", MONA, null, ["not-sent"]],
  ["a deleted account's", null, "ci[bot]", CREATE],
])("%s comment with the mark", async (_, user, viewer, requests) => {
  expect(await keepBeside(user, viewer)).toEqual(requests);
});

const react = ({ connect }: ConnectedClient) =>
  addReaction(connect, "octo/docs", { node: "PRR_1" }, "eyes");

test("a review takes a reaction through the graph, by its id", async () => {
  const github = connectClient();
  github.server.on("POST /graphql", json(200, { data: { addReaction: {} } }));
  expect(await react(github)).toMatchObject({ type: "accepted" });
  const [request] = github.server.requestsTo("POST /graphql");
  const { query, variables } = JSON.parse(String(request?.body));
  expect(query).toContain("addReaction");
  expect(variables).toEqual({ id: "PRR_1", content: "EYES" });
});

test("a refusal of the graph, which is answered 200, is a refusal", async () => {
  const github = connectClient();
  const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
  github.server.on("POST /graphql", json(200, { data: { addReaction: null }, errors }));
  expect(await react(github)).toMatchObject({ type: "refused", by: "right" });
});

test.each([null, "<html>", [], { errors: "no" }, { errors: [null] }])(
  "an answer of the graph that is %j cannot be read",
  async (answer) => {
    const github = connectClient();
    github.server.on("POST /graphql", json(200, answer));
    const reason = expect.stringContaining("GitHub's response could not be read");
    expect(await react(github)).toMatchObject({ type: "uncertain", reason });
  },
);
