import { expect, test } from "vitest";
import { resolveDefault } from "../../../emulator/runner/prepare-step.ts";

const github = {
  token: "ghs_x",
  api_url: "https://api.github.com",
  server_url: "https://github.com",
  repository: "octo/docs",
};

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["${{ github.token }}", "ghs_x"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["run-${{github.repository}}", "run-octo/docs"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["${{ toJSON(matrix) }}", '{\n  "page": "keys"\n}'],
  ["30", "30"],
])("the default %s resolves to %j", (value, expected) => {
  expect(resolveDefault(value, github, { page: "keys" })).toBe(expected);
});

test("without a matrix, toJSON(matrix) is null", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  expect(resolveDefault("${{ toJSON(matrix) }}", github, null)).toBe("null");
});

test("an unknown expression is an error", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  expect(() => resolveDefault("${{ env.HOME }}", github, null)).toThrow("env.HOME");
});
