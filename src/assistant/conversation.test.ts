import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../test/support/arbitrary.ts";
import { knownValue } from "../../test/support/known.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { partsOf } from "../../test/support/signed-marker.ts";
import { StepIdentity } from "../github/conversation/markers.ts";
import { known } from "../runtime/fact.ts";
import { visible } from "../text/markdown.ts";
import {
  type AnswerMarker,
  answerMarkers,
  conversationIn,
  cutToFit,
  messageId,
  questionOfIssue,
} from "./conversation.ts";

const markers = answerMarkers(["mint_dsc_k3y"], "docs");
const stepOf = (runId: string, attempt = 1) =>
  new StepIdentity(markers, { runId, attempt, step: "ask/docs" }, "", ["How?"]);

/** An answer that was posted by another run. */
function answered(run: string, more: Partial<AnswerMarker> = {}): AnswerMarker {
  const texts = { question: `question ${run}`, answer: `answer ${run}` };
  return {
    thread: "t1",
    begins: false,
    ...texts,
    leg: stepOf(run).leg,
    ...stepOf(run).marker,
    ...more,
  };
}

/** What comments with these markers, newest first, tell; and how many of them were read. */
async function recalled(
  found: readonly AnswerMarker[],
  { threadId = null as string | null, isNew = false, step = stepOf("9") } = {},
) {
  let read = 0;
  async function* comments() {
    for (const marker of found) {
      read += 1;
      yield known({ comment: { id: read, body: "", url: "", updatedAt: 0 }, marker });
    }
  }
  const conversation = knownValue(await conversationIn(comments(), step, { threadId, isNew }));
  const texts = conversation.messages.map(({ text }) => text);
  return { ...conversation, texts, read };
}

test("without comments a conversation begins", async () => {
  expect(await recalled([])).toMatchObject({
    threadId: null,
    begins: true,
    messages: [],
    earlierComment: null,
  });
});

test("the newest comment's conversation goes on, oldest message first, from where it began", async () => {
  const found = [answered("3"), answered("2", { begins: true }), answered("1")];
  const conversation = await recalled(found);
  expect(conversation).toMatchObject({ threadId: "t1", begins: false, read: 2 });
  expect(conversation.texts).toEqual(["question 2", "answer 2", "question 3", "answer 3"]);
});

test("comments of other conversations are passed over", async () => {
  const found = [answered("3"), answered("2", { thread: "t2" }), answered("1", { begins: true })];
  expect((await recalled(found)).texts).toEqual([
    "question 1",
    "answer 1",
    "question 3",
    "answer 3",
  ]);
  const named = await recalled(found, { threadId: "t2" });
  expect(named).toMatchObject({ threadId: "t2", texts: ["question 2", "answer 2"] });
});

test("a question without a whole answer is no part of it, but goes on with its conversation", async () => {
  const conversation = await recalled([answered("1", { question: "", answer: "" })]);
  expect(conversation).toMatchObject({ threadId: "t1", messages: [], begins: false });
});

test("a conversation whose id the service never sent goes on without one", async () => {
  const found = [answered("3", { thread: null }), answered("2"), answered("1", { thread: null })];
  const conversation = await recalled(found);
  expect(conversation).toMatchObject({ threadId: null, begins: false });
  expect(conversation.texts).toEqual(["question 1", "answer 1", "question 3", "answer 3"]);
});

test("a new conversation takes nothing along, and reads no more than one comment", async () => {
  const found = [answered("2"), answered("1")];
  expect(await recalled(found, { isNew: true })).toMatchObject({
    threadId: null,
    begins: true,
    messages: [],
    read: 1,
  });
});

test("at most ten questions and answers are taken along, the newest", async () => {
  const found = Array.from({ length: 15 }, (_, n) => answered(String(115 - n)));
  const { texts, read } = await recalled(found);
  expect(texts).toHaveLength(20);
  expect(texts[0]).toBe("question 106");
  expect(read).toBe(10);
});

test("the comment of an earlier attempt is used again, and is no part of the conversation", async () => {
  const earlierComment = { ...answered("9"), ...stepOf("9").marker };
  const found = [earlierComment, answered("1", { begins: true })];
  const second = await recalled(found, { step: stepOf("9", 2) });
  expect(second.earlierComment?.marker).toEqual(earlierComment);
  expect(second.texts).toEqual(["question 1", "answer 1"]);
  // Nor is that of the same attempt, which only a second call of the step could have written.
  expect((await recalled(found)).earlierComment).toBeNull();
  expect((await recalled(found)).texts).toEqual(["question 1", "answer 1"]);
});

test("a message has the same id whenever it is sent, and no other has it", () => {
  const { marker } = stepOf("9");
  const others = [stepOf("8").marker, stepOf("9", 2).marker, { ...marker, asks: "other" }];
  const ids = [marker, ...others].flatMap((it) => [
    messageId("question", it),
    messageId("answer", it),
  ]);
  expect(new Set(ids).size).toBe(8);
  expect(messageId("question", { ...marker })).toBe(ids[0]);
  for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
});

test("without a run or a thread, a marker stores null, and its messages have IDs without one", () => {
  const memory = answered("9", { run: null, thread: null });
  const place = { repository: "octo/docs", issue: 7 };
  const written = markers.write(place, memory, 1);
  const stored = Buffer.from(partsOf(written).payload, "base64url").toString();
  expect(JSON.parse(stored)).toMatchObject(memory);
  expect(markers.read(written, place, 1)).toEqual(memory);
  expect(messageId("question", memory)).toMatch(/^question--1-ask-docs-/);
});

test("any question and its answer fit into a marker", () => {
  const text = fc
    .tuple(anyText(), fc.integer({ min: 1, max: 2_000 }))
    .map(([it, times]) => it.repeat(times));
  fc.assert(
    fc.property(text, text, (question, answer) => {
      const cut = cutToFit(question, answer);
      // With the sign that it was cut; as JSON, at most twice as long, and in quotation marks.
      expect(Buffer.byteLength(JSON.stringify(cut.question))).toBeLessThanOrEqual(6 * 1024 + 5);
      expect(Buffer.byteLength(JSON.stringify(cut.answer))).toBeLessThanOrEqual(18 * 1024 + 5);
      expect(cut.question.isWellFormed()).toBe(true);
      // In place of half a character, where it was cut, is the sign for one that is unknown.
      const begin = cut.question.replace(/\uFFFD?…$/, "");
      expect(visible(question).startsWith(begin)).toBe(true);
      if (answer.length < 500) expect(cut.answer).toBe(visible(answer));
    }),
    { numRuns: 50 },
  );
});

const ISSUE = { title: "How?", body: "I want to <!-- not --> know." };

test("an issue is a question, as readers see it", async () => {
  const context = contextOf("issues", { issue: ISSUE });
  expect((await questionOfIssue(context))?.text).toBe("How?\n\nI want to  know.");
});

test.each([
  ["without text", { title: "How?", body: null }, "How?"],
  ["without title", { body: "Why?" }, "Why?"],
  [
    "with code",
    { body: "`<!--` and\n\n```\n<!-- a -->\n```\n<!-- b -->" },
    "`<!--` and\n\n```\n<!-- a -->\n```",
  ],
  ["that says nothing", { title: " ", body: "<!-- template -->" }, null],
])("an issue %s asks what is left", async (_, issue, question) => {
  const asked = await questionOfIssue(contextOf("issues", { issue }));
  expect(asked?.text ?? null).toBe(question);
});

test.each(["issue_comment", "pull_request", "schedule"])(
  "%s asks nothing by itself",
  async (event) => {
    expect(await questionOfIssue(contextOf(event, { issue: ISSUE }))).toBeNull();
  },
);

test("the question is bounded, of whole characters, and the note says where it ends", async () => {
  const body = `${"📄".repeat(16_382)}\n\nThe end of it.`;
  const asked = await questionOfIssue(contextOf("issues", { issue: { title: "", body } }));
  expect(asked?.text.length).toBeLessThanOrEqual(32 * 1024);
  expect(asked?.text.isWellFormed()).toBe(true);
  expect(asked?.note).toContain("ends before `");
  expect(asked?.note).toContain("end of it");
});
