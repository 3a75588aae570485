import { expect, test } from "vitest";
import { readRecoverInputs } from "./recover.ts";

const recoverInputsOf = (inputs: Record<string, string>) =>
  readRecoverInputs((name) => inputs[name] ?? "");

test("a post step signs with the key, and reads what the one before it signed", () => {
  const inputs = { "api-key": "mint_new", "github-token": " ghs_t0ken\n" };
  expect(recoverInputsOf(inputs)).toEqual({
    ...{ apiKey: "mint_new", keys: ["mint_new"], githubToken: "ghs_t0ken" },
  });
  const both = { ...inputs, "previous-api-key": "mint_old " };
  expect(recoverInputsOf(both).keys).toEqual(["mint_new", "mint_old"]);
});
