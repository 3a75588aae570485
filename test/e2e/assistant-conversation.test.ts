import { expect, test } from "vitest";
import { answerMarkers } from "../../src/assistant/conversation.ts";
import { json } from "../support/answers.ts";
import {
  ASSISTANT_KEY,
  type AssistantScenario,
  commentSaying,
  QUESTION,
  startAssistantScenario,
  THREAD,
} from "../support/assistant-scenario.ts";
import { refusal } from "../support/github.ts";
import { comment } from "../support/phrase-events.ts";

const PLACE = { repository: "octo/docs", issue: 7 };

/** The conversation that the nth question (from 0) went on with. */
function sent(scenario: AssistantScenario, nth: number) {
  const { threadId, messages } = scenario.asked(nth) as {
    threadId?: string;
    messages: { id: string; role: string; content: string }[];
  };
  return { threadId, said: messages.map(({ role, content }) => `${role}: ${content}`), messages };
}

/** A comment's marker, as the assistant would have written it. */
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
    asks: "a",
    ...more,
  };
}

test("a second question goes on in the same conversation, with the first and its answer", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.run();
  await scenario.run({ runId: "1002", inputs: { question: "And a webhook?" } });
  const { threadId, said, messages } = sent(scenario, 1);
  expect(threadId).toBe(THREAD);
  expect(said).toEqual([
    `user: ${QUESTION}`,
    "assistant: Create a second one.",
    "user: And a webhook?",
  ]);
  expect(messages[0]?.id).toBe(sent(scenario, 0).messages[0]?.id);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  expect(await scenario.github.comments(7)).toHaveLength(2);
});

test("where every run has the same id, a second question goes on all the same", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.run({ runId: "1" });
  await scenario.run({ runId: "1", inputs: { question: "And a webhook?" } });
  expect(sent(scenario, 1).threadId).toBe(THREAD);
  expect(await scenario.github.comments(7)).toHaveLength(2);
});

test("two legs of a matrix that are attempted again each edit their own comment", async () => {
  await using scenario = await startAssistantScenario();
  const legs = [{ matrix: { version: 1 } }, { matrix: { version: 2 } }];
  for (const leg of legs) await scenario.run(leg);
  for (const leg of legs.toReversed()) await scenario.run({ ...leg, attempt: 2 });
  const comments = await scenario.github.comments(7);
  expect(comments).toHaveLength(2);
  for (const { body } of comments) expect(body).toContain("/attempts/2");
});

test("a conversation goes on after the key was rotated, if the previous one is named", async () => {
  await using scenario = await startAssistantScenario();
  const old = "mint_dsc_0ldKey";
  await scenario.run({ inputs: { "api-key": old } });
  const inputs = { question: "And a webhook?", "previous-api-key": old };
  await scenario.run({ runId: "1002", inputs });
  expect(sent(scenario, 1).threadId).toBe(THREAD);
});

test("thread-id wins over the comments, whose messages are sent if they are of that thread", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.github.addComment(7, marker({ thread: "thr_a", answer: "A." }));
  await scenario.github.addComment(7, marker({ thread: "thr_b", answer: "B.", run: "901" }));
  await scenario.run({ inputs: { "thread-id": "thr_a" } });
  expect(sent(scenario, 0)).toMatchObject({
    threadId: "thr_a",
    said: ["user: Old?", "assistant: A.", `user: ${QUESTION}`],
  });
});

test("comments that cannot be read are a warning, and the question is asked all the same", async () => {
  await using scenario = await startAssistantScenario();
  scenario.github.answer("list-comments", refusal(403, "Resource not accessible"));
  const result = await scenario.run();
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings.join()).toContain("issues: write");
});

const PHRASE = { question: "", "trigger-phrase": "/ask" };

test("a question by phrase is answered, and --new begins another conversation", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.run({ ...commentSaying("/ask how do I rotate a key?"), inputs: PHRASE });
  expect(sent(scenario, 0).said).toEqual(["user: how do I rotate a key?"]);
  await scenario.run({ ...commentSaying("/ask why?"), inputs: PHRASE, runId: "1002" });
  expect(sent(scenario, 1).threadId).toBe(THREAD);
  await scenario.run({ ...commentSaying("/ask --new and now?"), inputs: PHRASE, runId: "1003" });
  expect(sent(scenario, 2)).toMatchObject({ threadId: undefined, said: ["user: and now?"] });
});

test("whoever lacks the permission is not answered", async () => {
  await using scenario = await startAssistantScenario();
  scenario.github.answer("permission", json(200, { permission: "read", role_name: "read" }));
  const asking = commentSaying("/ask why?");
  // Without a phrase, the permission is needed just the same.
  for (const inputs of [PHRASE, { "trigger-phrase": "", question: "Why?" }]) {
    const refused = await scenario.run({ ...asking, inputs });
    expect(refused.outputs.status).toBe("skipped");
    expect(refused.summary).toMatch(
      /^### 👎 Docs assistant: not allowed\n\n`octocat` has `read` permission/,
    );
  }
  expect(scenario.service.requests).toEqual([]);
  const allowed = await scenario.run({
    ...asking,
    inputs: { ...PHRASE, "required-permission": "read" },
  });
  expect(allowed.outputs.status).toBe("completed");
});

test("a bot is answered once it is named, and an account without permission likewise", async () => {
  await using scenario = await startAssistantScenario();
  scenario.github.answer("permission", json(200, { permission: "read", role_name: "read" }));
  const by = { login: "renovate[bot]", type: "Bot" };
  for (const asking of [commentSaying("/ask why?"), comment("/ask why?", { by })]) {
    expect((await scenario.run({ ...asking, inputs: PHRASE })).outputs.status).toBe("skipped");
    const names = { "allowed-users": "octocat", "allowed-bots": "renovate[bot]" };
    const answered = await scenario.run({ ...asking, inputs: { ...PHRASE, ...names } });
    expect(answered.outputs.status).toBe("completed");
  }
});
