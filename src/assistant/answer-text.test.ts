import { expect, test } from "vitest";
import { ActionError } from "../runtime/errors.ts";
import { renderAnswer } from "./answer-text.ts";

const RUN_URL = "https://github.com/octo/docs/actions/runs/1001/attempts/1";
const REPORT = {
  text: "Use `retry`.",
  sources: [{ title: "Retries", url: "https://docs.example/retries" }],
  error: null,
  note: null,
};

const SOURCES = '<ul>\n<li><a href="https://docs.example/retries">Retries</a></li>\n</ul>';

test("an answer is shown with its sources and the run", () => {
  expect(renderAnswer(REPORT, RUN_URL, 0)).toBe(
    [
      "### 💬 Docs assistant",
      "<p>Use <code>retry</code>.</p>",
      "**Sources**",
      SOURCES,
      `[Workflow run](${RUN_URL})`,
    ].join("\n\n"),
  );
});

test("a source without a title is shown by its address", () => {
  const sources = [{ title: " ", url: "https://docs.example/a" }];
  expect(renderAnswer({ ...REPORT, sources }, RUN_URL, 0)).toContain(
    '<a href="https://docs.example/a">',
  );
  expect(renderAnswer({ ...REPORT, sources: [] }, RUN_URL, 0)).not.toContain("Sources");
});

test.each([
  ["stream-interrupted", "the answer was interrupted"],
  ["unauthorized", "the key was not accepted"],
] as const)("an error of kind %s has the headline: %s", (kind, headline) => {
  const error = new ActionError(kind, "What happened.", "What to do.");
  const shown = renderAnswer({ ...REPORT, error }, RUN_URL, 0);
  expect(shown.split("\n\n")).toEqual([
    `### ❌ Docs assistant: ${headline}`,
    "<p>Use <code>retry</code>.</p>",
    "`What happened.`",
    "What to do.",
    "**Sources**",
    SOURCES,
    `[Workflow run](${RUN_URL})`,
  ]);
});

test("an answer that is too long is cut, with a note, and leaves room for the marker", () => {
  const text = "All words. ".repeat(10_000);
  const sources = Array.from({ length: 1_000 }, (_, n) => ({
    title: `Page ${n}`,
    url: `https://docs.example/${n}`,
  }));
  const shown = renderAnswer({ ...REPORT, text, sources }, RUN_URL, 5_000);
  expect(shown.length).toBeLessThanOrEqual(65_536 - 5_000);
  expect(shown.length).toBeGreaterThan(65_536 - 5_000 - 2_000);
  expect(shown).toContain("so it was shortened");
  expect(shown).toMatch(/\n<li>and \d+ more<\/li>\n/);
});
