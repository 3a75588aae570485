import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../test/support/arbitrary.ts";
import { ProxySettingsError } from "../net/proxy.ts";
import { ActionError, asActionError } from "./errors.ts";

test("a message is what happened, and what to do next", () => {
  expect(new ActionError("timeout", "It took too long.", "Run again.").message).toBe(
    "It took too long. Run again.",
  );
  expect(new ActionError("timeout", "It took too long.").message).toBe("It took too long.");
});

test("an error of the action's own stays as it is", () => {
  const error = new ActionError("timeout", "It took too long.");
  expect(asActionError(error)).toBe(error);
});

test("a proxy whose settings cannot be used is a wrong input", () => {
  const error = new ProxySettingsError("HTTPS_PROXY");
  expect(asActionError(error)).toMatchObject({ kind: "invalid-input", message: error.message });
});

test.each([
  ["an error", new TypeError("x is not a function\n    at y"), "x is not a function"],
  ["a text", "just a text\r\nof two lines", "just a text"],
  ["nothing", undefined, "undefined"],
])("%s that nobody expected is `internal`, on one line", (_, thrown, line) => {
  expect(asActionError(thrown)).toMatchObject({
    kind: "internal",
    problem: `Unexpected error: ${line}.`,
    cause: thrown,
    advice: expect.stringContaining("debug logging"),
  });
});

test("the message of anything that is thrown is one line", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      for (const thrown of [text, new Error(text)]) {
        expect(asActionError(thrown).message).not.toMatch(/[\r\n]/);
      }
    }),
  );
});
