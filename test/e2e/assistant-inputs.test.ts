import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/action-metadata.ts";
import { REPOSITORY_ROOT, type RunOptions } from "../../emulator/runner/runner.ts";
import { type AssistantScenario, startAssistantScenario } from "../support/assistant-scenario.ts";
import { someOf } from "../support/sample.ts";

/** Nothing was sent anywhere, and one error says which input is wrong. */
async function expectRefused(
  scenario: AssistantScenario,
  options: RunOptions,
  ...words: (string | RegExp)[]
) {
  const result = await scenario.run(options);
  expect(scenario.service.requests).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: "invalid-input" });
  return result;
}

/** Values that are refused, and what the error says of them. */
const REFUSED: Record<string, { values: string[]; says: string }> = {
  question: { values: [" \n"], says: "question" },
  domain: { values: ["", ".."], says: "dashboard" },
  "retrieval-page-size": { values: ["0", "2.5"], says: "whole number" },
  "api-version": { values: ["v3"], says: "v1, v2" },
  "timeout-minutes": { values: ["soon"], says: "positive number" },
  "required-permission": { values: ["owner"], says: "maintain" },
  comment: { values: ["maybe"], says: "true or false" },
  filter: {
    values: ["no JSON", "[]", '"v2"', '{"version": 2}', '{"groups": "beta"}', '{"groups": [1]}'],
    says: "JSON object",
  },
  context: {
    values: [
      "no JSON",
      "{}",
      '[{"type": "code"}]',
      '[{"type": "text", "value": "x"}]',
      '[{"type": "code", "value": 1}]',
      '[{"type": "code", "value": "x", "elementId": 1}]',
      '[{"type": "code", "value": "x", "path": 1}]',
    ],
    says: "JSON array",
  },
};

// All wrong inputs are reported in one go, so that one run tries a value of each.
test.each(someOf([0, 1, 2, 3, 4, 5, 6]))(
  "wrong values of all inputs: each is named (%i)",
  async (nth) => {
    await using scenario = await startAssistantScenario();
    const wrong = Object.entries(REFUSED).flatMap(([name, { values, says }]) =>
      values.slice(nth, nth + 1).map((value) => ({ name, value, says })),
    );
    const inputs = Object.fromEntries(wrong.map(({ name, value }) => [name, value]));
    const { errors } = await expectRefused(scenario, { inputs });
    const lines = errors.join("\n").split("\n");
    for (const { name, says } of wrong) {
      expect(
        lines.filter((line) => line.includes(`${name}: `) && line.includes(says)),
        name,
      ).toHaveLength(1);
    }
  },
);

test("a filter may hold what only the service knows, and may be null", async () => {
  await using scenario = await startAssistantScenario();
  await scenario.run({ inputs: { filter: '{"language": "en", "product": "api"}' } });
  await scenario.run({ inputs: { filter: "null" } });
  expect(scenario.asked(0).filter).toEqual({ language: "en", product: "api" });
  expect(scenario.asked(1)).not.toHaveProperty("filter");
});

test.each(someOf(["v1", "v2"]))(
  "current-path is at most 200 characters long in %s",
  async (version) => {
    await using scenario = await startAssistantScenario();
    const inputs = { "api-version": version, "current-path": "/".repeat(201) };
    await expectRefused(scenario, { inputs }, "current-path", "200");
  },
);

test.each(
  someOf([
    ["is missing", "none.md"],
    ["is above the workspace", "../../../secret.md"],
    ["leads outside by a symbolic link", "link.md"],
    ["is a directory", "folder"],
    ["is not UTF-8", "latin1.md"],
    ["is too large", "large.md"],
  ]),
)("a context file that %s", async (_, file) => {
  await using scenario = await startAssistantScenario();
  const result = await expectRefused(
    scenario,
    {
      inputs: { "context-files": `good.md\n${file}` },
      workspaceFiles: {
        "good.md": "good",
        "folder/a.md": "a",
        "latin1.md": Buffer.from([0x64, 0xe9]),
        "large.md": "x".repeat(256 * 1024 + 1),
      },
      prepareWorkspace: (workspace) => {
        const outside = path.join(workspace, "../../..");
        writeFileSync(path.join(outside, "secret.md"), "what nobody should read");
        symlinkSync(path.join(outside, "secret.md"), path.join(workspace, "link.md"));
      },
    },
    "context-files",
    file,
  );
  expect(result.stdout).not.toContain("what nobody should read");
});

test("context files are bounded all together, and in number", async () => {
  await using scenario = await startAssistantScenario();
  const workspaceFiles = { "a.md": "x".repeat(250 * 1024) };
  const files = (count: number) => ({ "context-files": "a.md\n".repeat(count) });
  await expectRefused(scenario, { inputs: files(5), workspaceFiles }, "context-files", "larger");
  await expectRefused(scenario, { inputs: files(51), workspaceFiles }, "context-files", "50");
});

test("every wrong input is reported in one go", async () => {
  await using scenario = await startAssistantScenario();
  const inputs = {
    "api-key": "",
    domain: ".",
    question: "",
    filter: "x",
    context: "x",
    "context-files": "none.md",
    "current-path": "/".repeat(201),
    "retrieval-page-size": "-1",
    "base-url": "http://api.example",
  };
  await expectRefused(scenario, { inputs }, ...Object.keys(inputs));
});

/** Where a key of the wrong kind would be sent, were it not recognised: nothing listens there. */
const NOWHERE = { HTTPS_PROXY: "http://127.0.0.1:9" };

test.each(
  someOf([
    ["an admin", "mint_k3yOfAnAdmin"],
    ["an index", "mint_us_k3y"],
  ]),
)("%s key for the service is recognised before it is sent", async (kind, key) => {
  await using scenario = await startAssistantScenario();
  const inputs = { "api-key": key, "base-url": "https://api.mintlify.com" };
  const result = await expectRefused(
    scenario,
    { inputs, env: NOWHERE },
    kind,
    "assistant",
    "mint_dsc_",
  );
  expect([...result.visible, result.summary].join("\n")).not.toContain(key);
});

test("another service may begin its keys as it likes", async () => {
  await using scenario = await startAssistantScenario();
  expect((await scenario.run({ inputs: { "api-key": "mint_k3y" } })).exitCode).toBe(0);
});

test("action.yml declares the inputs, their defaults and the outputs", () => {
  const { inputs, outputs, using, post } = readActionMetadata(
    path.join(REPOSITORY_ROOT, "assistant"),
  );
  expect(inputs).toEqual({
    ...{ "api-key": "", domain: "", question: "", "trigger-phrase": "", "thread-id": "" },
    ...{ "previous-api-key": "", matrix: expect.stringContaining("toJSON(matrix)") },
    ...{ "retrieval-page-size": "5", filter: "", context: "", "context-files": "" },
    ...{ "current-path": "", fingerprint: "anonymous", "api-version": "v1" },
    ...{ "timeout-minutes": "5", comment: "true", "issue-number": "" },
    ...{ "required-permission": "write", "allowed-users": "", "allowed-bots": "" },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's, not of JavaScript.
    "github-token": "${{ github.token }}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
    "github-api-url": "${{ github.api_url }}",
    "base-url": "https://api.mintlify.com",
  });
  expect(outputs).toEqual([
    ...["answer", "threadId", "sources", "commentUrl", "status", "errorKind", "errorMessage"],
  ]);
  expect({ using, post }).toEqual({ using: "node24", post: undefined });
});
