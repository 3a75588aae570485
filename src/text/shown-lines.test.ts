import { expect, test } from "vitest";
import { findShownLine } from "./shown-lines.ts";

const find = (...lines: string[]) => findShownLine(lines, (line) => line.startsWith("/docs"));

test.each([
  ["a line of text", ["Hello", "/docs write", "more"], ["/docs write", "more"]],
  ["a line after a comment", ["<!-- hidden -->", "", "/docs write"], ["/docs write"]],
  ["no such line", ["Hello"], null],
  ["a quotation", ["> /docs write"], null],
  ["a lazy line of a quotation", ["> Hello", "/docs write"], null],
  ["a block of code", ["```", "/docs write", "```"], null],
  ["an HTML comment", ["<!--", "/docs write", "-->"], null],
])("%s", (_, lines, expected) => {
  expect(find(...lines)).toEqual({ lines: expected, unclear: null });
});

test.each([
  ["a collapsed section around the line", ["<details>", "", "/docs write"], null, "<details>"],
  ["unknown HTML before the line", ["<div>", "", "/docs write"], null, "<div>"],
  ["a definition", ["[a]: https://a.example", "", "/docs write"], null, "[A]:"],
  ["an image after the line", ["/docs a ![b](c)"], ["/docs a "], "!["],
])("%s is not clear", (_, lines, expected, unclear) => {
  expect(find(...lines)).toEqual({ lines: expected, unclear });
});
