import fc from "fast-check";
import { expect, test } from "vitest";
import type { JobMarker } from "../github/conversation/job-marker.ts";
import type { JobTask } from "../job/send.ts";
import { known } from "../runtime/fact.ts";
import {
  chooseEarlier,
  hasUnreportedJob,
  isContextWanted,
  mayContinue,
  noteOfNewJob,
  versionObstacle,
} from "./resolve-task.ts";

const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: null,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a",
};

const commentWith = (id: number, more: Partial<JobMarker> = {}) => ({
  comment: { id, body: "", url: "", updatedAt: 0 },
  marker: { ...MARKER, ...more },
});

test.each<[string, Partial<JobMarker>, boolean]>([
  ["a job that took the request, and has no end", {}, true],
  ["a job whose end is reported", { ended: "unknown" }, false],
  ["no job", { job: null }, false],
  ["a job that refused the request", { request: "refused" }, false],
  ["a job that may have received the request", { request: "uncertain" }, false],
])("%s: there is a job to go on with: %s", (_, more, expected) => {
  expect(hasUnreportedJob({ ...MARKER, ...more })).toBe(expected);
});

/** Chooses among comments, newest first; attempt 2 is the current one. */
async function chosen(comments: ReturnType<typeof commentWith>[]) {
  async function* newestFirst() {
    yield* comments.map(known);
  }
  return await chooseEarlier(newestFirst(), ({ attempt }) => attempt < 2);
}

test("the newest comment of an earlier attempt counts, unless an older one has an unreported job", async () => {
  const ended = (id: number) => commentWith(id, { ended: "unknown" });
  expect(await chosen([commentWith(4, { attempt: 2 }), ended(3), ended(2)])).toMatchObject({
    value: { comment: { id: 3 } },
  });
  expect(await chosen([ended(3), commentWith(2), commentWith(1)])).toMatchObject({
    value: { comment: { id: 2 } },
  });
});

test("for any comments, a second job is started only if no job is unreported", async () => {
  const comment = fc.record({
    job: fc.constantFrom("", "job_1", "job_2"),
    request: fc.constantFrom("accepted", "refused", "uncertain"),
    ended: fc.constantFrom(null, "completed", "archived", "failed", "unknown"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(comment, { maxLength: 6 }), async (changes) => {
      const all = changes.map((more, id) => commentWith(id, more));
      const choice = await chosen(all);
      const isUnreported = all.some(({ marker }) => hasUnreportedJob(marker));
      expect(choice.type === "known" && hasUnreportedJob(choice.value.marker)).toBe(isUnreported);
      expect(choice.type === "absent").toBe(all.length === 0);
    }),
  );
});

const CREATE: JobTask = { type: "create", prompt: "Explain." };
const FOLLOW_UP: JobTask = { type: "follow-up", jobId: "job_1", prompt: "More." };

test.each([
  ["a request", CREATE, { isNew: false }, true, true],
  ["a request for a new job", CREATE, { isNew: true }, true, false],
  ["a request, if the workflow says no", CREATE, { isNew: false }, false, false],
  ["a run without a request", CREATE, null, true, false],
  ["a request with a job in the workflow", FOLLOW_UP, { isNew: false }, true, false],
])(
  "%s: the conversation's job may be continued: %4$s",
  (_, task, request, continueJob, expected) => {
    expect(mayContinue(task, request, continueJob)).toBe(expected);
  },
);

test.each([
  ["auto", true, true],
  ["auto", false, false],
  ["true", false, true],
  ["false", true, false],
] as const)("include-context %s, by phrase %s: %s", (includeContext, isByPhrase, expected) => {
  expect(isContextWanted(includeContext, isByPhrase)).toBe(expected);
});

test.each([
  ["v2", "v2", null],
  ["v2", "v1", "was started with version 1 of the agent API"],
  ["v1", "v2", "cannot receive messages through version 1 of the agent API"],
  ["v1", "v1", "cannot receive messages through version 1 of the agent API"],
] as const)("a run with %s, a job of %s: the obstacle is %s", (api, startedWith, obstacle) => {
  expect(versionObstacle(api, startedWith)).toBe(obstacle);
});

test("the note names the obstacle", () => {
  expect(noteOfNewJob("has a merged pull request")).toBe(
    "The job of this conversation has a merged pull request, so a new job was started.",
  );
});
