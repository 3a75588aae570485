import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/sample.ts";
import { MessageReader } from "./message-reader.ts";
import type { Part } from "./parts.ts";

/** What a message tells once all of it was read; texts that follow each other count as one. */
function readAll(chunks: readonly Uint8Array[], headers: Record<string, string> = {}): Part[] {
  const reader = new MessageReader(headers);
  const decoder = new TextDecoder();
  const parts = chunks.flatMap((chunk) => reader.feed(decoder.decode(chunk, { stream: true })));
  parts.push(...reader.feed(decoder.decode()), ...reader.end());
  const told: Part[] = [];
  for (const part of parts) {
    const last = told.at(-1);
    if (part.type === "text" && last?.type === "text") {
      told[told.length - 1] = { type: "text", text: last.text + part.text };
    } else told.push(part);
  }
  return told;
}

function read(text: string, headers: Record<string, string> = {}): Part[] {
  return readAll([Buffer.from(text)], headers);
}

/** A text divided where the numbers say, also inside of a character. */
function divided(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...new Set(at.map((it) => it % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const line = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`;
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const thread = (id: string): Part => ({ type: "thread", id });
const text = (it: string): Part => ({ type: "text", text: it });
const finish: Part = { type: "finish" };
const source: Part = { type: "source", source: { url: "https://docs.example/a", title: "A" } };

const DATA = [
  line("f", { messageId: "m" }),
  line("g", "thinking"),
  line("h", { sourceType: "url", id: "s", url: "https://docs.example/a", title: "A" }),
  line("9", { toolCallId: "t", toolName: "search", args: {} }),
  line("0", "Grüße 😀"),
  line("0", "\n```\ncode: 漢字\n```"),
  line("d", { finishReason: "stop", usage: {}, type: "finish", threadId: "thr_1" }),
].join("");

const UI = [
  event({ type: "start", messageId: "m" }),
  event({ type: "reasoning-delta", id: "r", delta: "thinking" }),
  event({ type: "source-url", sourceId: "s", url: "https://docs.example/a", title: "A" }),
  event({ type: "text-start", id: "t" }),
  event({ type: "text-delta", id: "t", delta: "Grüße 😀" }),
  event({ type: "text-delta", id: "t", delta: "\n```\ncode: 漢字\n```" }),
  event({ type: "text-end", id: "t" }),
  event({ type: "finish", threadId: "thr_1" }),
  "data: [DONE]\n\n",
].join("");

const WHOLE = JSON.stringify({
  id: "m",
  role: "assistant",
  parts: [
    { type: "source", source: { sourceType: "url", url: "https://docs.example/a", title: "A" } },
    { type: "text", text: "Grüße 😀\n```\ncode: 漢字\n```" },
  ],
  threadId: "thr_1",
});

test.each([
  ["a data stream", DATA],
  ["a UI message stream", UI],
  ["a whole message", WHOLE],
])("%s tells text, sources, the thread and the end, and passes the rest over", (_, stream) => {
  const told = read(stream).filter(({ type }) => type !== "break");
  expect(told).toContainEqual(source);
  expect(told).toContainEqual(text("Grüße 😀\n```\ncode: 漢字\n```"));
  expect(told).toContainEqual(thread("thr_1"));
  expect(told).toContainEqual(finish);
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(["source", "text", "thread", "finish"]),
  );
});

test.each([
  ["a data stream", DATA],
  ["a UI message stream", UI],
  ["a UI message stream with CRLF", UI.replaceAll("\n\n", "\r\n\r\n")],
  ["a whole message", WHOLE],
  ["something else", '<!doctype html>\n0:"no"\n'],
])("%s tells the same wherever it is divided", (_, stream) => {
  const bytes = Buffer.from(stream);
  const whole = readAll([bytes]);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), (at) => {
      expect(readAll(divided(bytes, at))).toEqual(whole);
    }),
    { numRuns: runs(300) },
  );
  expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
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
        fc.string({ unit: "binary", maxLength: 5 }),
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
      const whole = readAll([bytes], headers);
      expect(readAll(divided(bytes, at), headers)).toEqual(whole);
      for (const part of whole) {
        if (part.type === "text") expect(typeof part.text).toBe("string");
        if (part.type === "thread") expect(part.id.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("any text survives both kinds of stream as it was written", () => {
  const pieces = fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(pieces, (texts) => {
      const wanted = texts.join("");
      const data = texts.map((it) => line("0", it)).join("") + line("d", {});
      expect(read(data)).toEqual([text(wanted), finish]);
      const ui = texts.map((delta) => event({ type: "text-delta", id: "t", delta })).join("");
      expect(read(`${ui}data: [DONE]\n\n`)).toEqual([text(wanted), finish]);
    }),
  );
});

const FINISH = { type: "finish", threadId: "thr_1" };

test.each([
  ["the object of d:", DATA.replace(/d:.*\n/, line("d", FINISH))],
  ["an element of 2:", line("0", "x") + line("2", [null, 1, FINISH]) + line("d", {})],
  ["an element of 8:", line("0", "x") + line("8", [FINISH]) + line("d", {})],
  ["an event in a data stream", `${line("0", "x")}${event(FINISH)}`],
  ["the event finish", event(FINISH)],
  ["an event by its name", `event: finish\ndata: {"threadId":"thr_1"}\n\n`],
  ["the metadata of finish", event({ type: "finish", messageMetadata: { threadId: "thr_1" } })],
  ["a data event", event({ type: "data-thread", data: FINISH })],
  ["message metadata", event({ type: "message-metadata", messageMetadata: { threadId: "thr_1" } })],
  ["a message's own field", JSON.stringify({ content: "x", threadId: "thr_1" })],
  ["a message's metadata", JSON.stringify({ content: "x", metadata: { threadId: "thr_1" } })],
  ["a message's annotation", JSON.stringify({ content: "x", annotations: [FINISH] })],
])("the thread is found in %s", (_, stream) => {
  expect(read(stream)).toContainEqual(thread("thr_1"));
});

test.each([
  ["a number", 12],
  ["empty", ""],
  ["an object", {}],
  ["too long for a marker", "x".repeat(513)],
])("a thread id that is %s is none", (_, threadId) => {
  expect(read(line("d", { threadId }))).toEqual([finish]);
});

test.each([
  ["a data stream", line("0", "x") + line("3", "out of words"), "out of words"],
  ["a UI message stream", event({ type: "error", errorText: "out of words" }), "out of words"],
  ["a whole message", '{"error":"out of words"}', "out of words"],
  ["a whole message with an object", '{"error":{"message":"out of words"}}', "out of words"],
  ["a data stream that only says so", line("d", { finishReason: "error" }), ""],
])("an error in %s is told in its own words", (_, stream, message) => {
  const told = read(stream);
  expect(told).toContainEqual({ type: "error", message });
  expect(told).not.toContainEqual(finish);
});

test.each([
  ["a data stream", DATA.slice(0, DATA.indexOf("d:{"))],
  ["a UI message stream", UI.slice(0, UI.indexOf('data: {"type":"finish"'))],
  ["a whole message", WHOLE.slice(0, -1)],
])("%s that is cut off has no end", (_, stream) => {
  expect(read(stream)).not.toContainEqual(finish);
});

test("a step that called a tool does not end a message, one that stopped by itself does", () => {
  const step = (finishReason: string) => line("e", { finishReason, isContinued: false });
  expect(read(line("0", "x") + step("tool-calls"))).not.toContainEqual(finish);
  expect(read(line("0", "x") + step("stop"))).toContainEqual(finish);
});

test.each([
  [
    "text after a tool",
    line("0", "a") + line("e", { finishReason: "tool-calls" }) + line("0", "b"),
  ],
  [
    "a second block of text",
    event({ type: "text-delta", delta: "a" }) +
      event({ type: "text-start" }) +
      event({ type: "text-delta", delta: "b" }),
  ],
])("%s is a paragraph of its own", (_, stream) => {
  expect(read(stream)).toEqual([text("a"), { type: "break" }, text("b")]);
});

test.each([
  ["the beginning tells against the header", UI, { "x-vercel-ai-data-stream": "v1" }],
  ["a gathered message keeps its stream's header", WHOLE, { "x-vercel-ai-data-stream": "v1" }],
  ["a byte order mark and white space", `\uFEFF\n ${WHOLE}`, {}],
  ["an event stream that begins with a comment", `: hello\n\n${UI}`, {}],
])("%s", (_, stream, headers) => {
  expect(read(stream, headers as Record<string, string>)).toContainEqual(thread("thr_1"));
});

test("without a telling beginning the headers decide, and without those nothing is read", () => {
  const stream = `?????? unknown\n${line("0", "x")}${line("d", {})}`;
  expect(read(stream, { "x-vercel-ai-data-stream": "v1" })).toEqual([text("x"), finish]);
  expect(read(stream)).toEqual([]);
});

test("a large stream in small pieces is read in a time that grows with its size", () => {
  const reader = new MessageReader({});
  const stream = line("0", "x".repeat(4 * 1024 * 1024)) + line("d", {});
  const told: Part[] = [];
  for (let at = 0; at < stream.length; at += 64)
    told.push(...reader.feed(stream.slice(at, at + 64)));
  expect(told.map(({ type }) => type)).toEqual(["text", "finish"]);
});
