import { expect, test } from "vitest";
import {
  DATA_STREAM,
  dataLine,
  finishPart,
  readText,
  textPart,
  threadPart,
  UI_STREAM,
  uiEvent,
  WHOLE_MESSAGE,
} from "../../../test/support/message-parts.ts";

const FINISH = { type: "finish", threadId: "thr_1" };

test.each([
  ["the object of d:", DATA_STREAM.replace(/d:.*\n/, dataLine("d", FINISH))],
  ["an element of 2:", dataLine("0", "x") + dataLine("2", [null, 1, FINISH]) + dataLine("d", {})],
  ["an element of 8:", dataLine("0", "x") + dataLine("8", [FINISH]) + dataLine("d", {})],
  ["an event in a data stream", `${dataLine("0", "x")}${uiEvent(FINISH)}`],
  ["the event finish", uiEvent(FINISH)],
  ["an event by its name", `event: finish\ndata: {"threadId":"thr_1"}\n\n`],
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
])("an error in %s is told in its own words", (_, stream, message) => {
  const told = readText(stream);
  expect(told).toContainEqual({ type: "error", message });
  expect(told).not.toContainEqual(finishPart);
});

test.each([
  ["a data stream", DATA_STREAM.slice(0, DATA_STREAM.indexOf("d:{"))],
  ["a UI_STREAM message stream", UI_STREAM.slice(0, UI_STREAM.indexOf('data: {"type":"finish"'))],
  ["a whole message", WHOLE_MESSAGE.slice(0, -1)],
])("%s that is cut off has no end", (_, stream) => {
  expect(readText(stream)).not.toContainEqual(finishPart);
});

test("a step that called a tool does not end a message, one that stopped by itself does", () => {
  const step = (finishReason: string) => dataLine("e", { finishReason, isContinued: false });
  expect(readText(dataLine("0", "x") + step("tool-calls"))).not.toContainEqual(finishPart);
  expect(readText(dataLine("0", "x") + step("stop"))).toContainEqual(finishPart);
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
