import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { ActionError } from "../runtime/errors.ts";
import { parseAssistantInputs } from "./inputs.ts";

const NEEDED = { "api-key": "mint_dsc_k3y", domain: "docs", question: "How?" };

/** What the event asks. */
interface Asked {
  request: string | null;
  issue: string | null;
  context: RunContext;
}

function parse(
  inputs: Record<string, string>,
  { request = null, issue = null, context = contextOf("push") }: Partial<Asked> = {},
) {
  const all: Record<string, string> = { ...NEEDED, ...inputs };
  const read = (name: string) => all[name] ?? "";
  return parseAssistantInputs(read, context, { request, issue }, null);
}

test("inputs that are left out have their defaults", () => {
  expect(parse({})).toMatchObject({
    apiKey: "mint_dsc_k3y",
    domain: "docs",
    question: "How?",
    threadId: null,
    retrievalPageSize: 5,
    filter: null,
    context: [],
    currentPath: null,
    fingerprint: "anonymous",
    apiVersion: "v1",
    timeout: 300_000,
  });
});

test("a filter of null is none", () => {
  expect(parse({ filter: "null" }).filter).toBeNull();
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
])("%s: %j is refused", (name, value) => {
  const refused = () => parse({ [name]: value });
  expect(refused).toThrow(ActionError);
  expect(refused).toThrow(new RegExp(`^(- )?${name}: .*[^.]\\.$`, "m"));
});

test.each(["v1", "v2"])(
  "version %s takes the path of the page, up to 200 characters",
  (version) => {
    const path = "ü".repeat(200);
    const inputs = { "api-version": version, "current-path": path };
    expect(parse(inputs)).toMatchObject({ apiVersion: version, currentPath: path });
  },
);

const filesIn = (list: string, workspace: string) =>
  parse({ "context-files": list }, { context: { ...contextOf("push"), workspace } }).context;

test("each line is a file, in order, sent as code", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  workspace.write("b c.ts", "b");
  expect(filesIn("b c.ts\r\n\n  a.ts \n", workspace.path)).toEqual([
    { type: "code", value: "b", path: "b c.ts" },
    { type: "code", value: "a", path: "a.ts" },
  ]);
  expect(filesIn(" \n\n", "/none")).toEqual([]);
});

test.each(["src/a.ts", "./src/../src//a.ts", "link/src/a.ts"])(
  "the path %s is shown relative to the workspace, links resolved",
  (line) => {
    using workspace = makeWorkspace();
    workspace.write("src/a.ts", "a");
    const link = path.join(workspace.path, "link");
    symlinkSync(workspace.path, link);
    const items = [{ type: "code", value: "a", path: "src/a.ts" }];
    for (const root of [workspace.path, link]) {
      expect(filesIn(line, root)).toEqual(items);
      expect(filesIn(path.join(workspace.path, line), root)).toEqual(items);
    }
  },
);

test("every file that is wrong is named, each in a sentence that ends once", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  const context = { ...contextOf("push"), workspace: workspace.path };
  expect(() => parse({ "context-files": "none.ts\na.ts\n../x.ts" }, { context })).toThrow(
    /^2 inputs are invalid:\n- context-files: "none\.ts" .*checked out\?\n- context-files: "..\/x/,
  );
});

test("all files together may have 1 MiB", () => {
  using workspace = makeWorkspace();
  workspace.write("large.ts", "x".repeat(512 * 1024));
  workspace.write("small.ts", "x");
  const files = (...names: string[]) => filesIn(names.join("\n"), workspace.path);
  expect(files("large.ts", "large.ts")).toHaveLength(2);
  expect(() => files("large.ts", "large.ts", "small.ts")).toThrow(
    '"small.ts" is larger than 0 bytes, what is left of 1 MiB for all files together.',
  );
});

test("any text is a thread or a fingerprint, without the white space around it", () => {
  const texts = { threadId: "a / b", fingerprint: "Ada L." };
  expect(parse({ "thread-id": " a / b\n", fingerprint: " Ada L. " })).toMatchObject(texts);
});
