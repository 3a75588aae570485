import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ACTIONS } from "../../scripts/actions.ts";
import { read } from "./files.ts";

interface Metadata {
  name: string;
  description: string;
  branding: { icon: string; color: string };
  inputs: Record<string, { description: string; required?: boolean; deprecationMessage?: string }>;
  outputs: Record<string, { description: string }>;
}

/** Maximum length on GitHub's Marketplace. */
const MAX_DESCRIPTION = 125;
/** Inputs that most workflows never set, at the end. */
const LAST = ["previous-api-key", "github-token", "github-api-url", "base-url", "matrix"];

/** What is wrong with a description. Editors show it beside a name, so it has to be one complete sentence. */
function faultOf(description: string): string {
  const prose = description.replaceAll(/`[^`]*`/g, "`code`");
  if (!/^(`code`|[A-Z])/.test(prose)) return "does not begin like a sentence";
  if (!/[^.\s]\.$/.test(prose)) return "does not end like a sentence";
  if (/[.!?]\s/.test(prose)) return "has several sentences";
  return /\b(do|does) so\b/.test(prose) ? "points at another description" : "";
}

describe.each(ACTIONS)("$metadata", ({ name, metadata }) => {
  const action = parse(read(metadata)) as Metadata;
  const inputs = Object.entries(action.inputs);
  const names = inputs.map(([input]) => input);

  test("has a name that a search for documentation or Mintlify finds, like the others", () => {
    const part = name === "root" ? "" : ` (${name})`;
    expect(action.name).toBe(`Documentation Agent for Mintlify${part}`);
  });

  test("is described in one sentence, in the words of a search", () => {
    expect(faultOf(action.description)).toBe("");
    expect(action.description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
    expect(action.description).toMatch(/documentation|documented/);
  });

  test("describes each input and output in one sentence", () => {
    const all = [...inputs, ...Object.entries(action.outputs)];
    const faults = all.map(([field, { description }]) => `${field}: ${faultOf(description)}`);
    expect(faults.filter((fault) => !fault.endsWith(": "))).toEqual([]);
  });

  test("lists inputs in the order of use: access, required ones, the others, those that are rarely set", () => {
    expect(names[0]).toBe("api-key");
    const required = inputs.filter(([, input]) => input.required).map(([input]) => input);
    expect(names.slice(0, required.length)).toEqual(required);
    const last = LAST.filter((input) => names.includes(input));
    expect(names.slice(-last.length)).toEqual(last);
  });

  test("says that `matrix` is not to be changed", () => {
    const fixed = inputs.filter(([, { description }]) => description.includes("do not change"));
    expect(fixed.map(([input]) => input)).toEqual(names.filter((input) => input === "matrix"));
  });
});

/** What GitHub allows. */
const COLORS = [
  "white",
  "black",
  "yellow",
  "blue",
  "green",
  "orange",
  "red",
  "purple",
  "gray-dark",
];

test("icons tell the actions apart, and no color is that of more than two", () => {
  const brandings = ACTIONS.map(({ metadata }) => (parse(read(metadata)) as Metadata).branding);
  const icons = brandings.map(({ icon }) => icon);
  expect([...new Set(icons)]).toEqual(icons);
  for (const { color } of brandings) {
    expect(COLORS).toContain(color);
    expect(brandings.filter((other) => other.color === color).length).toBeLessThanOrEqual(2);
  }
});

test("the inputs that only version 1 of the agent API has are deprecated, and no others", () => {
  const deprecated = ACTIONS.flatMap(({ metadata }) =>
    Object.entries((parse(read(metadata)) as Metadata).inputs)
      .filter(([, { deprecationMessage }]) => deprecationMessage !== undefined)
      .map(([input]) => `${metadata}: ${input}`),
  );
  const names = ["branch", "as-draft", "model", "messages"];
  expect(deprecated).toEqual(names.map((name) => `action.yml: ${name}`));
});

test.each([
  ["Token for comments. Needs more.", "several sentences"],
  ["Token for comments", "does not end like a sentence"],
  ["token for comments.", "does not begin like a sentence"],
  ["Logins that may do so.", "points at another"],
])("%j is no complete sentence", (description, fault) => {
  expect(faultOf(description)).toContain(fault);
});
