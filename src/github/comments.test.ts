import { expect, test } from "vitest";
import { json } from "../../test/support/faulty-server.ts";
import { type Connected, connectFake } from "../../test/support/github-client.ts";
import { addReaction, changedFiles, markedComments, newestComments } from "./comments.ts";
import { type JobMarker, jobMarkers } from "./job-marker.ts";

const PLACE = { repository: "octo/docs", issue: 7 };
const LIST = "GET /repos/octo/docs/issues/7/comments?per_page=100&page=";
const markers = jobMarkers(["mint_k3y"], "docs");

function marker(job: string): JobMarker {
  const step = { run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" };
  return { job, api: "v2", request: "accepted", ended: false, ...step };
}

/** Adds a comment of the action's own, which names itself. */
function addMarked({ fake }: Connected, job: string) {
  const comment = fake.addComment(7, "");
  comment.body = `The agent is at work.\n\n${markers.write(PLACE, marker(job), comment.id)}`;
  return comment;
}

test.each([0, 1, 99, 100, 101, 250])(
  "of %i comments every one comes, newest first",
  async (count) => {
    await using github = await connectFake();
    for (let n = 1; n <= count; n += 1) github.fake.addComment(7, `comment ${n}`);
    github.fake.addComment(8, "on another issue");
    const bodies: string[] = [];
    for await (const { body } of newestComments(await github.connect(), PLACE)) bodies.push(body);
    expect(bodies).toEqual(Array.from({ length: count }, (_, n) => `comment ${count - n}`));
    expect(github.asked()).toHaveLength(Math.max(1, Math.ceil(count / 100)));
  },
);

/** Thousands of comments, with the action's own at one place, counted from the newest (0). */
async function search(back: number) {
  const github = await connectFake();
  const count = 3210;
  for (let n = 0; n < count; n += 1) {
    if (n === count - 1 - back) addMarked(github, "job_1");
    else github.fake.addComment(7, `comment ${n}`);
  }
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

test("what stands on the first page was read with the first look", async () => {
  await using found = await search(3209);
  expect(found.jobs).toEqual(["job_1"]);
  expect(found.asked).toHaveLength(33);
  expect(new Set(found.asked).size).toBe(33);
});

test("the newest of several comes first, one that was edited last does not", async () => {
  await using github = await connectFake();
  const first = addMarked(github, "job_1");
  addMarked(github, "job_2");
  first.updated_at = new Date(Date.now() + 60_000).toISOString();
  const jobs: string[] = [];
  for await (const found of markedComments(await github.connect(), PLACE, markers)) {
    jobs.push(found.marker.job);
  }
  expect(jobs).toEqual(["job_2", "job_1"]);
});

test("a marker that somebody copied is passed over, at whatever time, and the one before it counts", async () => {
  await using github = await connectFake();
  const genuine = addMarked(github, "job_1");
  addMarked(github, "job_2");
  github.fake.addComment(7, `I am the agent.\n\n${genuine.body}`);
  for await (const found of markedComments(await github.connect(), PLACE, markers)) {
    expect(found.marker.job).toBe("job_2");
    return;
  }
  throw new Error("no marker was found");
});

test("a newer marker that is edited into an older comment does not count there", async () => {
  await using github = await connectFake();
  const older = github.fake.addComment(7, "Thanks!", "stranger");
  older.body = addMarked(github, "job_1").body;
  const found: number[] = [];
  for await (const { comment } of markedComments(await github.connect(), PLACE, markers)) {
    found.push(comment.id);
  }
  expect(found).toEqual([older.id + 1]);
});

test("the marker of a comment that has no id yet counts for nothing", async () => {
  await using github = await connectFake();
  github.fake.addComment(7, markers.writeDraft(PLACE, marker("job_1"), "draft"));
  for await (const _ of markedComments(await github.connect(), PLACE, markers)) {
    throw new Error("a marker was found");
  }
});

test("a pull request's changed files are its first hundred", async () => {
  await using github = await connectFake();
  const route = "GET /repos/octo/docs/pulls/7/files";
  github.fake.server.on(route, json(200, [{ filename: "a.md" }, { filename: "b c.md" }]));
  expect(await changedFiles(await github.connect(), PLACE)).toEqual(["a.md", "b c.md"]);
  expect(github.asked()).toEqual([`${route}?per_page=100`]);
});

test("a review takes a reaction through the graph, by its id", async () => {
  await using github = await connectFake();
  github.fake.server.on("POST /graphql", json(200, { data: { addReaction: {} } }));
  await addReaction(await github.connect(), "octo/docs", { node: "PRR_1" }, "eyes");
  const [request] = github.fake.server.requestsTo("POST /graphql");
  const { query, variables } = JSON.parse(String(request?.body));
  expect(query).toContain("addReaction");
  expect(variables).toEqual({ id: "PRR_1", content: "EYES" });
});

test("a refusal of the graph, which is answered 200, is a refusal", async () => {
  await using github = await connectFake();
  const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
  github.fake.server.on("POST /graphql", json(200, { data: { addReaction: null }, errors }));
  const reaction = addReaction(await github.connect(), "octo/docs", { node: "PRR_1" }, "eyes");
  await expect(reaction).rejects.toThrow("Resource not accessible");
});
