import { describe, expect, test } from "vitest";
import type { Tick } from "../model/decisions.ts";
import { boxesOf, boxesOfAll, readTicks, spellOut, ticksAfterEdit } from "./boxes.ts";

const again = (id: string): Tick => ({ id, choice: "again" });
const leave = (id: string): Tick => ({ id, choice: "leave" });
const entries = ["a", "b", "c"].map((id) => ({ id }));

/** The decision of a box for all entries that are shown. */
function forAll(choice: Tick["choice"], ...shown: string[]): Tick {
  const [first = "", second = ""] = boxesOfAll(shown);
  const [tick] = readTicks((choice === "again" ? first : second).replace("[ ]", "[x]"));
  if (tick === undefined) throw new Error("there is no such box");
  return tick;
}

test("a box counts with a capital X, indented, with any words, and with Windows line ends", () => {
  const line = "- [X] <!-- again:Yg --> Do it";
  expect(readTicks(`text\r\n  ${line}\r\n`)).toEqual([again("b")]);
});

test("there are boxes for all from two entries on", () => {
  expect(boxesOfAll([])).toEqual([]);
  expect(boxesOfAll(["a"])).toEqual([]);
  expect(boxesOfAll(["a", "b"])).toHaveLength(2);
});

test.each<[string, Tick[], Tick[]]>([
  ["the entries that were shown with it", [forAll("again", "a", "b")], [again("a"), again("b")]],
  ["no entry that needs no decision any more", [forAll("again", "a", "gone")], [again("a")]],
  [
    "not one with a decision of its own",
    [forAll("again", "a", "b"), leave("a")],
    [leave("a"), again("b")],
  ],
  [
    "with another box for all, the careful choice for each",
    [forAll("again", "a", "b"), forAll("leave", "b", "c")],
    [again("a"), leave("b"), leave("c")],
  ],
])("a box for all means %s", (_, decisions, expected) => {
  expect(spellOut(decisions, entries)).toEqual(expected);
});

describe("in a run that an edit triggered", () => {
  const body = (...ticked: Tick[]) => ["a", "b"].flatMap((id) => boxesOf(id, ticked)).join("\n");
  const rewritten = (...ticked: Tick[]) => `${body(...ticked)}\nAnother run wrote this.`;

  test.each<[string, string, string | null, Tick[]]>([
    ["without an edit, the ticks of the body count", body(again("a")), null, [again("a")]],
    ["a tick that another run has overwritten counts", rewritten(), body(again("a")), [again("a")]],
    ["a tick that both have counts once", rewritten(again("a")), body(again("a")), [again("a")]],
    ["ticks of both count", rewritten(again("a")), body(again("b")), [again("a"), again("b")]],
    [
      "of both boxes of an entry, leaving counts",
      rewritten(again("a")),
      body(leave("a")),
      [leave("a")],
    ],
    ["a tick that was removed since does not count", body(), body(again("a")), []],
    [
      "a tick that was set since counts",
      body(again("a"), leave("b")),
      body(again("a")),
      [again("a"), leave("b")],
    ],
    ["line ends make no difference", body(), body(again("a")).replaceAll("\n", "\r\n"), []],
  ])("%s", (_, read, edited, expected) => {
    expect(ticksAfterEdit(read, edited)).toEqual(expected);
  });
});
