import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { hasTask, parseRunInputs } from "../root/inputs.ts";
import { hasPrompt } from "./prompt.ts";
import { resolveInputs } from "./resolve-inputs.ts";

const GUEST = { login: "guest", type: "User" };
const COMMENT = {
  action: "created",
  issue: { number: 7 },
  comment: { body: "/docs explain", user: GUEST, performed_via_github_app: null },
};

/** Resolves the inputs of the root action. @returns them, and how often each input was read */
async function resolve(event: RunContext, inputs: Record<string, string>) {
  using workspace = makeWorkspace();
  workspace.write("prompt.md", "From a file.");
  let fileReads = 0;
  const context = {
    ...event,
    get workspace() {
      fileReads += 1;
      return workspace.path;
    },
  };
  const all: Record<string, string> = {
    "api-key": "mint_key",
    "project-id": "docs",
    "prompt-file": "prompt.md",
    "allowed-users": "guest",
    ...inputs,
  };
  const counts = new Map<string, number>();
  const read = (name: string) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return all[name] ?? "";
  };
  const resolved = await resolveInputs(
    read,
    context,
    dependenciesOf(),
    (request, settings) => parseRunInputs(read, context, request?.text ?? null, settings),
    { input: "prompt", isThere: () => hasTask(read), isInstruction: () => hasPrompt(read) },
  );
  return { resolved, counts, fileReads };
}

test.each([
  ["without a phrase", contextOf("schedule"), "", "From a file."],
  ["for an event without text", contextOf("schedule"), "/docs", "From a file."],
  ["for a request", contextOf("issue_comment", COMMENT), "/docs", "From a file.\n\nexplain"],
])("%s, every input is checked once, and the file is read once", async (_, event, phrase, text) => {
  const { resolved, counts, fileReads } = await resolve(event, { "trigger-phrase": phrase });
  expect(resolved?.inputs.task).toEqual({ type: "create", prompt: text });
  expect(fileReads).toBe(1);
  const names = ["required-permission", "allowed-users", "comment", "if-no-changes", "api-version"];
  expect(names.map((name) => counts.get(name))).toEqual([1, 1, 1, 1, 1]);
});

test("a run that has nothing to do checks no input but the phrase", async () => {
  const event = contextOf("issue_comment", { ...COMMENT, comment: { body: "Thanks!" } });
  const { resolved, counts } = await resolve(event, { "trigger-phrase": "/docs" });
  expect(resolved).toBeNull();
  expect([...counts.keys()]).toEqual(["trigger-phrase"]);
});

test.each([
  ["without a phrase", contextOf("schedule"), ""],
  ["for a request", contextOf("issue_comment", COMMENT), "/docs"],
])("%s, an invalid setting is reported with all else that is invalid", async (_, event, phrase) => {
  const invalid = { "trigger-phrase": phrase, comment: "maybe", wait: "maybe" };
  await expect(resolve(event, invalid)).rejects.toThrow(
    /^2 inputs are invalid:\n- wait: .*\n- com/,
  );
});

test("a person who may not make a request does not see what is invalid", async () => {
  const user = { login: "renovate[bot]", type: "Bot" };
  const event = contextOf("issue_comment", { ...COMMENT, comment: { ...COMMENT.comment, user } });
  const { resolved, counts } = await resolve(event, { "trigger-phrase": "/docs", wait: "maybe" });
  expect(resolved).toBeNull();
  expect(counts.has("wait")).toBe(false);
});

test("a comment in which the phrase does not count is skipped, whatever the settings are", async () => {
  const comment = { ...COMMENT.comment, body: "please /docs explain" };
  const event = contextOf("issue_comment", { ...COMMENT, comment });
  const inputs = { "trigger-phrase": "/docs", comment: "maybe" };
  expect((await resolve(event, inputs)).resolved).toBeNull();
});

test.each([
  ["without a phrase", "", true],
  ["for a request", "/docs", false],
])("%s, a bot is refused, and all inputs are checked before it: %s", async (_, phrase, isRead) => {
  const user = { login: "renovate[bot]", type: "Bot" };
  const event = contextOf("issue_comment", { ...COMMENT, comment: { ...COMMENT.comment, user } });
  const { resolved, counts } = await resolve(event, { "trigger-phrase": phrase });
  expect([resolved, counts.has("if-no-changes")]).toEqual([null, isRead]);
});

const LABEL = { action: "labeled", issue: { number: 7 }, sender: GUEST };
const MERGE = { action: "closed", pull_request: { number: 8, merged: true } };

test.each([
  ["a label", contextOf("issues", LABEL)],
  ["a merge", contextOf("pull_request", MERGE)],
])(
  "%s is skipped where the workflow takes requests only, and runs with a prompt",
  async (_, event) => {
    const inputs = { "trigger-phrase": "/docs", "prompt-file": "" };
    expect((await resolve(event, { ...inputs, wait: "maybe" })).resolved).toBeNull();
    const { resolved } = await resolve(event, { ...inputs, prompt: "Explain it." });
    expect(resolved?.inputs.task).toEqual({ type: "create", prompt: "Explain it." });
    const existing = await resolve(event, { ...inputs, "job-id": "job_1" });
    expect(existing.resolved?.inputs.task).toMatchObject({ type: "take-up", jobId: "job_1" });
  },
);

test("without a prompt, a run that somebody started by hand fails", async () => {
  const inputs = { "trigger-phrase": "/docs", "prompt-file": "" };
  await expect(resolve(contextOf("workflow_dispatch", {}), inputs)).rejects.toThrow(/prompt: /);
});
