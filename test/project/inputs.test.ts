import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ACTIONS, type Action } from "../../scripts/actions.ts";
import { inputsOfAllCases } from "../support/land-case-rows.ts";
import { ERROR_KINDS, files, read } from "./files.ts";

/** Those that run the bundles, and those of the actions together. */
const END_TO_END = "test/{e2e,actions}/*.test.ts";
const SHARED = "test/support/*.ts";

/** What helpers give to every run: only a value in a test itself shows that the test is about it. */
const OF_EVERY_RUN = ["api-key", "project-id", "base-url"];

/** The text of the files about an action. @param further how the names of more files about it begin */
function textAbout({ name }: Action, patterns: string[], further: string[] = []): string {
  const about = (file: string, words: string[]) =>
    words.some((word) => path.basename(file).startsWith(word));
  const others = [...ACTIONS.map((it) => it.name), "ledger"];
  const isAbout = (file: string) =>
    name === "root" ? !about(file, others) : about(file, [name, ...further]);
  return files(...patterns)
    .filter(isAbout)
    .map(read)
    .join("\n");
}

/** Whether a test gives an input a value of its own; one whose name is a common word must stand in `inputs`. */
function isSet(name: string, tests: string): boolean {
  // An empty value is another one than every run's.
  if (OF_EVERY_RUN.includes(name)) return tests.includes(`"${name}": `);
  // The runner fills it in, from the matrix that a test gives.
  if (name === "matrix") return /\bmatrix: \{/.test(tests);
  const value = `: (?!""|"\\$\\{\\{)`;
  return name.includes("-")
    ? new RegExp(`"${name}"${value}`).test(tests)
    : new RegExp(
        `\\binputs(: Record<string, string>)? ?[:=] ?\\{[^}]*?\\b${name}(${value}|,| \\})`,
      ).test(tests);
}

describe.each(ACTIONS)("$metadata", (action) => {
  const names: string[] = Object.keys(parse(read(action.metadata)).inputs);

  test("has no input that no test sets", () => {
    const own = textAbout(action, [END_TO_END]);
    const withLedger = names.includes("name") ? ["ledger"] : [];
    const withDecisions = names.includes("decisions") ? ["decisions"] : [];
    const all = textAbout(action, [END_TO_END, SHARED], [...withLedger, ...withDecisions]);
    // A test runs land's bundle with the inputs of its cases.
    const ofCases = action.name === "land" ? Object.keys(inputsOfAllCases()) : [];
    const unset = names
      .filter((name) => !ofCases.includes(name))
      .filter((name) => !isSet(name, OF_EVERY_RUN.includes(name) ? own : all));
    expect(unset).toEqual([]);
  });
});

test("no errorKind is without a test that reaches it", () => {
  const tests = files(END_TO_END).map(read).join("\n");
  expect(ERROR_KINDS.length).toBeGreaterThan(10);
  expect(ERROR_KINDS.filter((kind) => !tests.includes(`"${kind}"`))).toEqual([]);
});
