import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { projectFiles } from "../../scripts/code/source-file.ts";
import { CHECKS } from "./habits/checks.ts";
import { CONVERSATIONS } from "./habits/conversations.ts";
import { EVENTS, PAYLOADS } from "./habits/events.ts";
import { GIT_DATA } from "./habits/git-data.ts";
import { GRAPHQL } from "./habits/graphql.ts";
import type { Habit } from "./habits/habit.ts";
import { PULLS } from "./habits/pulls.ts";
import { RUNNER } from "./habits/runner.ts";
import { ENTERPRISE, LIMITS, RELEASES, TOKENS } from "./habits/site.ts";
import { TRIALS } from "./habits/trials.ts";

const HABITS: readonly Habit[] = [
  ...GIT_DATA,
  ...PULLS,
  ...CHECKS,
  ...CONVERSATIONS,
  ...GRAPHQL,
  ...LIMITS,
  ...TOKENS,
  ...RELEASES,
  ...ENTERPRISE,
  ...EVENTS,
  ...PAYLOADS,
  ...RUNNER,
  ...TRIALS,
];

/** Title of the test that shows a habit; null if it is none of ours. */
function testOf({ here }: Habit): string | null {
  if ("emulated" in here) return here.emulated;
  return "switch" in here ? here.switch : null;
}

const named = new Set(HABITS.flatMap((habit) => testOf(habit) ?? []));
const sources = projectFiles()
  .filter((file) => file.endsWith(".test.ts") && file !== "test/emulator/habits.test.ts")
  .map((file) => ({ file, text: readFileSync(path.join(REPOSITORY_ROOT, file), "utf8") }));

test.each([...named])("the test of a habit exists once: %s", (title) => {
  const files = sources.flatMap(({ file, text }) =>
    Array.from({ length: text.split(JSON.stringify(title)).length - 1 }, () => file),
  );
  expect(files).toHaveLength(1);
});

test("every test of a habit is named in the table", () => {
  const titles = sources
    .filter(({ file }) => file.startsWith("test/emulator/github/habits-"))
    .flatMap(({ text }) =>
      [...text.matchAll(/\btest(?:\.each\(\w+\))?\(\s*("(?:[^"\\]|\\.)*")/g)].map(
        ([, title = '""']) => JSON.parse(title) as string,
      ),
    );
  expect(titles.length).toBeGreaterThan(50);
  expect(titles.filter((title) => !named.has(title))).toEqual([]);
});

test("each habit is in the table once, with its source", () => {
  const words = HABITS.map(({ habit }) => habit);
  expect(words.filter((habit, at) => words.indexOf(habit) !== at)).toEqual([]);
  expect(HABITS.filter(({ habit, source }) => habit === "" || source === "")).toEqual([]);
});
