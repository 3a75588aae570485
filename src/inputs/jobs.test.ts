import { expect, test } from "vitest";
import { parseJobsInputs } from "./jobs.ts";

const parse = (inputs: Record<string, string>) => {
  const all: Record<string, string> = { "api-key": "mint_k3y", "project-id": "docs", ...inputs };
  return parseJobsInputs((name) => all[name] ?? "");
};

test("inputs that are left out have their defaults", () => {
  expect(parse({})).toEqual({
    ...{ apiKey: "mint_k3y", projectId: "docs", state: "all", limit: 100 },
    baseUrl: new URL("https://api.mintlify.com"),
  });
});

test("what is given is taken", () => {
  expect(parse({ state: "running", limit: "7" })).toMatchObject({ state: "running", limit: 7 });
});

test.each([
  ["state", "active"],
  ["limit", "0"],
  ["limit", "1.5"],
  ["project-id", "."],
  ["base-url", "api.example"],
  ["api-key", ""],
])("%s: %j is refused", (name, value) => {
  expect(() => parse({ [name]: value })).toThrow(new RegExp(`^${name}: .*must be .*\\.$`));
});

test("every wrong input is named in one go", () => {
  expect(() => parse({ state: "x", limit: "x" })).toThrow(
    /2 inputs are invalid:\n- state.*\n- limit/,
  );
});
