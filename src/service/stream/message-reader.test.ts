import fc from "fast-check";
import { expect, test } from "vitest";
import { character } from "../../../test/support/arbitrary.ts";
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
} from "../../../test/support/message-parts.ts";
import { runs } from "../../../test/support/sample.ts";
import { expectNoSquare } from "../../../test/support/work-of.ts";
import { MessageReader } from "./message-reader.ts";
import type { Part } from "./parts.ts";

/** A text divided where the numbers say, also inside of a character. */
function divided(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...new Set(at.map((it) => it % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test.each([
  ["a data stream", DATA_STREAM],
  ["a UI_STREAM message stream", UI_STREAM],
  ["a whole message", WHOLE_MESSAGE],
])("%s tells text, sources, the thread and the end, and passes the rest over", (_, stream) => {
  const told = readText(stream).filter(({ type }) => type !== "break");
  expect(told).toContainEqual(sourcePart);
  expect(told).toContainEqual(textPart("Grüße 😀\n```\ncode: 漢字\n```"));
  expect(told).toContainEqual(threadPart("thr_1"));
  expect(told).toContainEqual(finishPart);
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(["source", "text", "thread", "finish"]),
  );
});

test.each([
  ["a data stream", DATA_STREAM],
  ["a UI_STREAM message stream", UI_STREAM],
  ["a UI_STREAM message stream with CRLF", UI_STREAM.replaceAll("\n\n", "\r\n\r\n")],
  ["a whole message", WHOLE_MESSAGE],
  ["something else", '<!doctype html>\n0:"no"\n'],
])("%s tells the same wherever it is divided", (_, stream) => {
  const bytes = Buffer.from(stream);
  const whole = readChunks([bytes]);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), (at) => {
      expect(readChunks(divided(bytes, at))).toEqual(whole);
    }),
    { numRuns: runs(300) },
  );
  expect(readChunks([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
});

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "0:",
          "d:",
          "2:",
          "8:",
          "data:",
          "data: ",
          "event: finish\n",
          "{",
          "}",
          "\n",
        ),
        fc.constantFrom("\n\n", "\r", "[DONE]", "[", "]", "null", '"', "\uFEFF", " ", ":", "id:"),
        fc.json({ maxDepth: 3 }),
        fc.string({ unit: character, maxLength: 5 }),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => Buffer.from(pieces.join(""))),
);

const anyHeaders = fc.constantFrom<Record<string, string>>(
  {},
  { "x-vercel-ai-data-stream": "v1" },
  { "x-vercel-ai-ui-message-stream": "v1" },
  { "content-type": "application/json" },
  { "content-type": "text/event-stream; charset=utf-8" },
);

test("no bytes whatever bring a reader down, and where they are divided makes no difference", () => {
  fc.assert(
    fc.property(anyBytes, anyHeaders, fc.array(fc.nat()), (bytes, headers, at) => {
      const whole = readChunks([bytes], headers);
      expect(readChunks(divided(bytes, at), headers)).toEqual(whole);
      for (const part of whole) {
        if (part.type === "text") expect(typeof part.text).toBe("string");
        if (part.type === "thread") expect(part.id.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("any text survives both kinds of stream as it was written", () => {
  const pieces = fc.array(fc.string({ unit: character, minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(pieces, (texts) => {
      const wanted = texts.join("");
      const data = texts.map((it) => dataLine("0", it)).join("") + dataLine("d", {});
      expect(readText(data)).toEqual([textPart(wanted), finishPart]);
      const ui = texts.map((delta) => uiEvent({ type: "text-delta", id: "t", delta })).join("");
      expect(readText(`${ui}data: [DONE]\n\n`)).toEqual([textPart(wanted), finishPart]);
    }),
  );
});

test.each([
  ["the beginning tells against the header", UI_STREAM, { "x-vercel-ai-data-stream": "v1" }],
  [
    "a gathered message keeps its stream's header",
    WHOLE_MESSAGE,
    { "x-vercel-ai-data-stream": "v1" },
  ],
  ["a byte order mark and white space", `\uFEFF\n ${WHOLE_MESSAGE}`, {}],
  ["an event stream that begins with a comment", `: hello\n\n${UI_STREAM}`, {}],
])("%s", (_, stream, headers) => {
  expect(readText(stream, headers as Record<string, string>)).toContainEqual(threadPart("thr_1"));
});

test("without a telling beginning the headers decide, and without those nothing is read", () => {
  const stream = `?????? unknown\n${dataLine("0", "x")}${dataLine("d", {})}`;
  expect(readText(stream, { "x-vercel-ai-data-stream": "v1" })).toEqual([
    textPart("x"),
    finishPart,
  ]);
  expect(readText(stream)).toEqual([]);
});

test("a large stream in small pieces takes no time by the square of its size", async () => {
  const readPieces = (size: number): Part[] => {
    const reader = new MessageReader({});
    const stream = dataLine("0", "x".repeat(size)) + dataLine("d", {});
    const told: Part[] = [];
    for (let at = 0; at < stream.length; at += 64) {
      told.push(...reader.feed(stream.slice(at, at + 64)));
    }
    return told;
  };
  const told = await expectNoSquare(readPieces, 4 * 1024 * 1024);
  expect(told.map(({ type }) => type)).toEqual(["text", "finish"]);
});
