import { describe, expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { comment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { MARKER } from "../support/world/conversation.ts";
import { POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { leaveJob } from "../support/world/requests.ts";
import { CREATE_V1, created, HALTED_WELL, halted, POLL_V1 } from "../support/world/sessions.ts";
import { startWorld } from "../support/world/world.ts";

interface Ending {
  job: object;
  inputs?: Record<string, string>;
  /** The job is a session of version 1. */
  isV1?: boolean;
  /** Part of the sweep's log. */
  logged?: string;
  trigger?: Pick<RunOptions, "eventName" | "event">;
}

const ENDINGS: Record<string, Ending> = {
  "a pull request": { job: record("completed", { prLink: PR_LINK }) },
  "a pull request elsewhere": {
    job: record("completed", { prLink: "https://github.com/octo/other/pull/3" }),
  },
  "a pull request that cannot be shown": {
    job: record("completed", { prLink: "javascript:alert(1)" }),
    logged: "There is a pull request, but its URL is not shown",
  },
  "no changes": { job: record("completed") },
  "no changes, with if-no-changes: warn": {
    job: record("completed"),
    inputs: { "if-no-changes": "warn" },
  },
  "no changes, with if-no-changes: error": {
    job: record("completed"),
    inputs: { "if-no-changes": "error" },
  },
  "a failure": { job: record("failed") },
  "an archived job": { job: record("archived") },
  "a job without a phrase": {
    job: record("completed", { prLink: PR_LINK }),
    inputs: { prompt: "Document it.", "trigger-phrase": "" },
  },
  "a session with a message": { isV1: true, job: HALTED_WELL },
  "a session that failed": {
    isV1: true,
    job: halted("github_missconfigured", { messageToUser: "I cannot push." }),
  },
};

/** The text without the marker, and without the duration, which only a run that waits knows. */
function untimed(body: string): string {
  const text = body.replace(MARKER, "").trimEnd();
  return text.replace(/ · Took [^·\n]*(?= ·|$)/m, "");
}

describe("a sweep writes the same comments and reactions as a run that waits, for", () => {
  test.each(someOf(Object.entries(ENDINGS)))("%s", async (_, ending) => {
    const { job, inputs = {}, isV1, logged = "" } = ending;
    const version: Record<string, string> = isV1 ? { "api-version": "v1" } : {};
    const written = async (isWaiting: boolean) => {
      await using world = await startWorld(WITH_JOB);
      world.on(CREATE_V1, created()).on(POLL_V1, json(200, job));
      world.on(POLL, json(200, job));
      await world.run(
        "root",
        leaveJob({ fastClock: 60, inputs: { ...inputs, ...version, wait: String(isWaiting) } }),
      );
      if (!isWaiting) {
        const first = await world.run("collect");
        await world.passTime();
        // What has no pull request in one poll is polled again by the next sweep.
        const isFinished = first.outputs.finishedCount === "1";
        const { exitCode, stdout, outputs } = isFinished ? first : await world.run("collect");
        expect(exitCode, stdout).toBe(0);
        expect(outputs.finishedCount).toBe("1");
        expect(stdout).toContain(logged);
      }
      const texts = [...world.comments(7), ...world.comments(9)];
      return { texts: texts.map(({ body }) => untimed(body)), reactions: world.reactions() };
    };
    expect(await written(false)).toEqual(await written(true));
  });
});

test("a sweep keeps the note that a run wrote into its comment", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  world.on(POLL, json(404, { error: "no such job" }));
  await world.run(
    "root",
    leaveJob({ ...comment("/docs And the errors.", { id: 556 }), runId: "1002" }),
  );
  world.on(POLL, json(200, record("completed", { prLink: PR_LINK })));
  await world.run("collect");
  const [, second] = world.comments(7);
  expect(second?.body).toContain("is no longer known to the service, so a new job was started");
  expect(second?.body).toContain("completed with a pull request");
});
