import { expect, test } from "vitest";
import { ActionError } from "../runtime/errors.ts";
import { checkGitHubInputs, readTriggerPhrase } from "./github.ts";

test.each(["", "/docs", " /docs\n", "two words"])("the phrase %j is one line", (phrase) => {
  expect(readTriggerPhrase(() => phrase)).toBe(phrase.trim());
});

test.each(["/docs\n/ask", "/docs\r/ask", "/docs\r\n\r\n/ask", " ", "\n", "\t\u00A0"])(
  "the phrase %j is refused",
  (phrase) => {
    expect(() => readTriggerPhrase(() => phrase)).toThrow(ActionError);
    expect(() => readTriggerPhrase(() => phrase)).toThrow(/^trigger-phrase: .*one line/);
  },
);

function check(inputs: Record<string, string>) {
  const read = (name: string) => inputs[name] ?? "";
  return checkGitHubInputs(read, { apiUrl: "https://api.github.com" });
}

test.each<[string, string[]]>([
  ["", []],
  [" \n ", []],
  ["octocat", ["octocat"]],
  ["@Octocat", ["octocat"]],
  ["octocat\n  hubot \r\n\n@mona_acme\n", ["octocat", "hubot", "mona_acme"]],
])("allowed-users %j are %j", (text, logins) => {
  expect(check({ "allowed-users": text }).values?.allowedUsers).toEqual(logins);
});

test.each<[string, string[]]>([
  ["", []],
  ["renovate[bot]", ["renovate[bot]"]],
  ["@Dependabot[bot]\nCopilot", ["dependabot[bot]", "copilot"]],
])("allowed-bots %j are %j", (text, logins) => {
  expect(check({ "allowed-bots": text }).values?.allowedBots).toEqual(logins);
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
  const { values, problems } = check({ [name]: text });
  expect(values).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${name}: ${JSON.stringify(shown)} is not allowed`);
  expect(problems[0]).toContain("one per line");
});

test.each([
  ["", "https://api.github.com/"],
  ["https://github.example/api/v3", "https://github.example/api/v3"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ["http://localhost:8080", "http://localhost:8080/"],
  ["http://[::1]:8080", "http://[::1]:8080/"],
])("github-api-url may be %j", (given, address) => {
  expect(check({ "github-api-url": given }).values?.githubApiUrl.href).toBe(address);
});

test.each([
  "http://github.example/api/v3",
  "http://127.0.0.1.example",
  "http://localhost.example",
  "ftp://github.example",
  "github.example",
  "https://user:hunter2@github.example",
])("github-api-url may not be %j", (given) => {
  const { values, problems } = check({ "github-api-url": given });
  expect(values).toBeNull();
  expect(problems).toEqual([expect.stringMatching(/^github-api-url: .* must be an https: URL/)]);
  expect(problems[0]).not.toContain("hunter2");
});
