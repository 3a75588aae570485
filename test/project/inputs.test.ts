import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ACTIONS, type Action } from "../../scripts/actions.ts";
import { ERROR_KINDS, files, read } from "./files.ts";

/** The tests that run an action, and what they share. */
function testsOf({ name }: Action, names: readonly string[]): string[] {
  const all = files("test/e2e/*.test.ts", "test/support/*.ts");
  const about = (file: string, words: string[]) =>
    words.some((word) => path.basename(file).startsWith(word));
  // In the local world, all actions get these.
  const shared = "local-runs";
  const others = [...ACTIONS.map((it) => it.name), "ledger"];
  if (name === "main") return all.filter((file) => !about(file, others));
  const own = names.includes("name") ? [name, "ledger"] : [name];
  return all.filter((file) => about(file, [...own, shared]));
}

/** Whether a test gives an input a value of its own; one whose name is a common word must stand in `inputs`. */
function isSet(name: string, tests: string): boolean {
  // The runner fills it in, from the matrix that a test gives.
  if (name === "matrix") return /\bmatrix: \{/.test(tests);
  const value = `: (?!""|"\\$\\{\\{)`;
  return name.includes("-")
    ? new RegExp(`"${name}"${value}`).test(tests)
    : new RegExp(
        `\\binputs(: Record<string, string>)? ?[:=] ?\\{[^}]*?\\b${name}(${value}|,)`,
      ).test(tests);
}

describe.each(ACTIONS)("$metadata", (action) => {
  const names: string[] = Object.keys(parse(read(action.metadata)).inputs);

  test("has no input that no test sets", () => {
    const tests = testsOf(action, names).map(read).join("\n");
    expect(names.filter((name) => !isSet(name, tests))).toEqual([]);
  });
});

test("no errorKind is without a test that reaches it", () => {
  const tests = files("test/e2e/*.test.ts").map(read).join("\n");
  expect(ERROR_KINDS.length).toBeGreaterThan(10);
  expect(ERROR_KINDS.filter((kind) => !tests.includes(`"${kind}"`))).toEqual([]);
});
