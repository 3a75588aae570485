import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommand, splitLines } from "../../emulator/runner/workflow-commands.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs, sampleOf } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { logText } from "./lines.ts";

const COMMANDS = [
  "::error::forged",
  "::set-output name=prLink::https://evil.example",
  "  ::add-mask::active",
  "\u00A0\u3000::stop-commands::x",
  "\uFEFF::debug::x",
  "##[error]forged",
  "text before ##[set-env name=NODE_OPTIONS]--require=evil",
  ":\u202E:error::after the direction mark",
  "\u001B[0m::error::after an escape sequence",
  "#\u001B[31m#[error]with an escape sequence inside",
  "#\u0007#[error]with a control character inside",
  "\u0000::error::after a zero",
  "#\u2066#\u2069[error]with direction marks inside",
];

test.each(COMMANDS)("the line %j is printed, not obeyed, whichever way lines end", (line) => {
  expect(parseCommand(logText(line))).toBeUndefined();
  expect(logText(line)).toMatch(/\S/);
  for (const end of ["\n", "\r", "\r\n", "\n\r", "\r\r"]) {
    for (const shown of splitLines(logText(`first${end}${line}${end}last`))) {
      expect(parseCommand(shown)).toBeUndefined();
    }
  }
});

test("no text has a line that the runner takes for a command", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      for (const line of splitLines(logText(text))) expect(parseCommand(line)).toBeUndefined();
    }),
    { numRuns: runs(1000) },
  );
});

test("the runner obeys no command that is hidden in a text", () => {
  fc.assert(
    fc.property(
      hostileText({ maxLength: 6 }),
      fc.constantFrom(...COMMANDS),
      hostileText({ maxLength: 6 }),
      (before, command, after) => {
        for (const line of splitLines(logText(before + command + after))) {
          expect(parseCommand(line)).toBeUndefined();
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});

test("no control or direction character gets through, but for the tab", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      for (const line of logText(text).split("\n")) {
        expect(line).not.toMatch(/[\u0000-\u0008\u000A-\u001F\u007F-\u009F]/);
        expect(line).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/);
      }
    }),
    { numRuns: runs(500) },
  );
});

test("line breaks and harmless characters are kept", () => {
  expect(logText("a: b :: c\r\n# [x] 100 %\r\n\tind\u00E9nted #1\rlast").split("\n")).toEqual([
    "a: b :: c",
    "# [x] 100 %",
    "\tind\u00E9nted #1",
    "last",
  ]);
});

test("a terminal's escape sequences for titles and colours are removed as a whole", () => {
  expect(
    logText("a\u001B[1;31mred\u001B[0m \u001B]0;title\u0007b \u001B]8;;https://x\u001B\\c"),
  ).toBe("ared b c");
});

test("a text of megabytes takes time in proportion to its length", async () => {
  const pieces = ["a\n", "\n", "\r", " ", "\u2028", " \u2028", ":", "\u001B]", "\u001B[0", "##["];
  for (const piece of sampleOf(pieces, 4, "pieces of a log")) {
    const show = (length: number) => logText(piece.repeat(Math.ceil(length / piece.length)));
    await expectNoSquare(show, 2 ** 21, JSON.stringify(piece));
  }
});
