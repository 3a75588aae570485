import { expect, test } from "vitest";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { readPrompt, withRequest } from "./prompt.ts";

/** What is made of these inputs, in a workspace with one file. */
function promptOf(inputs: Record<string, string>, request = "") {
  using workspace = makeWorkspace();
  workspace.write("prompt.md", "From a file.\n");
  return readPrompt((name) => inputs[name] ?? "", workspace.path, request, inputs["job-id"] ?? "");
}

test("a prompt is handed on byte for byte", () => {
  const prompt = "  Explain `x`.\r\n\n";
  expect(promptOf({ prompt })).toEqual({ text: prompt, problems: [] });
});

test("a prompt may come from a file", () => {
  const inputs = { "prompt-file": " prompt.md " };
  expect(promptOf(inputs)).toEqual({ text: "From a file.\n", problems: [] });
  // An expression that came to nothing is no second instruction.
  expect(promptOf({ prompt: "\n", ...inputs }).text).toBe("From a file.\n");
});

test("what was asked for by phrase comes after it, or alone", () => {
  expect(promptOf({ prompt: "Be brief.\n" }, "mention limits").text).toBe(
    "Be brief.\n\nmention limits",
  );
  expect(promptOf({ "prompt-file": "prompt.md" }, "more").text).toBe("From a file.\n\nmore");
  expect(promptOf({}, "mention limits").text).toBe("mention limits");
  expect(withRequest(" \n", "more")).toBe("more");
  expect(withRequest("as it is ", "")).toBe("as it is ");
});

test("with a job there need be no prompt", () => {
  expect(promptOf({ "job-id": "job_1" })).toEqual({ text: null, problems: [] });
  expect(promptOf({ "job-id": "job_1", prompt: "more" }).text).toBe("more");
});

test.each([
  [{ prompt: "" }, "prompt: an empty value is not allowed"],
  [{ prompt: " \n" }, 'prompt: " \\n" is not allowed'],
  [{ prompt: " ", "job-id": "job_1" }, 'prompt: " " is not allowed'],
  [{ prompt: "x", "prompt-file": "prompt.md" }, "not allowed together with prompt"],
  [{ "prompt-file": "none.md" }, 'prompt-file: "none.md" does not exist'],
])("%j is one problem, in a sentence that ends", (inputs, problem) => {
  const { text, problems } = promptOf(inputs);
  expect(text).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).toMatch(/[^.?][.?]$/);
});
