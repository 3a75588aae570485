import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { ActionError } from "../runtime/errors.ts";
import { parseAssistantInputs } from "./assistant.ts";
import { checkGitHubInputs } from "./github.ts";

const NEEDED = { "api-key": "mint_dsc_k3y", domain: "docs", question: "How?" };

function parse(
  inputs: Record<string, string>,
  { request = "", issue = "", context = contextOf("push") } = {},
) {
  const all: Record<string, string> = { ...NEEDED, ...inputs };
  const read = (name: string) => all[name] ?? "";
  return parseAssistantInputs(read, checkGitHubInputs(read, context), context, { request, issue });
}

test("inputs that are left out have their defaults", () => {
  expect(parse({})).toMatchObject({
    ...{ apiKey: "mint_dsc_k3y", domain: "docs", question: "How?", threadId: null },
    ...{ retrievalPageSize: 5, filter: null, context: [], currentPath: null },
    ...{ fingerprint: "anonymous", apiVersion: "v1", timeout: 300_000 },
  });
});

test("JSON and files are handed on together", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  const item = { type: "textSelection", value: "b", path: "b.md", elementId: "e", language: "en" };
  const inputs = {
    context: JSON.stringify([item]),
    "context-files": "a.ts",
    filter: '{"version": "v2", "groups": ["beta"], "more": 1}',
  };
  const context = { ...contextOf("push"), workspace: workspace.path };
  expect(parse(inputs, { context })).toMatchObject({
    context: [item, { type: "code", value: "a", path: "a.ts" }],
    filter: { version: "v2", groups: ["beta"], more: 1 },
  });
});

test.each([
  ["the input", "Why?", { issue: "How?" }, "Why?"],
  ["the request, after the input", "Be brief.", { request: "how?" }, "Be brief.\n\nhow?"],
  ["the request alone", "", { request: "how?", issue: "How?" }, "how?"],
  ["the issue", " ", { issue: "How?" }, "How?"],
])("the question is %s", (_, question, asked, expected) => {
  expect(parse({ question }, asked).question).toBe(expected);
});

test.each([
  ["question", " \n"],
  ["domain", ""],
  ["domain", ".."],
  ["retrieval-page-size", "2.5"],
  ["filter", "[]"],
  ["filter", '{"groups": "beta"}'],
  ["filter", "no JSON"],
  ["context", "{}"],
  ["context", '[{"type": "text", "value": "x"}]'],
  ["current-path", "x".repeat(201)],
  ["api-version", "v3"],
  ["timeout-minutes", "0"],
  ["api-key", "mint_k3y"],
  ["comment", "maybe"],
])("%s: %j is refused", (name, value) => {
  const refused = () => parse({ [name]: value });
  expect(refused).toThrow(ActionError);
  expect(refused).toThrow(new RegExp(`^(- )?${name}: .*[^.]\\.$`, "m"));
});

test("without any question there is nothing to ask", () => {
  expect(() => parse({ question: "" })).toThrow(/^question: an empty value/);
});

test.each(["v1", "v2"])(
  "version %s takes the path of the page, up to 200 characters",
  (version) => {
    const path = "ü".repeat(200);
    const inputs = { "api-version": version, "current-path": path };
    expect(parse(inputs)).toMatchObject({ apiVersion: version, currentPath: path });
  },
);
