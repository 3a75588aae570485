import fc from "fast-check";
import { expect, test } from "vitest";
import { character } from "../../test/support/arbitrary.ts";
import {
  DATA_STREAM,
  dataLine,
  finishPart,
  readChunks,
  readText,
  sourcePart,
  textPart,
  threadPart,
  UI_STREAM,
  uiEvent,
  WHOLE_MESSAGE,
} from "../../test/support/message-parts.ts";
import { runs } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { AnswerReader, type Part } from "./answer-stream.ts";

/** A text divided where the numbers say, also inside of a character. */
function divided(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...new Set(at.map((it) => it % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test.each([
  ["a data stream", DATA_STREAM],
  ["a UI_STREAM message stream", UI_STREAM],
  ["a whole message", WHOLE_MESSAGE],
])("%s gives text, sources, the thread and the end, and passes the rest over", (_, stream) => {
  const parts = readText(stream).filter(({ type }) => type !== "break");
  expect(parts).toContainEqual(sourcePart);
  expect(parts).toContainEqual(textPart("Grüße 😀\n```\ncode: 漢字\n```"));
  expect(parts).toContainEqual(threadPart("thr_1"));
  expect(parts).toContainEqual(finishPart);
  expect(new Set(parts.map(({ type }) => type))).toEqual(
    new Set(["source", "text", "thread", "finish"]),
  );
});

/** What streams are made of, and what may be mistaken for it. */
const MARKS = '0: d: 2: 8: data: event:finish id: { } [DONE] [ ] null " \uFEFF :'.split(" ");

const STREAMS = [
  DATA_STREAM,
  UI_STREAM,
  UI_STREAM.replaceAll("\n\n", "\r\n\r\n"),
  WHOLE_MESSAGE,
  '<!doctype html>\n0:"no"\n',
];

const anyPieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(...MARKS, "data: ", "\n", "\n\n", "\r", " "),
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: character, maxLength: 5 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));
const anyBytes = fc.oneof(fc.constantFrom(...STREAMS), anyPieces).map((it) => Buffer.from(it));

test("a reader takes any bytes, and reads the same wherever they are divided", () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat()), (bytes, at) => {
      const whole = readChunks([bytes]);
      expect(readChunks(divided(bytes, at))).toEqual(whole);
      expect(readChunks([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
      for (const part of whole) {
        if (part.type === "text") expect(typeof part.text).toBe("string");
        if (part.type === "thread") expect(part.id.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test.each([
  ["[DONE] alone", "data: [DONE]\n\n"],
  ["an abort", uiEvent({ type: "abort" })],
  ["a reason that is none of a whole answer", uiEvent({ type: "finish", finishReason: "length" })],
  ["the same in a data stream", dataLine("d", { finishReason: "length" })],
  ["an unknown reason", dataLine("d", { finishReason: "unknown" })],
  ["a reason in an object", JSON.stringify({ content: "x", finishReason: "content-filter" })],
])("%s is not the end of an answer", (_, stream) => {
  expect(readText(stream)).not.toContainEqual(finishPart);
});

test("any text survives both kinds of stream as it was written", () => {
  const pieces = fc.array(fc.string({ unit: character, minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(pieces, (texts) => {
      const wanted = texts.join("");
      const data = texts.map((it) => dataLine("0", it)).join("") + dataLine("d", {});
      expect(readText(data)).toEqual([textPart(wanted), finishPart]);
      const ui = texts.map((delta) => uiEvent({ type: "text-delta", id: "t", delta })).join("");
      const end = `${uiEvent({ type: "finish" })}data: [DONE]\n\n`;
      expect(readText(ui + end)).toEqual([textPart(wanted), finishPart]);
    }),
  );
});

test.each([
  ["a byte order mark and white space", `\uFEFF\n ${WHOLE_MESSAGE}`],
  ["an event stream that begins with a comment", `: hello\n\n${UI_STREAM}`],
  ["unknown lines", `?????? unknown\n${DATA_STREAM}`],
])("%s before an answer are passed over", (_, stream) => {
  expect(readText(stream)).toContainEqual(threadPart("thr_1"));
});

test("an answer in one object that is larger than 1 MiB has no parts", () => {
  const objectOf = (size: number) => readText(JSON.stringify({ content: "x".repeat(size) }));
  expect(objectOf(2 ** 20 - 100)).toContainEqual(finishPart);
  expect(objectOf(2 ** 20)).toEqual([]);
});

test("a large stream in small pieces takes time in proportion to its size", async () => {
  const readPieces = (size: number): Part[] => {
    const reader = new AnswerReader();
    const stream = dataLine("0", "x".repeat(size)) + dataLine("d", {});
    const parts: Part[] = [];
    for (let at = 0; at < stream.length; at += 64) {
      parts.push(...reader.feed(stream.slice(at, at + 64)));
    }
    return parts;
  };
  const parts = await expectNoSquare(readPieces, 4 * 1024 * 1024);
  expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
});

const FINISH = { type: "finish", threadId: "thr_1" };

test.each([
  ["the object of d:", DATA_STREAM.replace(/d:.*\n/, dataLine("d", FINISH))],
  ["an element of 2:", dataLine("0", "x") + dataLine("2", [null, 1, FINISH]) + dataLine("d", {})],
  ["an element of 8:", dataLine("0", "x") + dataLine("8", [FINISH]) + dataLine("d", {})],
  ["an event in a data stream", `${dataLine("0", "x")}${uiEvent(FINISH)}`],
  ["the event finish", uiEvent(FINISH)],
  ["the metadata of finish", uiEvent({ type: "finish", messageMetadata: { threadId: "thr_1" } })],
  ["a data event", uiEvent({ type: "data-thread", data: FINISH })],
  [
    "message metadata",
    uiEvent({ type: "message-metadata", messageMetadata: { threadId: "thr_1" } }),
  ],
  ["a message's own field", JSON.stringify({ content: "x", threadId: "thr_1" })],
  ["a message's metadata", JSON.stringify({ content: "x", metadata: { threadId: "thr_1" } })],
  ["a message's annotation", JSON.stringify({ content: "x", annotations: [FINISH] })],
])("the thread is found in %s", (_, stream) => {
  expect(readText(stream)).toContainEqual(threadPart("thr_1"));
});

test.each([
  ["a number", 12],
  ["empty", ""],
  ["an object", {}],
  ["too long for a marker", "x".repeat(513)],
])("a thread id that is %s is none", (_, threadId) => {
  expect(readText(dataLine("d", { threadId }))).toEqual([finishPart]);
});

test.each([
  ["a data stream", dataLine("0", "x") + dataLine("3", "out of words"), "out of words"],
  [
    "a UI_STREAM message stream",
    uiEvent({ type: "error", errorText: "out of words" }),
    "out of words",
  ],
  ["a whole message", '{"error":"out of words"}', "out of words"],
  ["a whole message with an object", '{"error":{"message":"out of words"}}', "out of words"],
  ["a data stream that only says so", dataLine("d", { finishReason: "error" }), ""],
])("an error in %s is reported in its own words", (_, stream, message) => {
  const parts = readText(stream);
  expect(parts).toContainEqual({ type: "error", message });
  expect(parts).not.toContainEqual(finishPart);
});

test.each([
  ["a data stream", DATA_STREAM.slice(0, DATA_STREAM.indexOf("d:{"))],
  ["a UI_STREAM message stream", UI_STREAM.slice(0, UI_STREAM.indexOf('data: {"type":"finish"'))],
  ["a whole message", WHOLE_MESSAGE.slice(0, -1)],
])("%s that is cut off has no end", (_, stream) => {
  expect(readText(stream)).not.toContainEqual(finishPart);
});

test("the end of a step does not end a message", () => {
  const step = dataLine("e", { finishReason: "stop", isContinued: false });
  expect(readText(dataLine("0", "x") + step)).not.toContainEqual(finishPart);
});

test.each([
  [
    "text after a tool",
    dataLine("0", "a") + dataLine("e", { finishReason: "tool-calls" }) + dataLine("0", "b"),
  ],
  [
    "a second block of text",
    uiEvent({ type: "text-delta", delta: "a" }) +
      uiEvent({ type: "text-start" }) +
      uiEvent({ type: "text-delta", delta: "b" }),
  ],
])("%s is a paragraph of its own", (_, stream) => {
  expect(readText(stream)).toEqual([textPart("a"), { type: "break" }, textPart("b")]);
});
