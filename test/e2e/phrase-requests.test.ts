import { expect, test } from "vitest";
import { json, late, refusal } from "../support/answers.ts";
import { issueOpened } from "../support/events.ts";
import {
  byPhrase,
  comment,
  EVENTS,
  newIssue,
  review,
  reviewComment,
} from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT } from "../support/world/actions.ts";
import {
  CREATE_COMMENT,
  GRAPHQL,
  MARKER,
  REACT_TO_COMMENT,
} from "../support/world/conversation.ts";
import { CREATE, POLL, PR_LINK, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

test("a request gets the reactions eyes and rocket, and one comment with the pull request", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", byPhrase(comment("/docs explain retries")));
  expect(result.exitCode).toBe(0);
  expect(world.asked("service")).toEqual([CREATE, POLL]);
  expect(result.outputs).toMatchObject({ status: "completed", jobId: "job_1", prLink: PR_LINK });
  expect(world.reactions()).toEqual([
    "/repos/octo/docs/issues/comments/555/reactions eyes",
    "/repos/octo/docs/issues/comments/555/reactions rocket",
  ]);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
});

test.each(
  someOf([
    ["a review comment", reviewComment, "pulls/comments/555"],
    ["a new issue", newIssue, "issues/7"],
  ] as const),
)("%s gets the reaction eyes", async (_, on, path) => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", byPhrase(on("/docs explain retries")));
  expect(world.reactions()[0]).toBe(`/repos/octo/docs/${path}/reactions eyes`);
});

test("a run that does not wait for the job ends after GitHub has answered its reaction", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(REACT_TO_COMMENT, late(json(201, { id: 1 }), 300));
  const options = byPhrase(comment("/docs explain retries"), { wait: "false" });
  const result = await world.run("root", { ...options, debug: true });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(result.debug.join("\n")).toMatch(/issues\/comments\/555\/reactions: 201 after/);
});

test("a review gets its reactions with GraphQL", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(GRAPHQL, json(200, { data: { addReaction: { clientMutationId: null } } }));
  const result = await world.run("root", byPhrase(review("/docs explain retries")));
  expect(result.warnings).toEqual([]);
  const sent = world.received(GRAPHQL).map(({ body }) => JSON.parse(String(body)));
  expect(sent.map(({ variables }) => variables)).toEqual([
    { id: "PRR_kwDOdocs", content: "EYES" },
    { id: "PRR_kwDOdocs", content: "ROCKET" },
  ]);
  expect(world.comment(7)).toContain(PR_LINK);
});

test.each(someOf(EVENTS))(
  "the prompt of %s is the rest of the phrase's line and the lines after it",
  async (_, on) => {
    await using world = await startWorld(WITH_JOB);
    world.on(GRAPHQL, json(200, { data: {} }));
    const body = "Thanks!\r\n/DOCS explain retries,\r\nand limits.\r\n";
    await world.run("root", byPhrase(on(body), { "include-context": "false" }));
    expect(world.sentPrompts()).toEqual(["explain retries,\nand limits."]);
  },
);

test("with a prompt input, the request follows it", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = { prompt: "Write in British English.\n", "include-context": "false" };
  await world.run("root", byPhrase(comment("/docs explain retries"), inputs));
  expect(world.sentPrompts()).toEqual(["Write in British English.\n\nexplain retries"]);
});

test("with a prompt input, the phrase by itself is a request", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = { prompt: "Update the pages.", "include-context": "false", wait: "false" };
  await world.run("root", byPhrase(comment("/docs"), inputs));
  expect(world.sentPrompts()).toEqual(["Update the pages."]);
});

test.each([
  ["without a project", "root", { "project-id": "" }, "project-id"],
  ["with a file that is missing", "root", { "prompt-file": "no.md" }, "no.md"],
  ["with a file that is missing", "assistant", { "context-files": "no.md" }, "no.md"],
] as const)("a request in a workflow %s is answered: %s", async (_, action, wrong, word) => {
  await using world = await startWorld(WITH_JOB);
  const inputs: Record<string, string> = { question: "", ...wrong };
  const result = await world.run(action, byPhrase(comment("/docs explain"), inputs));
  expect(result.outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(world.asked("service")).toEqual([]);
  expect(world.comment(7)).toContain("invalid inputs");
  expect(world.comment(7)).toContain(word);
  expect(world.reactions()).toEqual(["/repos/octo/docs/issues/comments/555/reactions confused"]);
});

test("a phrase of more than one line, or of white space, is an invalid input", async () => {
  await using world = await startWorld(WITH_JOB);
  for (const phrase of ["/docs\n/help", " "]) {
    const inputs = { prompt: PROMPT, "trigger-phrase": phrase };
    const result = await world.run("root", { ...comment("/docs explain"), inputs });
    expect(result.outputs).toMatchObject({ errorKind: "invalid-input" });
  }
  expect(world.asked("service")).toEqual([]);
});

test.each(someOf(["/docs", "  /docs  ", "/docs\n\n", "/docs --new", "Hello!\n/DOCS"]))(
  "%j without a request gets a comment that explains the phrase",
  async (body) => {
    await using world = await startWorld(WITH_JOB);
    const result = await world.run("root", byPhrase(comment(body)));
    expect(result.exitCode).toBe(0);
    expect(world.asked("service")).toEqual([]);
    expect(world.comments(7)).toHaveLength(1);
    const [usage] = world.comments(7);
    expect(usage?.body).toContain("`/docs --new`");
    expect(usage?.body).not.toMatch(MARKER);
    expect(result.outputs).toEqual({ status: "skipped", commentUrl: usage?.url });
  },
);

test("the comment that explains the phrase needs no key, obeys comment: false, and causes a warning if it is refused", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", byPhrase(comment("/docs"), { "api-key": "" }));
  expect(world.comments(7)).toHaveLength(1);
  await world.run("root", byPhrase(comment("/docs"), { comment: "false" }));
  expect(world.comments(7)).toHaveLength(1);
  world.on(CREATE_COMMENT, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("root", byPhrase(comment("/docs")));
  expect(result.exitCode).toBe(0);
  expect(result.warnings.join()).toContain("issues: write");
  expect(result.outputs).toEqual({ status: "skipped" });
});

test("a run without a phrase does not continue a conversation, and starts a new job", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", byPhrase(comment("/docs explain retries")));
  const event = { ...Object(issueOpened(7).event), action: "labeled" };
  await world.run("root", byPhrase({ eventName: "issues", event }, { prompt: PROMPT }));
  expect(world.received(CREATE)).toHaveLength(2);
});

test("a label on an issue ends green where the workflow takes requests only", async () => {
  await using world = await startWorld(WITH_JOB);
  const event = { ...Object(issueOpened(7).event), action: "labeled" };
  const result = await world.run("root", byPhrase({ eventName: "issues", event }));
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
  expect(result.visible.join()).toContain("set `prompt`");
  expect(world.asked()).toEqual([]);
});
