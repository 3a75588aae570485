import { expect, test } from "vitest";
import {
  type ExpressionContext,
  resolveDefault,
} from "../../../emulator/runner/action-metadata.ts";

const context: ExpressionContext = {
  github: {
    token: "ghs_x",
    api_url: "https://api.github.com",
    server_url: "https://github.com",
    repository: "octo/docs",
  },
  matrix: { page: "keys" },
};

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["${{ github.token }}", "ghs_x"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["run-${{github.repository}}", "run-octo/docs"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  ["${{ toJSON(matrix) }}", '{\n  "page": "keys"\n}'],
  ["30", "30"],
])("the default %s is resolved", (value, expected) => {
  expect(resolveDefault(value, context)).toBe(expected);
});

test("a job without a matrix has the JSON null", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  expect(resolveDefault("${{ toJSON(matrix) }}", { ...context, matrix: null })).toBe("null");
});

test("an expression that is not known is an error", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's.
  expect(() => resolveDefault("${{ env.HOME }}", context)).toThrow("env.HOME");
});
