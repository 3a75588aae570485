import { expect, test } from "vitest";
import { ASSISTANT_KEY } from "../../emulator/service/state.ts";
import { answerMarkers } from "../../src/assistant/conversation.ts";
import { json, refusal } from "../support/answers.ts";
import { comment } from "../support/phrase-events.ts";
import { QUESTION } from "../support/world/actions.ts";
import { addComment } from "../support/world/comments.ts";
import { LIST_COMMENTS, PERMISSION } from "../support/world/conversation.ts";
import { commentSaying, THREAD, WITH_ANSWER } from "../support/world/questions.ts";
import { startWorld, type World } from "../support/world/world.ts";

const PLACE = { repository: "octo/docs", issue: 7 };

/** The conversation that was sent with the nth question (from 0). */
function conversation(world: World, nth: number) {
  const { threadId, messages } = world.sent("service")[nth] as {
    threadId?: string;
    messages: { id: string; role: string; content: string }[];
  };
  const lines = messages.map(({ role, content }) => `${role}: ${content}`);
  return { threadId, lines, messages };
}

/** The body of an answer of the assistant, with its marker. */
function marker(more: Record<string, unknown> = {}, place = PLACE, key = ASSISTANT_KEY) {
  return (id: number) => `x\n\n${answerMarkers([key], "acme").write(place, memory(more), id)}`;
}

function memory(more: Record<string, unknown> = {}) {
  return {
    thread: "thr_old",
    begins: true,
    question: "Old?",
    answer: "Old.",
    run: "900",
    attempt: 1,
    step: "write-docs/docs",
    leg: "l",
    asks: "a",
    ...more,
  };
}

test("a second question continues the conversation and sends the first question and its answer", async () => {
  await using world = await startWorld(WITH_ANSWER);
  await world.run("assistant");
  await world.run("assistant", { runId: "1002", inputs: { question: "And a webhook?" } });
  const { threadId, lines, messages } = conversation(world, 1);
  expect(threadId).toBe(THREAD);
  expect(lines).toEqual([
    `user: ${QUESTION}`,
    "assistant: Create a second one.",
    "user: And a webhook?",
  ]);
  expect(messages[0]?.id).toBe(conversation(world, 0).messages[0]?.id);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  expect(world.comments(7)).toHaveLength(2);
});

test("a second question continues the conversation even if all runs have the same ID", async () => {
  await using world = await startWorld(WITH_ANSWER);
  await world.run("assistant", { runId: "1" });
  await world.run("assistant", { runId: "1", inputs: { question: "And a webhook?" } });
  expect(conversation(world, 1).threadId).toBe(THREAD);
  expect(world.comments(7)).toHaveLength(2);
});

test("after a re-run, each leg of a matrix edits its own comment", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const legs = [{ matrix: { version: 1 } }, { matrix: { version: 2 } }];
  for (const leg of legs) await world.run("assistant", leg);
  for (const leg of legs.toReversed()) await world.run("assistant", { ...leg, attempt: 2 });
  const comments = world.comments(7);
  expect(comments).toHaveLength(2);
  for (const { body } of comments) expect(body).toContain("/attempts/2");
});

test("after a key rotation, the conversation continues with `previous-api-key`", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const old = "mint_dsc_0ldKey";
  await world.run("assistant", { inputs: { "api-key": old } });
  const inputs = { question: "And a webhook?", "previous-api-key": old };
  await world.run("assistant", { runId: "1002", inputs });
  expect(conversation(world, 1).threadId).toBe(THREAD);
});

test("thread-id selects the thread, and only messages of that thread are sent", async () => {
  await using world = await startWorld(WITH_ANSWER);
  addComment(world, 7, marker({ thread: "thr_a", answer: "A." }));
  addComment(world, 7, marker({ thread: "thr_b", answer: "B.", run: "901" }));
  await world.run("assistant", { inputs: { "thread-id": "thr_a" } });
  expect(conversation(world, 0)).toMatchObject({
    threadId: "thr_a",
    lines: ["user: Old?", "assistant: A.", `user: ${QUESTION}`],
  });
});

test.each([
  [403, "Resource not accessible by integration", "github-refused"],
  [502, "Bad Gateway", "github-unavailable"],
])("nothing is asked if the comments answer %i", async (status, words, errorKind) => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(LIST_COMMENTS, refusal(status, words));
  const result = await world.run("assistant");
  expect(world.received("service")).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "failed", errorKind });
});

test("each leg of a matrix goes on with its own conversation", async () => {
  await using world = await startWorld(WITH_ANSWER);
  const legs = [{ matrix: { version: 1 } }, { matrix: { version: 2 } }];
  for (const leg of legs) await world.run("assistant", leg);
  expect(conversation(world, 1)).toMatchObject({ threadId: undefined });
  expect(conversation(world, 1).lines).toHaveLength(1);
  const inputs = { question: "And a webhook?" };
  await world.run("assistant", { matrix: { version: 1 }, runId: "1002", inputs });
  expect(conversation(world, 2).lines).toHaveLength(3);
});

test("a question by phrase is answered where it was asked, whatever issue-number says", async () => {
  await using world = await startWorld(WITH_ANSWER);
  await world.run("assistant");
  const inputs = { question: "", "trigger-phrase": "/ask", "issue-number": "8" };
  await world.run("assistant", { ...commentSaying("/ask why?"), inputs, runId: "1002" });
  expect(conversation(world, 1).threadId).toBe(THREAD);
  expect(world.comments(8)).toEqual([]);
  expect(world.comments(7)).toHaveLength(2);
});

const PHRASE = { question: "", "trigger-phrase": "/ask" };

test("a question by phrase is answered, and --new starts a new conversation", async () => {
  await using world = await startWorld(WITH_ANSWER);
  await world.run("assistant", { ...commentSaying("/ask how do I rotate a key?"), inputs: PHRASE });
  expect(conversation(world, 0).lines).toEqual(["user: how do I rotate a key?"]);
  await world.run("assistant", { ...commentSaying("/ask why?"), inputs: PHRASE, runId: "1002" });
  expect(conversation(world, 1).threadId).toBe(THREAD);
  await world.run("assistant", {
    ...commentSaying("/ask --new and now?"),
    inputs: PHRASE,
    runId: "1003",
  });
  expect(conversation(world, 2)).toMatchObject({
    threadId: undefined,
    lines: ["user: and now?"],
  });
});

test("a question by an account without the permission is refused, with and without a phrase", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(PERMISSION, json(200, { permission: "read", role_name: "read" }));
  const question = commentSaying("/ask why?");
  // The permission is required without a phrase, too.
  for (const inputs of [PHRASE, { "trigger-phrase": "", question: "Why?" }]) {
    const refused = await world.run("assistant", { ...question, inputs });
    expect(refused.outputs.status).toBe("skipped");
    expect(refused.summary).toMatch(
      /^### 👎 Docs assistant: not allowed\n\n`octocat` has `read` permission/,
    );
  }
  expect(world.received("service")).toEqual([]);
  const allowed = await world.run("assistant", {
    ...question,
    inputs: { ...PHRASE, "required-permission": "read" },
  });
  expect(allowed.outputs.status).toBe("completed");
});

test("bots in allowed-bots and accounts in allowed-users are answered", async () => {
  await using world = await startWorld(WITH_ANSWER);
  world.on(PERMISSION, json(200, { permission: "read", role_name: "read" }));
  const by = { login: "renovate[bot]", type: "Bot" };
  for (const question of [commentSaying("/ask why?"), comment("/ask why?", { by })]) {
    expect((await world.run("assistant", { ...question, inputs: PHRASE })).outputs.status).toBe(
      "skipped",
    );
    const allowed = { "allowed-users": "octocat", "allowed-bots": "renovate[bot]" };
    const answered = await world.run("assistant", {
      ...question,
      inputs: { ...PHRASE, ...allowed },
    });
    expect(answered.outputs.status).toBe("completed");
  }
});
