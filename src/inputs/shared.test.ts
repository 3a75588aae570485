import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { ActionError } from "../runtime/errors.ts";
import { parseInputs } from "./checks.ts";
import { promptInputs, withRequest } from "./prompt.ts";
import { githubAccess, githubSettings, markerKeys, project, readTriggerPhrase } from "./shared.ts";

const CONTEXT = contextOf("push");

test.each(["/docs", " /docs\n", "two words"])("the phrase %j is one line", (phrase) => {
  expect(readTriggerPhrase(() => phrase)).toBe(phrase.trim());
});

test("without a phrase, there is none", () => {
  expect(readTriggerPhrase(() => "")).toBeNull();
});

test.each(["/docs\n/ask", "/docs\r/ask", "/docs\r\n\r\n/ask", " ", "\n", "\t\u00A0"])(
  "the phrase %j is refused",
  (phrase) => {
    expect(() => readTriggerPhrase(() => phrase)).toThrow(ActionError);
    expect(() => readTriggerPhrase(() => phrase)).toThrow(/^trigger-phrase: .*one line/);
  },
);

const check = (inputs: Record<string, string>) =>
  parseInputs(
    (name) => ({ ...KEY, ...inputs })[name] ?? "",
    (input) => ({ ...project(input), ...githubSettings(input, CONTEXT) }),
  );
const KEY: Record<string, string> = { "api-key": "mint_k3y", "project-id": "docs" };

test.each<[string, string, string[]]>([
  ["allowed-users", " \n ", []],
  ["allowed-users", "octocat\n  @Hubot \r\n\n@mona_acme\n", ["octocat", "hubot", "mona_acme"]],
  ["allowed-bots", "", []],
  ["allowed-bots", "@Dependabot[bot]\nCopilot", ["dependabot[bot]", "copilot"]],
])("%s %j are %j", (name, text, logins) => {
  const { allowedUsers, allowedBots } = check({ [name]: text });
  expect(name === "allowed-users" ? allowedUsers : allowedBots).toEqual(logins);
});

test.each([
  ["allowed-users", "a, b", "a, b"],
  ["allowed-users", "octocat\n*", "*"],
  ["allowed-users", "octocat\n@octo/team\nhubot", "@octo/team"],
  ["allowed-users", "renovate[bot]", "renovate[bot]"],
  ["allowed-users", "mona@octo.example", "mona@octo.example"],
  ["allowed-users", "@", "@"],
  ["allowed-users", "x".repeat(40), "x".repeat(40)],
  ["allowed-bots", "[bot]", "[bot]"],
  ["allowed-bots", "renovate [bot]", "renovate [bot]"],
  ["allowed-bots", "renovate[bot], other[bot]", "renovate[bot], other[bot]"],
  ["allowed-bots", "renovate[bot]\nall bots", "all bots"],
])("%s: %j is not allowed, and the message shows %j", (name, text, shown) => {
  const checking = () => check({ [name]: text });
  expect(checking).toThrow(`${name}: ${JSON.stringify(shown)} is not`);
  expect(checking).toThrow("one per line");
});

test.each([
  ["", `${CONTEXT.apiUrl}/`],
  ["https://github.example/api/v3", "https://github.example/api/v3"],
])("github-api-url %j is %s", (given, address) => {
  expect(check({ "github-api-url": given }).githubApiUrl.href).toBe(address);
});

test.each([
  ["github-api-url", "http://github.example/api/v3", / must be an https: URL/],
  ["github-api-url", "https://user:hunter2@github.example", / must be an https: URL/],
  ["github-token", "hunter2 x", /^github-token: its value \(not shown\) is not allowed/],
  ["api-key", "", /check the secret's name\. .* GitHub .* from a fork, and only Dependabot/],
  ["api-key", " \n", /A reusable workflow gets only the secrets .* names in `secrets:`\. GitHub/],
  ["api-key", "hunter2 x", /^api-key: its value \(not shown\) is not allowed/],
  ["api-key", "hunter2\nhunter2", /^api-key: its value \(not shown\) is not allowed/],
  ["project-id", " ", /^project-id: an empty value is not allowed: .* check the variable's name/],
  [
    "project-id",
    "",
    /A secret is not a variable: if the ID is stored as one, store it as a variable\.$/,
  ],
  ["project-id", "..", /^project-id: "\.\." is not allowed/],
])("%s: %j is refused, and no secret is shown", (name, value, message) => {
  const checking = () => check({ [name]: value });
  expect(checking).toThrow(message);
  expect(checking).toThrow(/[^.]\.$/);
  expect(checking).not.toThrow("hunter2");
});

test("where nothing works without a token, an empty one says where it may come from", () => {
  const read = (name: string) => KEY[name] ?? "";
  const tokenOf = (isNeeded: boolean) =>
    parseInputs(read, (input) => githubAccess(input, CONTEXT, isNeeded)).githubToken;
  expect(tokenOf(false)).toBe("");
  expect(() => tokenOf(true)).toThrow(
    /^github-token: an empty value is not allowed: .* Remove the input to use the workflow's own/,
  );
});

/** What is made of these inputs, in a workspace with one file. */
function promptOf(inputs: Record<string, string>) {
  using workspace = makeWorkspace();
  workspace.write("prompt.md", "From a file.\n");
  workspace.write("empty.md", " \n\t");
  const context = { ...CONTEXT, workspace: workspace.path };
  const read = (name: string) => inputs[name] ?? "";
  return parseInputs(read, (input) => promptInputs(input, read, context));
}

test.each([
  [{ prompt: "  Explain `x`.\r\n\n" }, { prompt: "  Explain `x`.\r\n\n", promptFile: null }],
  // An expression that came to nothing is no second instruction.
  [
    { prompt: "\n", "prompt-file": " prompt.md " },
    { prompt: "\n", promptFile: "From a file.\n" },
  ],
])("%j is the instruction, unchanged", (inputs, values) => {
  expect(promptOf(inputs)).toEqual(values);
});

test.each([
  [{ prompt: "x", "prompt-file": "prompt.md" }, "not allowed together with prompt"],
  [{ "prompt-file": "none.md" }, 'prompt-file: "none.md" does not exist'],
  [{ "prompt-file": "empty.md" }, 'prompt-file: "empty.md" is empty'],
])("%j is one problem", (inputs, problem) => {
  expect(() => promptOf(inputs)).toThrow(problem);
});

test("a request by phrase comes after the prompt, or alone", () => {
  expect(withRequest("Be brief.\n", "mention limits")).toBe("Be brief.\n\nmention limits");
  expect(withRequest(" \n", "more")).toBe("more");
  expect(withRequest("as it is ", null)).toBe("as it is ");
});

test("the key signs, and what the one before it signed is read", () => {
  const inputs: Record<string, string> = { "api-key": "new" };
  const read = (name: string) => inputs[name] ?? "";
  const keys = () => parseInputs(read, (input) => markerKeys(input, read));
  expect(keys()).toEqual(["new"]);
  inputs["previous-api-key"] = "old";
  expect(keys()).toEqual(["new", "old"]);
});
