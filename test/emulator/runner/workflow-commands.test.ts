import { expect, test } from "vitest";
import { parseCommand, parseLog, splitLines } from "../../../emulator/runner/workflow-commands.ts";

test("lines end at line feeds, carriage returns, or both together", () => {
  expect(splitLines("a\nb\r\nc\rd")).toEqual(["a", "b", "c", "d"]);
  expect(splitLines("a\n\nb\n")).toEqual(["a", "", "b"]);
  expect(splitLines("")).toEqual([]);
});

test("the properties and the message of an annotation are unescaped", () => {
  const line = "::error file=docs/a.md,line=3,title=A%2C B%3A 100%25::first%0Asecond %2525";
  expect(parseLog([line])).toEqual([
    {
      kind: "error",
      properties: { file: "docs/a.md", line: "3", title: "A, B: 100%" },
      text: "first\nsecond %25",
    },
  ]);
});

test("a command is recognized after white space, in any case, and in its legacy form anywhere", () => {
  expect(parseCommand("\t ::WARNING::low")).toMatchObject({ name: "warning", message: "low" });
  expect(parseCommand("text ##[error code=1;title=x%3By]bad%5D")).toEqual({
    name: "error",
    properties: { code: "1", title: "x;y" },
    message: "bad]",
  });
});

test.each([
  "plain",
  "text ::error::not at the start",
  "::error",
  "::unknown::x",
  "##[unknown]x",
  "##[error",
])("'%s' is a line of text", (line) => {
  expect(parseLog([line])).toEqual([{ kind: "line", text: line }]);
});

test("masks, groups and debug lines are recognized", () => {
  expect(parseLog(["::add-mask::k3y", "::group::Job", "::debug::d", "::endgroup::"])).toMatchObject(
    [
      { kind: "mask", text: "k3y" },
      { kind: "group", text: "Job" },
      { kind: "debug", text: "d" },
      { kind: "endgroup", text: "" },
    ],
  );
});

test("commands between stop-commands and its token are ignored", () => {
  const lines = ["::stop-commands::t0ken", "::error::no", "::t0ken::", "::error::yes"];
  expect(parseLog(lines).filter((entry) => entry.kind === "error")).toMatchObject([
    { text: "yes" },
  ]);
});
