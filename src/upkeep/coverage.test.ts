import { describe, expect, test } from "vitest";
import { coverageLine, coveragePie } from "./coverage.ts";

const NOTHING = { covered: 0, inProgress: 0, needsDecision: 0, waiting: 0 };

describe("the line of coverage", () => {
  test("names only what there is", () => {
    expect(coverageLine({ ...NOTHING, covered: 41, inProgress: 1, needsDecision: 1 })).toBe(
      "Last 30 days: 41 of 43 changes covered, 1 in progress, 1 needs a decision.",
    );
  });

  test("says that nothing landed", () => {
    expect(coverageLine(NOTHING)).toBe("No changes were merged in the last 30 days.");
  });
});

describe("the pie", () => {
  test("is left out when nothing landed", () => {
    expect(coveragePie(NOTHING)).toBe("");
  });

  test("gives each slice its own colour, whatever there is besides", () => {
    const pie = coveragePie({ ...NOTHING, covered: 1, needsDecision: 2 });
    expect(pie).toContain('"pie1":"#cf222e","pie2":"#2da44e"');
    expect(pie.split("\n").slice(-3)).toEqual([
      '  "Needs a decision" : 2',
      '  "Covered" : 1',
      "```",
    ]);
  });
});
