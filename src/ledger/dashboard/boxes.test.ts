import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { allId, boxText, markText, readMark, readTicks, spellOut } from "./render.ts";

test("a body says what it was made from, whatever else it says", () => {
  const mark = { ref: "refs/docs-agent/upkeep/1a2b3c4d5e6f", sha: "a".repeat(40), writes: 12 };
  expect(readMark(`${markText(mark)}\n# Text`)).toEqual(mark);
  expect(readMark("<!-- docs-agent-ledger refs/x y 1 -->")).toBeNull();
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(readMark(`${markText(mark)}\n${text}`)).toEqual(mark);
    }),
  );
});

test("every box that is ticked is read back, whatever its ID is", () => {
  const decision = fc.record({
    id: anyText().filter((text) => text !== ""),
    what: fc.constantFrom("again" as const, "leave" as const),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(decision, { selector: ({ id }) => id, maxLength: 4 }),
      anyText(),
      (all, text) => {
        const lines = all.map((it) => `${boxText(it, all)} ${text.replace(/\s/g, " ")}`);
        expect(readTicks(lines.join("\n"))).toEqual(all);
        expect(readTicks(all.map((it) => boxText(it, [])).join("\n"))).toEqual([]);
      },
    ),
  );
});

test("a box counts with a capital X, indented, and with Windows line ends", () => {
  const line = boxText({ id: "b", what: "again" }, []).replace("[ ]", "[X]");
  expect(readTicks(`text\r\n  ${line} Hand over again\r\n`)).toEqual([{ id: "b", what: "again" }]);
});

test("of both boxes of an entry, leaving counts", () => {
  const both = [
    { id: "b", what: "again" as const },
    { id: "b", what: "leave" as const },
  ];
  expect(readTicks(both.map((it) => boxText(it, both)).join("\n"))).toEqual([both[1]]);
});

test("the box for all means what needed a decision when it was shown, and single boxes go before", () => {
  const entries = [
    { id: "one", at: "2026-11-20T00:00:00Z" },
    { id: "two", at: "2026-11-21T00:00:00Z" },
    { id: "new", at: "2026-11-22T00:00:00Z" },
  ];
  const all = { id: allId("2026-11-21T00:00:00Z"), what: "again" as const };
  const single = { id: "one", what: "leave" as const };
  expect(spellOut([all, single], entries)).toEqual([single, { id: "two", what: "again" }]);
  expect(spellOut([single], entries)).toEqual([single]);
});
