import { expect, test } from "vitest";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import type { Build } from "../service/builds.ts";
import { deployMessage } from "./report-text.ts";
import { type DeployOutcome, type DeployPolicy, deployResult, killedResult } from "./result.ts";

const POLICY: DeployPolicy = { target: { type: "deployment" }, wait: true, timeout: 900_000 };

function buildOf(status: string): Build {
  return { status, summary: "It broke.", logs: ["line 1", "line 2"], commit: null };
}

const refused = new ActionError("forbidden", "The service said no.", "Check the key.");
const lost = new ActionError("service-unavailable", "It was lost.", "Run again.");

test.each<[string, DeployOutcome, object, Partial<DeployPolicy>?]>([
  ["a success", { type: "ended", build: buildOf("success") }, { kind: null, state: "success" }],
  [
    "a failure",
    { type: "ended", build: buildOf("failure") },
    { kind: "build-failed", state: "failure", quote: "It broke.\nline 1\nline 2" },
  ],
  [
    "a run that does not wait",
    { type: "running", build: null },
    { kind: null, severity: "ok", state: null },
    { wait: false },
  ],
  [
    "the time limit",
    { type: "running", build: buildOf("queued") },
    { kind: "timeout", state: null },
  ],
  [
    "a failed last poll",
    { type: "unknown", build: buildOf("in_progress") },
    { kind: "timeout", state: null },
  ],
  [
    "a refused build",
    { type: "not-started", isRefused: true, error: refused },
    { kind: "forbidden", state: "failure" },
  ],
  [
    "a lost request",
    { type: "not-started", isRefused: false, error: lost },
    { kind: "service-unavailable", state: "error" },
  ],
  [
    "polls that fail",
    { type: "error", build: null, error: lost },
    { kind: "service-unavailable", state: "error" },
  ],
  [
    "a cancelled run",
    { type: "error", build: null, error: cancelledRun() },
    { kind: "cancelled", state: "error", detail: expect.stringContaining("continues") },
  ],
  [
    "a run that is cancelled before the answer",
    { type: "not-started", isRefused: false, error: cancelledRun() },
    { kind: "cancelled", state: "error", detail: expect.stringContaining("may have been started") },
  ],
])("%s", (_, outcome, expected, policy = {}) => {
  expect(deployResult(outcome, { ...POLICY, ...policy })).toMatchObject(expected);
});

test("the message of a failed build has no log, and says what to do", () => {
  const result = deployResult({ type: "ended", build: buildOf("failure") }, POLICY);
  expect(deployMessage(result)).toMatch(/^The documentation could not be built\. Correct/);
});

test("a killed run says whether the build was accepted", () => {
  expect(killedResult(true).detail).toContain("continues on the service");
  expect(killedResult(false).detail).toContain("may have been started");
});
