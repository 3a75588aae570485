import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { ActionError } from "../runtime/errors.ts";
import { parseRunInputs } from "./inputs.ts";

const CONTEXT = contextOf("workflow_dispatch");
const NEEDED = { "api-key": "mint_k3y", "project-id": "docs", prompt: "Explain." };

function parse(inputs: Record<string, string>, request: string | null = null) {
  const all: Record<string, string> = { ...NEEDED, ...inputs };
  const read = (name: string) => all[name] ?? "";
  return parseRunInputs(read, CONTEXT, request, null);
}

/** The message that refuses these inputs. */
function refusal(inputs: Record<string, string>): string {
  try {
    parse(inputs);
  } catch (error) {
    expect(error).toBeInstanceOf(ActionError);
    expect((error as ActionError).kind).toBe("invalid-input");
    return (error as ActionError).message;
  }
  throw new Error("Nothing was refused");
}

test("inputs that are left out have their defaults, durations in milliseconds", () => {
  expect(parse({})).toMatchObject({
    apiKey: "mint_k3y",
    keys: ["mint_k3y"],
    projectId: "docs",
    api: { version: "v2" },
    matrix: "",
    task: { type: "create", prompt: "Explain." },
    policy: { wait: true, timeout: 1_800_000, ifTimeout: "error", ifNoChanges: "ignore" },
    pace: { initial: 3_000, max: 15_000 },
    continueJob: true,
    includeContext: "auto",
    baseUrl: new URL("https://api.mintlify.com"),
    requiredPermission: "write",
    comment: true,
    issueNumber: null,
    allowedUsers: [],
    allowedBots: [],
    githubToken: "",
    githubApiUrl: new URL(CONTEXT.apiUrl),
  });
});

test.each([
  ["a prompt", {}, { type: "create", prompt: "Explain." }],
  [
    "a prompt and a job",
    { "job-id": " job_1 " },
    { type: "follow-up", jobId: "job_1", prompt: "Explain." },
  ],
  [
    "a job",
    { "job-id": "job_1", prompt: "" },
    { type: "take-up", jobId: "job_1", oldEndSince: null },
  ],
])("%s is the task", (_, inputs, task) => {
  expect(parse(inputs).task).toEqual(task);
});

test("a request by phrase is the prompt, or comes after it", () => {
  expect(parse({ prompt: "" }, "mention limits").task).toMatchObject({ prompt: "mention limits" });
  expect(parse({}, "mention limits").task).toMatchObject({ prompt: "Explain.\n\nmention limits" });
});

test("what is given is taken, in the unit that it is needed in", () => {
  const inputs = {
    wait: "false",
    "timeout-minutes": "0.5",
    "poll-interval-seconds": "1",
    "poll-max-interval-seconds": "60",
    "if-timeout": "warn",
    "if-no-changes": "error",
    "continue-job": "false",
    "include-context": "true",
    "base-url": "http://127.0.0.1:1/x",
    "issue-number": "12",
    comment: "false",
    "required-permission": "maintain",
    "github-token": " ghs_t0ken ",
    "api-version": "v1",
  };
  expect(parse(inputs)).toMatchObject({
    policy: { wait: false, timeout: 30_000, ifTimeout: "warn", ifNoChanges: "error" },
    pace: { initial: 1_000, max: 60_000 },
    continueJob: false,
    includeContext: "true",
    issueNumber: 12,
    comment: false,
    requiredPermission: "maintain",
    githubToken: "ghs_t0ken",
    api: { version: "v1" },
  });
  expect(parse(inputs).baseUrl.href).toBe("http://127.0.0.1:1/x");
});

test.each([
  ["job-id", "."],
  ["base-url", "http://api.example"],
  ["base-url", "https://user:s3cret@api.example"],
  ["issue-number", "#7"],
  ["required-permission", "owner"],
  ["api-version", "v3"],
  ["include-context", "yes"],
])("%s: %j is refused in one sentence that names it", (name, value) => {
  const message = refusal({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name}: .*must be .*\\.$`));
  expect(message).not.toContain("s3cret");
});

test("version 1 takes up a job, and sends it no message", () => {
  const v1 = { "api-version": "v1", "job-id": "session_1" };
  expect(parse({ ...v1, prompt: "" }).task).toEqual({
    type: "take-up",
    jobId: "session_1",
    oldEndSince: null,
  });
  expect(refusal(v1)).toMatch(/^job-id: "session_1" is not allowed together with a prompt/);
});

test("every wrong input is named in one go", () => {
  const inputs = {
    "api-key": "",
    "project-id": "",
    "job-id": "..",
    wait: "yes",
    "timeout-minutes": "0",
    "poll-interval-seconds": "soon",
    "issue-number": "x",
    branch: "main",
  };
  const message = refusal({ ...inputs, prompt: "x", "prompt-file": "y" });
  for (const name of [...Object.keys(inputs), "prompt-file"]) {
    expect(message).toContain(`\n- ${name}: `);
  }
});

const api = (inputs: Record<string, string>) => parse({ "api-version": "v1", ...inputs }).api;

test("without choices, a branch is named after the run and its attempt", () => {
  const branch = `docs-agent/run-${CONTEXT.runId}-${CONTEXT.attempt}`;
  const choices = { branch, asDraft: null, model: null, messages: [] };
  expect(api({})).toEqual({ version: "v1", choices });
});

test("choices are handed on", () => {
  const messages = [{ role: "system", content: "Be brief." }];
  const inputs = { branch: " docs/a ", "as-draft": "FALSE", model: "opus" };
  expect(api({ ...inputs, messages: JSON.stringify(messages) })).toMatchObject({
    choices: { branch: "docs/a", asDraft: false, model: "opus", messages },
  });
});

test("version 2 knows none of them, and each that is set is named", () => {
  const message = refusal({ branch: "a", "as-draft": "true", model: "opus", messages: "[]" });
  const line = '- branch: "a" is not allowed with api-version v2, only with v1.';
  expect(message).toContain(line);
  expect(message).toMatch(/\n- branch: .*\n- as-draft: .*\n- model: .*\n- messages: .*\.$/);
});

test("of another version only itself is refused", () => {
  expect(refusal({ branch: "a", "api-version": "v3" })).toBe(
    'api-version: "v3" is not allowed: it must be one of v2, v1.',
  );
});

test.each(["main", "docs/a.b", "feature/ü", "a-b_c", "@x"])("%j is a branch", (branch) => {
  expect(api({ branch }).choices.branch).toBe(branch);
});

const NO_BRANCH = [
  "a b",
  "a..b",
  "/a",
  "a/",
  "a//b",
  "-a",
  ".a",
  "a/.b",
  "a.",
  "a.lock",
  "a.lock/b",
  "a~",
  "a^",
  "a:b",
  "a?",
  "a*",
  "a[",
  "a\\b",
  "a@{b",
  "@",
  "a\u0007",
  "x".repeat(256),
];

test.each(NO_BRANCH)("%j is none", (branch) => {
  expect(refusal({ branch, "api-version": "v1" })).toMatch(
    /^branch: .*the name of a Git branch\.$/,
  );
});

test.each([
  ["not JSON", /not JSON/],
  ["{}", /JSON array/],
  ['"x"', /JSON array/],
  ["null", /JSON array/],
  ['[{"role":"user","content":"a"}, null]', /each role is one of/],
  ['[{"role":"robot","content":"a"}]', /each role is one of/],
  ['[{"role":"user","content":" "}]', /a non-empty string/],
  ['[{"role":"user","content":7}]', /a non-empty string/],
])("messages that are %s are refused", (messages, problem) => {
  const message = refusal({ messages, "api-version": "v1" });
  expect(message).toMatch(/^messages: .*[^.]\.$/);
  expect(message).toMatch(problem);
});
