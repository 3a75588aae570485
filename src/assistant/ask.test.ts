import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import { explainFailure } from "../job/failures.ts";
import type { Part } from "../service/answer-stream.ts";
import { ASK, interrupted, receive } from "./ask.ts";

const LOST = failureOf({ type: "lost" });
const FINISH: Part = { type: "finish" };
const text = (it: string): Part => ({ type: "text", text: it });
const source = (url: string, title: string): Part => ({ type: "source", source: { url, title } });

/** Receives these parts; the last of them may break off. */
async function received(...parts: (Part | Error)[]) {
  const shown: string[] = [];
  async function* arrive() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  }
  const explainBreak = (error: Error) => interrupted(error.message);
  const outcome = await receive(arrive(), (piece) => shown.push(piece), explainBreak);
  const { error, ...answer } = outcome;
  return { answer, error, shown };
}

test("a whole answer is its pieces, and each is shown as it arrives", async () => {
  const { answer, error, shown } = await received(text("Keys "), text("expire."), FINISH);
  expect(answer).toEqual({ text: "Keys expire.", sources: [], threadId: null });
  expect(error).toBeNull();
  expect(shown).toEqual(["Keys ", "expire."]);
});

test("a break between two texts is an empty line, and none at the beginning or the end", async () => {
  const gap: Part = { type: "break" };
  const parts = [gap, text("One."), gap, gap, text("Two."), gap, FINISH];
  const { answer, shown } = await received(...parts);
  expect(answer.text).toBe("One.\n\nTwo.");
  expect(shown.join("")).toBe(answer.text);
});

test("each page is a source once, where it came first, and with a title if one was given", async () => {
  const parts = [source("/a", ""), source("/b", "B"), source("/a", "A"), source("/b", "other")];
  const { answer } = await received(...parts, text("x"), FINISH);
  expect(answer.sources).toEqual([
    { url: "/a", title: "A" },
    { url: "/b", title: "B" },
  ]);
});

test("of several threads the last one counts", async () => {
  const threads: Part[] = ["t1", "t2"].map((id) => ({ type: "thread", id }));
  expect((await received(...threads, text("x"), FINISH)).answer.threadId).toBe("t2");
});

test("an answer that breaks off keeps what came", async () => {
  const { answer, error } = await received(text("Keys ex"), LOST);
  expect(answer.text).toBe("Keys ex");
  expect(error).toMatchObject({ kind: "stream-interrupted", problem: "It failed." });
  expect(error?.advice).toContain("The part that was received is kept.");
});

test("what breaks off after the end takes nothing away", async () => {
  expect((await received(text("Keys expire."), FINISH, LOST)).error).toBeNull();
});

test.each([
  ["nothing at all", [], "invalid-response"],
  ["no end", [text("Keys ex")], "stream-interrupted"],
  ["no end, and only a source", [source("/a", "A")], "stream-interrupted"],
  ["no end, and only a thread", [{ type: "thread", id: "t" } as Part], "stream-interrupted"],
  ["an end, and no text", [FINISH], "invalid-response"],
  ["an end, and only white space", [text(" \n"), FINISH], "invalid-response"],
])("%s is an error of its kind", async (_, parts, kind) => {
  expect((await received(...parts)).error).toMatchObject({ kind });
});

test("what the service gives up is reported in its own words, the first of them, in one sentence", async () => {
  const errors: Part[] = ["Over\ncapacity", "later"].map((message) => ({ type: "error", message }));
  const { answer, error } = await received(text("Keys"), ...errors, FINISH, LOST);
  expect(answer.text).toBe("Keys");
  expect(error).toMatchObject({ kind: "stream-interrupted" });
  expect(error?.problem).toMatch(/stopped before the answer was complete: Over capacity\.$/);
});

test("a service that gives up without a word is reported as such", async () => {
  const { error } = await received({ type: "error", message: " \n" });
  expect(error?.problem).toMatch(/ before the answer was complete\.$/);
});

test.each([
  ["a lost answer", LOST, "service-unavailable", /safe to ask the same question twice/],
  ["500", answered(500), "service-unavailable", /again/],
  ["503 with a time", answered(503, 0), "service-unavailable", /again/],
  ["429", answered(429), "rate-limited", /`timeout-minutes`/],
  ["401", answered(401), "unauthorized", /^`api-key` must be an assistant key.* `domain`\./],
  ["404", answered(404), "not-found", /`domain`/],
  ["422", answered(422), "bad-request", /`domain`/],
])("%s: the error of a question says what went wrong, and what to do", (_, error, kind, advice) => {
  const explained = explainFailure(error, ASK);
  expect(explained.kind).toBe(kind);
  expect(explained.advice).toMatch(advice);
});
