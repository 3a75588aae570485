import { expect, test } from "vitest";
import { parseCollectInputs } from "./collect.ts";

const CONTEXT = { apiUrl: "https://api.github.com" };
const DAY = 24 * 60 * 60_000;

function parse(given: Record<string, string> = {}) {
  const all: Record<string, string> = { "api-key": "mint_x", "project-id": "docs", ...given };
  return parseCollectInputs((name) => all[name] ?? "", CONTEXT);
}

test("what is left out has its default", () => {
  expect(parse()).toMatchObject({
    ...{ days: 7 * DAY, triggerPhrase: "", keys: ["mint_x"] },
    githubApiUrl: new URL("https://api.github.com"),
    baseUrl: new URL("https://api.mintlify.com"),
  });
});

test.each([
  ["0.5", 0.5 * DAY],
  [" 30 ", 30 * DAY],
  ["366", 366 * DAY],
])("days: %j", (days, expected) => {
  expect(parse({ days }).days).toBe(expected);
});

test.each(["0", "-1", "367", "seven", "1e9", "NaN"])("days: %j is not allowed", (days) => {
  expect(() => parse({ days })).toThrow(/days: .* is not allowed: it must be a positive number/);
});

test("the phrase is one line", () => {
  expect(parse({ "trigger-phrase": " /docs " }).triggerPhrase).toBe("/docs");
  expect(() => parse({ "trigger-phrase": "/docs\n/ask" })).toThrow(/trigger-phrase/);
});

test("a previous key reads, and does not sign", () => {
  expect(parse({ "previous-api-key": "mint_old" }).keys).toEqual(["mint_x", "mint_old"]);
});
