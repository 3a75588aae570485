import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ACTIONS } from "../../scripts/actions.ts";
import { read } from "./files.ts";

interface Metadata {
  name: string;
  description: string;
  inputs: Record<string, { description: string; required?: boolean }>;
  outputs: Record<string, { description: string }>;
}

/** What an action page on GitHub's Marketplace has room for. */
const MAX_DESCRIPTION = 125;
/** What most workflows never set, after everything else. */
const LAST = ["previous-api-key", "github-token", "github-api-url", "base-url", "matrix"];

/** What is wrong with a description as editors show it beside a name: it has to stand alone, in one sentence. */
function faultOf(description: string): string {
  const prose = description.replaceAll(/`[^`]*`/g, "`code`");
  if (!/^(`code`|[A-Z])/.test(prose)) return "begins like no sentence";
  if (!/[^.\s]\.$/.test(prose)) return "ends like no sentence";
  if (/[.!?]\s/.test(prose)) return "has several sentences";
  return /\b(do|does) so\b/.test(prose) ? "points at another description" : "";
}

describe.each(ACTIONS)("$metadata", ({ name, metadata }) => {
  const action = parse(read(metadata)) as Metadata;
  const inputs = Object.entries(action.inputs);
  const names = inputs.map(([input]) => input);

  test("has a name that a search for documentation or Mintlify finds, like the others", () => {
    const part = name === "main" ? "" : ` (${name})`;
    expect(action.name).toBe(`Documentation Agent for Mintlify${part}`);
  });

  test("is described in one sentence, in the words of a search", () => {
    expect(faultOf(action.description)).toBe("");
    expect(action.description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
    expect(action.description).toMatch(/documentation|documented/);
  });

  test("describes each input and output in one sentence", () => {
    const all = [...inputs, ...Object.entries(action.outputs)];
    const faults = all.map(([it, { description }]) => `${it}: ${faultOf(description)}`);
    expect(faults.filter((fault) => !fault.endsWith(": "))).toEqual([]);
  });

  test("lists inputs in the order of use: access, what is required, the rest, what nobody sets", () => {
    expect(names[0]).toBe("api-key");
    const required = inputs.filter(([, input]) => input.required).map(([input]) => input);
    expect(names.slice(0, required.length)).toEqual(required);
    const last = LAST.filter((it) => names.includes(it));
    expect(names.slice(-last.length)).toEqual(last);
  });

  test("says which input not to change", () => {
    const fixed = inputs.filter(([, { description }]) => description.includes("do not change"));
    expect(fixed.map(([input]) => input)).toEqual(names.filter((it) => it === "matrix"));
  });
});

test.each([
  ["Token for comments. Needs more.", "several sentences"],
  ["Token for comments", "ends like no sentence"],
  ["token for comments.", "begins like no sentence"],
  ["Logins that may do so.", "points at another"],
])("%j is not whole", (description, fault) => {
  expect(faultOf(description)).toContain(fault);
});
