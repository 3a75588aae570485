import os from "node:os";
import { expect, test } from "vitest";
import { parseAssistantInputs } from "./assistant.ts";
import { checkGitHubInputs } from "./github.ts";

const CONTEXT = {
  eventName: "workflow_dispatch",
  payload: {},
  repository: "octo/docs",
  runId: "1",
  attempt: 1,
  step: "docs/agent",
  serverUrl: "https://github.com",
  runUrl: "",
  workspace: os.tmpdir(),
  apiUrl: "https://api.github.com",
};

const NEEDED = {
  "api-key": "mint_dsc_key",
  domain: "acme",
  question: "How do I rotate a key?",
  "github-token": "token",
  "github-api-url": "https://api.github.com",
};

function parse(inputs: Record<string, string>) {
  const given: Record<string, string> = { ...NEEDED, ...inputs };
  const read = (name: string) => given[name] ?? "";
  return parseAssistantInputs(read, checkGitHubInputs(read, CONTEXT), CONTEXT);
}

test.each(["v1", "v2"])("current-path is taken with api-version %s", (version) => {
  expect(parse({ "api-version": version, "current-path": "/keys" })).toMatchObject({
    currentPath: "/keys",
    version,
  });
});

test("current-path is none unless given, and at most 200 characters long", () => {
  expect(parse({}).currentPath).toBeNull();
  expect(parse({ "current-path": "é".repeat(200) }).currentPath).toHaveLength(200);
  expect(() => parse({ "current-path": "x".repeat(201) })).toThrow(/^current-path: .*200/);
});

test("an entry of context keeps its path, and what only the service knows", () => {
  const context = [
    { type: "code", value: "x", path: "src/a.ts", elementId: "e1" },
    { type: "textSelection", value: "y", language: "en" },
  ];
  expect(parse({ context: JSON.stringify(context) }).context).toEqual(context);
});
