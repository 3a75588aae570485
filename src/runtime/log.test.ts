import { afterEach, expect, test, vi } from "vitest";
import { Secrets } from "../text/secrets.ts";
import { actionsLog } from "./log.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("no secret gets into the log at any level", () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const log = actionsLog("Docs agent", new Secrets(["mint_k3yOfTheTest"]));
  for (const level of ["debug", "info", "notice", "warning", "error"] as const) {
    log[level]("a mint_k3yOfTheTest b");
  }
  expect(written.filter((text) => text.includes("a *** b"))).toHaveLength(5);
  expect(written.join()).not.toContain("mint_k3y");
});

/** What a step with so many warnings writes: its annotations, and the other lines. */
function withWarnings(count: number) {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const log = actionsLog("Docs agent", new Secrets([]));
  for (let nth = 1; nth <= count; nth++) log.warning(`No. ${nth}`);
  log.end();
  const lines = written
    .join("")
    .split("\n")
    .filter((line) => line !== "");
  const begin = "::warning title=Docs agent::";
  return {
    annotations: lines
      .filter((line) => line.startsWith(begin))
      .map((line) => line.slice(begin.length)),
    others: lines.filter((line) => !line.startsWith(begin)),
  };
}

test.each([
  [0, 0, []],
  [7, 7, []],
  [8, 8, ["Warning: No. 8"]],
  [9, 8, ["Warning: No. 8", "Warning: No. 9"]],
  [30, 8, Array.from({ length: 23 }, (_, nth) => `Warning: No. ${nth + 8}`)],
])("of %i warnings, %i are annotations, and the others lines of the log", (count, most, rest) => {
  const { annotations, others } = withWarnings(count);
  expect(annotations).toHaveLength(most);
  expect(others).toEqual(rest);
});

test("the last annotation counts the warnings that are only in the log", () => {
  expect(withWarnings(8).annotations.at(-1)).toBe(
    "1 more warning is only in the log of this step.",
  );
  expect(withWarnings(9).annotations.at(-1)).toBe(
    "2 more warnings are only in the log of this step.",
  );
});
