import { describe, expect, test } from "vitest";
import {
  GATE_NOTES,
  type GateNote,
  gateReasonText,
  plainReason,
  VERDICT_REASONS,
  type VerdictReason,
} from "./reasons.ts";

describe("every reason", () => {
  const rows = Object.entries({ ...VERDICT_REASONS, ...GATE_NOTES }).map(([code, row]) => ({
    code,
    ...row,
  }));

  test.each(rows)("$code waits for a person if documentation is needed", (row) => {
    if ("verdict" in row) expect(row.waitsFor === "person").toBe(row.verdict === "needed");
  });

  test.each(rows)("$code has a way out, which is none only if nobody is waited for", (row) => {
    expect(row.wayOut === "none").toBe(row.waitsFor === "nobody");
    expect(row.wayOut).not.toBe("");
  });
});

test.each<[VerdictReason | GateNote, string, string]>([
  [{ code: "label", label: "@x `y`" }, "label `@x y`", "label @x `y`"],
  [{ code: "docs", path: "docs/a.md" }, "`docs/a.md`", "docs/a.md"],
  [{ code: "excuse", login: "writer", words: "a test" }, "`writer: a test`", "writer: a test"],
  [
    { code: "uncertain", words: "lost" },
    "There is no draft: the service may have received the request (`lost`).",
    "There is no draft: the service may have received the request (lost).",
  ],
  [
    { code: "excuse-denied", denial: "`x` has no permission" },
    "A line `docs: none, …` does not count: `x` has no permission.",
    "A line `docs: none, …` does not count: `x` has no permission.",
  ],
])("%j in Markdown, with text from outside as code, and as it is", (reason, markdown, plain) => {
  expect(gateReasonText(reason)).toBe(markdown);
  expect(plainReason(reason)).toBe(plain);
});
