import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readActionMetadata } from "../support/action-metadata.ts";
import { type AssistantScene, setAssistantScene } from "../support/assistant-scene.ts";
import { REPOSITORY_ROOT, type RunOptions } from "../support/runner.ts";

/** Nothing was sent anywhere, and one error says which input is wrong. */
async function expectRefused(
  scene: AssistantScene,
  options: RunOptions,
  ...words: (string | RegExp)[]
) {
  const result = await scene.run(options);
  expect(scene.service.requests).toEqual([]);
  expect(scene.github.server.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.errors).toHaveLength(1);
  for (const word of words) expect(result.errors[0]).toMatch(word);
  expect(result.outputs).toMatchObject({ status: "failed", errorKind: "invalid-input" });
  return result;
}

test.each([
  ["question", " \n", "question"],
  ["domain", "", "dashboard"],
  ["domain", "..", "dashboard"],
  ["retrieval-page-size", "0", "whole number"],
  ["retrieval-page-size", "2.5", "whole number"],
  ["api-version", "v3", "v1, v2"],
  ["timeout-minutes", "soon", "positive number"],
  ["required-permission", "owner", "maintain"],
  ["comment", "maybe", "true or false"],
])("%s: '%s'", async (name, value, word) => {
  await using scene = await setAssistantScene();
  await expectRefused(scene, { inputs: { [name]: value } }, name, word);
});

test.each(["no JSON", "[]", '"v2"', '{"version": 2}', '{"groups": "beta"}', '{"groups": [1]}'])(
  "a filter that is %s",
  async (filter) => {
    await using scene = await setAssistantScene();
    await expectRefused(scene, { inputs: { filter } }, "filter", "JSON object");
  },
);

test.each([
  "no JSON",
  "{}",
  '[{"type": "code"}]',
  '[{"type": "text", "value": "x"}]',
  '[{"type": "code", "value": 1}]',
  '[{"type": "code", "value": "x", "elementId": 1}]',
])("a context that is %s", async (context) => {
  await using scene = await setAssistantScene();
  await expectRefused(scene, { inputs: { context } }, "context", "JSON array");
});

test("a filter may hold what only the service knows, and may be null", async () => {
  await using scene = await setAssistantScene();
  await scene.run({ inputs: { filter: '{"language": "en", "product": "api"}' } });
  await scene.run({ inputs: { filter: "null" } });
  expect(scene.asked(0).filter).toEqual({ language: "en", product: "api" });
  expect(scene.asked(1)).not.toHaveProperty("filter");
});

test("current-path is for version 2 alone, and at most 200 characters long", async () => {
  await using scene = await setAssistantScene();
  await expectRefused(scene, { inputs: { "current-path": "/keys" } }, "current-path", "v2");
  const inputs = { "api-version": "v2", "current-path": "/".repeat(201) };
  await expectRefused(scene, { inputs }, "current-path", "200");
});

test.each([
  ["is missing", "none.md"],
  ["is above the workspace", "../../../secret.md"],
  ["leads outside by a symbolic link", "link.md"],
  ["is a directory", "folder"],
  ["is not UTF-8", "latin1.md"],
  ["is too large", "large.md"],
])("a context file that %s", async (_, file) => {
  await using scene = await setAssistantScene();
  const result = await expectRefused(
    scene,
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
  await using scene = await setAssistantScene();
  const workspaceFiles = { "a.md": "x".repeat(250 * 1024) };
  const files = (count: number) => ({ "context-files": "a.md\n".repeat(count) });
  await expectRefused(scene, { inputs: files(5), workspaceFiles }, "context-files", "larger");
  await expectRefused(scene, { inputs: files(51), workspaceFiles }, "context-files", "50");
});

test("every wrong input is reported in one go", async () => {
  await using scene = await setAssistantScene();
  const inputs = {
    "api-key": "",
    domain: ".",
    question: "",
    filter: "x",
    context: "x",
    "context-files": "none.md",
    "current-path": "/keys",
    "retrieval-page-size": "-1",
    "base-url": "http://api.example",
  };
  const shown = Object.keys(inputs).filter((name) => name !== "current-path");
  await expectRefused(scene, { inputs }, ...shown);
});

/** Where a key of the wrong kind would be sent, were it not recognised: nothing listens there. */
const NOWHERE = { HTTPS_PROXY: "http://127.0.0.1:9" };

test.each([
  ["an admin", "mint_k3yOfAnAdmin"],
  ["an index", "mint_us_k3y"],
])("%s key for the service is recognised before it is sent", async (kind, key) => {
  await using scene = await setAssistantScene();
  const inputs = { "api-key": key, "base-url": "https://api.mintlify.com" };
  const result = await expectRefused(
    scene,
    { inputs, env: NOWHERE },
    kind,
    "assistant",
    "mint_dsc_",
  );
  expect([...result.visible, result.summary].join("\n")).not.toContain(key);
});

test("another service may begin its keys as it likes", async () => {
  await using scene = await setAssistantScene();
  expect((await scene.run({ inputs: { "api-key": "mint_k3y" } })).exitCode).toBe(0);
});

test("action.yml declares the inputs, their defaults and the outputs", () => {
  const { inputs, outputs, using, post } = readActionMetadata(
    path.join(REPOSITORY_ROOT, "assistant"),
  );
  expect(inputs).toEqual({
    ...{ "api-key": "", domain: "", question: "", "trigger-phrase": "", "thread-id": "" },
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
