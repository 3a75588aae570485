import { expect, test } from "vitest";
import { ActionError } from "../runtime/errors.ts";
import { readTriggerPhrase } from "./phrase.ts";

test.each(["", "/docs", " /docs\n", "two words"])("the phrase %j is one line", (phrase) => {
  expect(readTriggerPhrase(() => phrase)).toBe(phrase.trim());
});

test.each(["/docs\n/ask", "/docs\r/ask", "/docs\r\n\r\n/ask", " ", "\n", "\t\u00A0"])(
  "the phrase %j is refused",
  (phrase) => {
    expect(() => readTriggerPhrase(() => phrase)).toThrow(ActionError);
    expect(() => readTriggerPhrase(() => phrase)).toThrow(/^trigger-phrase: .*one line/);
  },
);
