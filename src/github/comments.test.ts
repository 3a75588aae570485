import { expect, test } from "vitest";
import { json } from "../../test/support/answers.ts";
import { type ConnectedClient, connectClient, inPages } from "../../test/support/github-client.ts";
import { addReaction, changedFiles, markedComments, newestComments } from "./comments.ts";
import { type JobMarker, jobMarkers } from "./markers.ts";

const PLACE = { repository: "octo/docs", issue: 7 };
const LIST = "GET /repos/octo/docs/issues/7/comments?per_page=100&page=";
const MINUTE = 60_000;
const markers = jobMarkers("mint_k3y", "docs");

function marker(job: string, at = Date.now()): JobMarker {
  return { job, api: "v2", ended: false, run: "1001", attempt: 1, step: "write-docs/docs", at };
}

function comment(job: string, at?: number): string {
  return `The agent is at work.\n\n${markers.write(PLACE, marker(job, at))}`;
}

/** Serves comments on issue #7, oldest first, each a text or with the time of its creation too. */
function serveComments(
  { server }: ConnectedClient,
  comments: readonly (string | { body: string; createdAt: number })[],
): void {
  const listed = comments.map((comment, nth) => {
    const { body, createdAt } =
      typeof comment === "string" ? { body: comment, createdAt: Date.now() } : comment;
    return { id: nth + 1, body, created_at: new Date(createdAt).toISOString() };
  });
  server.on("GET /repos/octo/docs/issues/7/comments", inPages(listed));
}

test.each([0, 1, 99, 100, 101, 250])(
  "of %i comments every one comes, newest first",
  async (count) => {
    await using github = await connectClient();
    serveComments(
      github,
      Array.from({ length: count }, (_, n) => `comment ${n + 1}`),
    );
    const bodies: string[] = [];
    for await (const { body } of newestComments(await github.connect(), PLACE)) bodies.push(body);
    expect(bodies).toEqual(Array.from({ length: count }, (_, n) => `comment ${count - n}`));
    expect(github.asked()).toHaveLength(Math.max(1, Math.ceil(count / 100)));
  },
);

/** Thousands of comments, with the action's own at one place, counted from the newest (0). */
async function search(back: number) {
  const github = await connectClient();
  const count = 3210;
  serveComments(
    github,
    Array.from({ length: count }, (_, n) =>
      n === count - 1 - back ? comment("job_1") : `comment ${n}`,
    ),
  );
  const jobs: string[] = [];
  for await (const found of markedComments(await github.connect(), PLACE, markers)) {
    jobs.push(found.marker.job);
    break;
  }
  return {
    jobs,
    asked: github.asked(),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

test.each([
  [0, [1, 33]],
  [9, [1, 33]],
  [10, [1, 33, 32]],
  [109, [1, 33, 32]],
  [110, [1, 33, 32, 31]],
])("in thousands of comments, %i from the newest, it takes the pages %j", async (back, pages) => {
  await using found = await search(back);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toEqual(pages.map((page) => `${LIST}${page}`));
});

test("what is on the first page was read with the first request", async () => {
  await using found = await search(3209);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toHaveLength(33);
  expect(new Set(found.asked).size).toBe(33);
});

test("the newest of several comes first", async () => {
  await using github = await connectClient();
  serveComments(github, [comment("job_1"), comment("job_2")]);
  const jobs: string[] = [];
  for await (const found of markedComments(await github.connect(), PLACE, markers)) {
    jobs.push(found.marker.job);
  }
  expect(jobs).toEqual(["job_2", "job_1"]);
});

test.each([
  ["as long ago as the clocks may differ", 9, true],
  ["longer ago", 11, false],
  ["days ago", 3 * 24 * 60, false],
  ["in the future, by a clock that is fast", -9, true],
])("a marker of %s counts: %#", async (_, minutes, counts) => {
  await using github = await connectClient();
  serveComments(github, [comment("job_1", Date.now() - minutes * MINUTE)]);
  const found: string[] = [];
  for await (const one of markedComments(await github.connect(), PLACE, markers)) {
    found.push(one.marker.job);
  }
  expect(found).toEqual(counts ? ["job_1"] : []);
});

test("a marker that somebody copied is passed over, and the one before it counts", async () => {
  await using github = await connectClient();
  const old = Date.now() - 3 * 24 * 60 * MINUTE;
  const genuine = comment("job_1", old);
  serveComments(github, [
    { body: genuine, createdAt: old },
    { body: comment("job_2", old + MINUTE), createdAt: old + MINUTE },
    `I am the agent.\n\n${genuine}`,
  ]);
  for await (const found of markedComments(await github.connect(), PLACE, markers)) {
    expect(found.marker.job).toBe("job_2");
    return;
  }
  throw new Error("no marker was found");
});

test("a pull request's changed files are its first hundred", async () => {
  await using github = await connectClient();
  const route = "GET /repos/octo/docs/pulls/7/files";
  github.server.on(route, json(200, [{ filename: "a.md" }, { filename: "b c.md" }]));
  expect(await changedFiles(await github.connect(), PLACE)).toEqual(["a.md", "b c.md"]);
  expect(github.asked()).toEqual([`${route}?per_page=100`]);
});

test("a review takes a reaction through the graph, by its id", async () => {
  await using github = await connectClient();
  github.server.on("POST /graphql", json(200, { data: { addReaction: {} } }));
  await addReaction(await github.connect(), "octo/docs", { node: "PRR_1" }, "eyes");
  const [request] = github.server.requestsTo("POST /graphql");
  const { query, variables } = JSON.parse(String(request?.body));
  expect(query).toContain("addReaction");
  expect(variables).toEqual({ id: "PRR_1", content: "EYES" });
});

test("a refusal of the graph, which is answered 200, is a refusal", async () => {
  await using github = await connectClient();
  const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
  github.server.on("POST /graphql", json(200, { data: { addReaction: null }, errors }));
  const reaction = addReaction(await github.connect(), "octo/docs", { node: "PRR_1" }, "eyes");
  await expect(reaction).rejects.toThrow("Resource not accessible");
});
