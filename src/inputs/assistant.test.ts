import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { ActionError } from "../runtime/errors.ts";
import { parseAssistantInputs } from "./assistant.ts";
import { checkGitHubInputs } from "./github.ts";

const NEEDED = { "api-key": "mint_dsc_k3y", domain: "docs", question: "How?" };
const ISSUE = { title: "How?", body: "I want to <!-- not --> know." };

function parse(inputs: Record<string, string>, { request = "", context = contextOf("push") } = {}) {
  const all: Record<string, string> = { ...NEEDED, ...inputs };
  const read = (name: string) => all[name] ?? "";
  return parseAssistantInputs(read, checkGitHubInputs(read, context), context, request);
}

test("inputs that are left out have their defaults", () => {
  expect(parse({})).toMatchObject({
    ...{ apiKey: "mint_dsc_k3y", domain: "docs", question: "How?", threadId: null },
    ...{ retrievalPageSize: 5, filter: null, context: [], currentPath: null },
    ...{ fingerprint: "anonymous", version: "v1", timeout: 300_000 },
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
  ["the input", "issues", { issue: ISSUE }, "", "Why?", "Why?"],
  ["the request, after the input", "issue_comment", {}, "how?", "Be brief.", "Be brief.\n\nhow?"],
  ["the request alone", "issue_comment", {}, "how?", "", "how?"],
  ["the issue, as readers see it", "issues", { issue: ISSUE }, "", "", "How?\n\nI want to  know."],
])("the question is %s", (_, event, payload, request, question, expected) => {
  const context = contextOf(event, payload);
  expect(parse({ question }, { request, context }).question).toBe(expected);
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

test("an event that is no issue asks nothing by itself", () => {
  const context = contextOf("issue_comment", { issue: ISSUE });
  expect(() => parse({ question: "" }, { context })).toThrow(/^question: an empty value/);
});

test.each(["v1", "v2"])(
  "version %s takes the path of the page, up to 200 characters",
  (version) => {
    const path = "ü".repeat(200);
    const inputs = { "api-version": version, "current-path": path };
    expect(parse(inputs)).toMatchObject({ version, currentPath: path });
  },
);

test("the question that is made of an issue is bounded", () => {
  const context = contextOf("issues", { issue: { title: "x".repeat(100_000), body: null } });
  expect(parse({ question: "" }, { context }).question).toHaveLength(32 * 1024);
});
