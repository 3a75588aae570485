import { describe, expect, test } from "vitest";
import { DEFAULT_STEERING, steer, withoutOptions } from "../../emulator/service/agent/steering.ts";
import { serviceState } from "../../emulator/service/state.ts";

const steered = (prompt: string) => steer(prompt, DEFAULT_STEERING);

describe("steering by a line in a prompt", () => {
  test("a prompt without such a line has the default steering", () => {
    expect(steered("Say emulate: outcome=failed in the middle of a line")).toEqual(
      DEFAULT_STEERING,
    );
  });

  test("options of several lines are combined, and the last value of an option counts", () => {
    const prompt = "emulate: outcome=failed duration=200ms\nWrite.\n  EMULATE: duration=1.5s busy";
    expect(steered(prompt)).toEqual({
      ...DEFAULT_STEERING,
      outcome: "failed",
      durationMs: 1500,
      busy: true,
    });
  });

  test.each([
    ["duration=never", { durationMs: null }],
    ["duration=2m", { durationMs: 120_000 }],
    ["stale=1s", { staleMs: 1000 }],
    ["missing=45m", { missingMs: 2_700_000 }],
    ["link=1m", { linkMs: 60_000 }],
    ["hang", { hangs: true }],
    ["answer=firewall", { answer: "firewall" }],
    ["pr=https://example.com/?a=b", { pr: "https://example.com/?a=b" }],
  ])("%s sets %j", (option, expected) => {
    expect(steered(`emulate: ${option}`)).toEqual({ ...DEFAULT_STEERING, ...expected });
  });

  test.each(["outcome=good", "duration=5", "duration", "oucome=failed", "constructor=x"])(
    "%s is refused with an error that contains it",
    (option) => {
      expect(() => steered(`emulate: ${option}`)).toThrow(`'${option}'`);
    },
  );

  test("the prompt without options has no such lines", () => {
    expect(withoutOptions("Explain keys.\nemulate: outcome=failed\nAnd scopes.\n")).toBe(
      "Explain keys.\n\nAnd scopes.",
    );
  });
});

test("a seed with names that the service does not know is refused, and the error names them", () => {
  const seed = JSON.parse('{"fault": [], "steering": {"check": "green"}, "projects": []}');
  expect(() => serviceState(seed)).toThrow("It has no fault, steering.check.");
});
