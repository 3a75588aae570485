import { expect, test } from "vitest";
import { dependenciesOf, type TestDependencies } from "../../test/support/dependencies.ts";
import { connectClient } from "../../test/support/github-client.ts";
import { jobOf } from "../../test/support/job.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Connect } from "../github/api/connect.ts";
import { Patience } from "../github/api/patience.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import { pollContinued, pollExisting } from "../job/poll.ts";
import type { StepResult } from "../job/step-result.ts";
import { annotationsOf, RunReporter, type RunReporterOptions } from "./reporter.ts";

const TEXT = {
  headline: "completed with a pull request",
  detail: "It is done.",
  quote: null,
  advice: null,
};
const DONE: StepResult = { ...TEXT, severity: "ok", kind: null };
const FAILED: StepResult = { ...TEXT, severity: "error", kind: "job-failed" };
const LINK = "https://github.com/octo/docs/pull/1";

test.each<[string, StepResult, string | null, string | null, [string, string][]]>([
  [
    "success without a pull request",
    DONE,
    null,
    "job_1",
    [["info", "Completed with a pull request. It is done."]],
  ],
  [
    "success without a text",
    { ...DONE, detail: null },
    null,
    "job_1",
    [["info", "Completed with a pull request."]],
  ],
  ["success with a pull request", DONE, LINK, "job_1", [["notice", `Pull request: ${LINK}`]]],
  [
    "a warning",
    { ...DONE, severity: "warning" },
    null,
    "job_1",
    [["warning", "It is done. Job: job_1"]],
  ],
  ["an error without a job", FAILED, null, null, [["error", "It is done."]]],
  [
    "an error with a pull request",
    { ...FAILED, quote: "No disk", advice: "Try again." },
    LINK,
    "job_1",
    [
      ["error", "No disk. It is done. Try again. Job: job_1"],
      ["notice", `Pull request: ${LINK}`],
    ],
  ],
])("the log about %s", (_, result, link, id, expected) => {
  const annotations = annotationsOf(result, link, id);
  expect(annotations.map(({ level, text }) => [level, text])).toEqual(expected);
  for (const { title } of annotations) expect(title).toBe(TEXT.headline);
});

const MISTAKE = new TypeError("x is not a function");

/** A client of GitHub, in which every request about the comments of an issue is a mistake of the action. */
function mistakenIn(issue: number): Connect {
  const { server, connect } = connectClient();
  for (const method of ["GET", "POST"]) {
    server.on(`${method} /repos/octo/docs/issues/${issue}/comments`, () => {
      throw MISTAKE;
    });
  }
  return connect;
}

/** The parts of a run that was requested by phrase in issue 7. */
function partsOf(dependencies: TestDependencies, connect: Connect): RunReporterOptions {
  return {
    settings: {
      api: "v2",
      projectId: "docs",
      policy: { wait: true, timeout: 60_000, ifTimeout: "warn", ifNoChanges: "ignore" },
      baseUrl: "https://service.test",
      phrase: "/docs",
      feedback: {
        place: { repository: "octo/docs", issue: 7 },
        reactionTarget: null,
        repository: "octo/docs",
        draft: "1001-1-x",
      },
      step: { run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" },
      startedAt: 0,
    },
    markers: jobMarkers(["mint_x"], "docs"),
    context: contextOf("issue_comment"),
    connect,
    patience: new Patience(dependencies),
    dependencies,
  };
}

test.each([
  ["the client", () => Promise.reject(MISTAKE)],
  ["the comment", mistakenIn(7)],
  ["the invitation", mistakenIn(8)],
])("a mistake in %s is passed on, and leaves nothing to the post step", async (_, connect) => {
  const dependencies = dependenciesOf();
  const reporter = new RunReporter(partsOf(dependencies, connect));
  reporter.save({ progress: { request: "accepted", jobId: "job_1" } });
  const job = jobOf("active", { prLink: "https://github.com/octo/docs/pull/8" });
  await expect(reporter.finish({ type: "running", job })).rejects.toBe(MISTAKE);
  expect(dependencies.outputs.states.at(-1)).toBeNull();
});

test.each([
  ["without a status", "", true],
  ["with a status that may be the old one", "completed", true],
  ["with a status that is unknown", "queued", true],
  ["by a job that is at work", "active", false],
])(
  "a follow-up that was answered %s: the post step knows whether an end may be old",
  (_, status, mayBeOld) => {
    const dependencies = dependenciesOf();
    const parts = partsOf(dependencies, connectClient().connect);
    const feedback = { ...parts.settings.feedback, place: null };
    const reporter = new RunReporter({ ...parts, settings: { ...parts.settings, feedback } });
    reporter.running(pollContinued(jobOf(status), 0));
    const oldEndSince = mayBeOld ? dependencies.clock.timeOfDay() : null;
    expect(dependencies.outputs.states.at(-1)).toMatchObject({
      progress: { request: "accepted" },
      oldEndSince,
    });
    reporter.polled(pollExisting("job_1"));
    expect(dependencies.outputs.states.at(-1)).toMatchObject({ oldEndSince: null });
  },
);

test.each([
  ["at work", "running", "⏳"],
  ["unknown", "unknown", "⚠️"],
] as const)(
  "without waiting, the summary of a job that is %s has its icon",
  async (_, type, icon) => {
    const dependencies = dependenciesOf();
    const parts = partsOf(dependencies, connectClient().connect);
    const { settings } = parts;
    const policy = { ...settings.policy, wait: false };
    const feedback = { ...settings.feedback, place: null };
    const reporter = new RunReporter({ ...parts, settings: { ...settings, policy, feedback } });
    expect(await reporter.finish({ type, job: jobOf("active") })).toBe(false);
    const summary = dependencies.lines.find((line) => line.startsWith("summary: "));
    expect(summary).toMatch(new RegExp(`^summary: ### ${icon} `));
  },
);
