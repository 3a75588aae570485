import { expect, test } from "vitest";
import { InputProblem } from "./checks.ts";
import { decisions } from "./decisions.ts";

test("answers are separated by commas or line breaks, in any case", () => {
  expect(
    decisions(
      "1a2b3c4d: again, 0000000A:Leave\r\n11111111: 9f3a-77\nall: leave,\n Go on\ngo-on, keep ",
    ),
  ).toEqual([
    { type: "entry", id: "1a2b3c4d", choice: "again" },
    { type: "entry", id: "0000000a", choice: "leave" },
    { type: "job", id: "11111111", jobId: "9f3a-77" },
    { type: "all", choice: "leave" },
    { type: "go-on" },
    { type: "go-on" },
    { type: "keep" },
  ]);
  expect(decisions(" \n")).toEqual([]);
});

test.each([
  "again",
  "1a2b3c4d",
  "1a2b3c4d again",
  "1a2b3c4d: agian",
  "1a2b3c4: again",
  "all: 9f3a",
  "all",
  "go",
  "1a2b3c4d: ../1",
])("%j is named, with what is allowed", (text) => {
  const parse = () => decisions(`keep, ${text}`);
  expect(parse).toThrow(InputProblem);
  expect(parse).toThrow(`${text}`);
  expect(parse).toThrow("`ID: again`");
});
