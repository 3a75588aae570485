import { expect, test } from "vitest";
import { readApi } from "./v1.ts";

const RUN = { runId: "1001", attempt: 2 };
const apiOf = (inputs: Record<string, string>, version = "v1") =>
  readApi((name) => ({ "api-version": version, ...inputs })[name] ?? "", RUN);

test("without choices, a branch is named after the run and its attempt", () => {
  expect(apiOf({})).toEqual({
    problems: [],
    api: {
      version: "v1",
      choices: { branch: "docs-agent/run-1001-2", asDraft: null, model: null, messages: [] },
    },
  });
});

test("choices are handed on", () => {
  const messages = [{ role: "system", content: "Be brief." }];
  const inputs = {
    ...{ branch: " docs/a ", "as-draft": "FALSE", model: "Opus" },
    messages: JSON.stringify(messages),
  };
  expect(apiOf(inputs).api).toMatchObject({
    choices: { branch: "docs/a", asDraft: false, model: "opus", messages },
  });
  expect(apiOf({ "as-draft": "true" }).api).toMatchObject({ choices: { asDraft: true } });
});

test("version 2 knows none of them, and each that is set is named", () => {
  expect(apiOf({}, "v2")).toEqual({ api: { version: "v2" }, problems: [] });
  const inputs = { branch: "a", "as-draft": "true", model: "opus", messages: "[]" };
  const { problems } = apiOf(inputs, "v2");
  expect(problems.map((it) => it.split(":")[0])).toEqual(Object.keys(inputs));
  expect(problems[0]).toMatch(/only v1 supports this input/);
});

test("of another version only itself is refused", () => {
  const { problems } = apiOf({ branch: "a" }, "v3");
  expect(problems).toEqual(['api-version: "v3" is not allowed: it must be one of v2, v1.']);
});

test.each(["main", "docs/a.b", "feature/ü", "a-b_c", "@x"])("%j is a branch", (branch) => {
  expect(apiOf({ branch }).problems).toEqual([]);
});

const NO_BRANCH = [
  ...["a b", "a..b", "/a", "a/", "a//b", "-a", ".a", "a/.b", "a.", "a.lock", "a.lock/b"],
  ...["a~", "a^", "a:b", "a?", "a*", "a[", "a\\b", "a@{b", "@", "a\u0007", "x".repeat(256)],
];

test.each(NO_BRANCH)("%j is none", (branch) => {
  expect(apiOf({ branch }).problems[0]).toMatch(/^branch: .*the name of a Git branch\.$/);
});

test.each([
  ["not JSON", /not JSON/],
  ["{}", /JSON array/],
  ['"x"', /JSON array/],
  ["null", /JSON array/],
  ['[{"role":"user","content":"a"}, null]', /^messages: item 2, "null"/],
  ['[{"role":"robot","content":"a"}]', /^messages: item 1/],
  ['[{"role":"user","content":" "}]', /^messages: item 1/],
  ['[{"role":"user","content":7}]', /^messages: item 1/],
])("messages that are %s are refused", (messages, problem) => {
  const { problems } = apiOf({ messages });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
  expect(problems[0]).toMatch(/[^.]\.$/);
});

test("everything that is wrong is named in one go", () => {
  const inputs = { branch: "a b", "as-draft": "yes", model: "gpt", messages: "x" };
  expect(apiOf(inputs).problems.map((it) => it.split(":")[0])).toEqual(Object.keys(inputs));
});
