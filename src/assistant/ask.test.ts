import { expect, test } from "vitest";
import { failureOf } from "../../test/support/job.ts";
import type { Part } from "../service/answer-stream.ts";
import {
  explainBroken,
  explainCancelled,
  explainEmpty,
  explainGivenUp,
  explainTimedOut,
  explainUnreadable,
  explainWithoutEnd,
  receive,
} from "./ask.ts";

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
  return { ...(await receive(arrive(), (piece) => shown.push(piece))), shown };
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

test("each page is a source once, where it came first, and with a title if one was told", async () => {
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
  expect(error).toBe(LOST);
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

test("what the service gives up is told in its own words, the first of them, in one sentence", async () => {
  const errors: Part[] = ["Over\ncapacity", "later"].map((message) => ({ type: "error", message }));
  const { answer, error } = await received(text("Keys"), ...errors, FINISH, LOST);
  expect(answer.text).toBe("Keys");
  expect(error).toMatchObject({ kind: "stream-interrupted" });
  expect(error?.message).toMatch(/stopped before the answer was complete: Over capacity\. [A-Z]/);
});

test("a mistake of the action's own is thrown", async () => {
  await expect(received(text("x"), new TypeError("a mistake"))).rejects.toThrow(TypeError);
});

test.each([
  ["breaks off", explainBroken(failureOf({ type: "lost" })), "stream-interrupted", "It failed."],
  ["has no end", explainWithoutEnd(), "stream-interrupted", "before it was complete"],
  [
    "is given up",
    explainGivenUp("out of\n  words"),
    "stream-interrupted",
    "complete: out of words.",
  ],
  [
    "is given up without a word",
    explainGivenUp(" \n"),
    "stream-interrupted",
    "answer was complete.",
  ],
  ["is late", explainTimedOut(300_000), "timeout", "after 5 min, the limit set by"],
])("of an answer that %s, what came is kept", (_, error, kind, what) => {
  expect(error.kind).toBe(kind);
  expect(error.what).toContain(what);
  expect(error.advice).toContain("The part that was received is kept.");
});

test.each([
  ["cannot be read", explainUnreadable(), "invalid-response"],
  ["is empty", explainEmpty(), "invalid-response"],
  ["is cancelled", explainCancelled(), "cancelled"],
])("an answer that %s keeps nothing", (_, error, kind) => {
  expect(error.kind).toBe(kind);
  expect(error.message).not.toContain("kept");
  expect(error.message).toMatch(/\.$/);
});
