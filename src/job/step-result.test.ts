import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { jobOf } from "../../test/support/job.ts";
import { ActionError } from "../runtime/errors.ts";
import type { EndedJob } from "../service/agent.ts";
import {
  linkOf,
  type Outcome,
  type Policy,
  resultMessage,
  stepResultOf,
  warnOfHiddenLink,
} from "./step-result.ts";

const POLICY: Policy = { wait: true, timeout: 90_000, ifTimeout: "error", ifNoChanges: "ignore" };
const LINK = "https://github.com/octo/docs/pull/42";
const HIDDEN = "http://github.internal.example/octo/docs/pull/42";

const ended = (status: EndedJob["status"], more: Parameters<typeof jobOf>[1] = {}): Outcome => ({
  type: "ended",
  job: jobOf(status, more),
  mayGetPull: false,
});
const RUNNING: Outcome = { type: "running", job: jobOf("active") };
const UNKNOWN: Outcome = { type: "unknown", job: jobOf(null) };

test.each([
  [null, false, null],
  [" \n", false, null],
  [LINK, false, LINK],
  [HIDDEN, true, null],
  ["javascript:alert(1)", true, null],
])("a pull request given as %j: there is one that is hidden: %s, shown: %j", (prLink, is, link) => {
  const job = jobOf("completed", { prLink });
  const { log, lines } = dependenciesOf();
  warnOfHiddenLink(job, log);
  expect([lines.length > 0, linkOf(job)]).toEqual([is, link]);
});

test("a pull request: all is well, and the words fit one that was there before", () => {
  const result = stepResultOf(ended("completed", { prLink: LINK }), POLICY);
  expect(result).toEqual({
    severity: "ok",
    kind: null,
    headline: "completed with a pull request",
    detail: null,
    quote: null,
    advice: "Review it before you merge it.",
  });
});

test.each([
  ["ignore", "ok", null],
  ["warn", "warning", null],
  ["error", "error", "no-changes"],
] as const)("no pull request with if-no-changes: %s is %s", (ifNoChanges, severity, kind) => {
  const policy = { ...POLICY, ifNoChanges };
  expect(stepResultOf(ended("completed"), policy)).toMatchObject({
    severity,
    kind,
    headline: "completed without a pull request",
    detail: expect.stringMatching(/may have found nothing to change or, .*directly/),
    advice: expect.stringContaining("dashboard"),
  });
  // It is one, whether or not its address can be shown.
  for (const prLink of [LINK, HIDDEN]) {
    expect(stepResultOf(ended("completed", { prLink }), policy).severity).toBe("ok");
  }
});

test("archived: green with a warning, and whether it was done is left open", () => {
  const result = stepResultOf(ended("archived"), POLICY);
  expect(result).toMatchObject({
    severity: "warning",
    kind: null,
    headline: "the job was archived",
  });
  expect(resultMessage(result)).toMatch(
    /^An archived job does not continue, even if its work is not done\. .*start a new job\.$/,
  );
  expect(stepResultOf(ended("archived", { prLink: LINK }), POLICY).advice).toBeNull();
});

test("failed: an error, with the reasons that are known", () => {
  expect(stepResultOf(ended("failed"), POLICY)).toMatchObject({
    severity: "error",
    kind: "job-failed",
    quote: null,
    detail: expect.stringContaining("an unrecoverable error"),
  });
  const failure = { problem: "It was interrupted.", advice: "Run again." };
  const result = stepResultOf(ended("failed", { failure, message: "I could not push" }), POLICY);
  expect(result).toMatchObject({
    quote: "I could not push",
    detail: failure.problem,
    advice: failure.advice,
  });
  expect(resultMessage(result)).toBe("I could not push. It was interrupted. Run again.");
});

test.each([
  [RUNNING, "still running at the time limit", /was still running after 1 min 30 s/],
  [
    UNKNOWN,
    "status unknown at the time limit",
    /the last poll failed, .*from before the follow-up/,
  ],
])("the time limit: $type", (outcome, headline, detail) => {
  const result = stepResultOf(outcome, POLICY);
  expect(result).toMatchObject({ severity: "error", kind: "timeout", headline });
  expect(result.detail).toMatch(detail);
  expect(result.detail).toContain("`timeout-minutes`");
  expect(result.advice).toContain("`job-id`");
  expect(stepResultOf(outcome, { ...POLICY, ifTimeout: "warn" })).toMatchObject({
    severity: "warning",
    kind: null,
    headline,
  });
});

test("a job that is not waited for is being worked on, unless nothing is known of it", () => {
  const policy = { ...POLICY, wait: false };
  const result = stepResultOf(RUNNING, policy);
  expect(result).toMatchObject({ severity: "ok", headline: "the agent is working" });
  expect(result.advice).toContain("`job-id`");
  const unknown = stepResultOf(UNKNOWN, policy);
  expect(unknown).toMatchObject({ severity: "warning", kind: null });
  expect(unknown.headline).not.toContain("working");
  expect(unknown.detail).toMatch(/the poll failed, .*from before the follow-up/);
});

test("an error keeps its kind, its words and its advice", () => {
  const error = new ActionError("rate-limited", "It was answered 429.", "Run again later.");
  const result = stepResultOf({ type: "error", job: null, request: "refused", error }, POLICY);
  expect(result).toMatchObject({ severity: "error", kind: "rate-limited", quote: error.problem });
  expect(resultMessage(result)).toBe("It was answered 429. Run again later.");
});

test("an error without advice says how to take up the job, if one accepted the request", () => {
  const error = new ActionError("internal", "Unexpected error: x.");
  const outcome = { type: "error", job: null, error } as const;
  expect(stepResultOf({ ...outcome, request: "accepted" }, POLICY).advice).toContain("`job-id`");
  expect(stepResultOf({ ...outcome, request: "refused" }, POLICY).advice).toBeNull();
});
