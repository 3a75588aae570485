import { expect, test } from "vitest";
import { codeLines, findShownLine } from "./shown-lines.ts";

const find = (...lines: string[]) => findShownLine(lines, (line) => line.startsWith("/docs"));

test.each([
  ["a line of text", ["Hello", "/docs write", "more"], 1],
  ["a line after a comment", ["<!-- hidden -->", "", "/docs write"], 2],
  ["a line before an image", ["/docs a ![b](c)"], 0],
  ["no such line", ["Hello"], null],
  ["a quotation", ["> /docs write"], null],
  ["a lazy line of a quotation", ["> Hello", "/docs write"], null],
  ["a block of code", ["```", "/docs write", "```"], null],
  ["an HTML comment", ["<!--", "/docs write", "-->"], null],
])("%s", (_, lines, expected) => {
  expect(find(...lines)).toEqual({ line: expected, unclear: null });
});

test.each([
  ["a collapsed section around the line", ["<details>", "", "/docs write"], "<details>"],
  ["unknown HTML before the line", ["<div>", "", "/docs write"], "<div>"],
  ["a definition", ["[a]: https://a.example", "", "/docs write"], "[A]:"],
])("%s is not clear", (_, lines, unclear) => {
  expect(find(...lines)).toEqual({ line: null, unclear });
});

test("a block of code counts only if it ends", () => {
  expect(codeLines(["a", "```", "b", "```", "~~~", "c"])).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(codeLines(["a", "", "    b"])).toEqual([false, false, true]);
});
