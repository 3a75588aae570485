import fc from "fast-check";
import { expect, test } from "vitest";
import type { JobMarker } from "../github/conversation/job-marker.ts";
import { chooseEarlier, hasUnreportedJob } from "./resolve-task.ts";

const MARKER: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: false,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a",
};

const found = (id: number, more: Partial<JobMarker> = {}) => ({
  comment: { id, body: "", url: "" },
  marker: { ...MARKER, ...more },
});

test.each<[string, Partial<JobMarker>, boolean]>([
  ["a job that took the request, and has no end", {}, true],
  ["a job whose end is told", { ended: true }, false],
  ["no job", { job: "" }, false],
  ["a job that refused the request", { request: "refused" }, false],
  ["a job that may have received the request", { request: "uncertain" }, false],
])("%s: there is a job to go on with: %s", (_, more, expected) => {
  expect(hasUnreportedJob({ ...MARKER, ...more })).toBe(expected);
});

/** What is chosen of comments, newest first; an attempt of 2 is this one. */
async function chosen(comments: ReturnType<typeof found>[]) {
  async function* given() {
    yield* comments;
  }
  return await chooseEarlier(given(), ({ attempt }) => attempt < 2);
}

test("the newest comment of an earlier attempt counts, unless an older one has a job whose end nobody was told", async () => {
  const ended = (id: number) => found(id, { ended: true });
  expect((await chosen([found(4, { attempt: 2 }), ended(3), ended(2)]))?.comment.id).toBe(3);
  expect((await chosen([ended(3), found(2), found(1)]))?.comment.id).toBe(2);
});

test("whatever the comments say: a second job is started only if none is left unreported", async () => {
  const comment = fc.record({
    job: fc.constantFrom("", "job_1", "job_2"),
    request: fc.constantFrom("accepted", "refused", "uncertain"),
    ended: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(comment, { maxLength: 6 }), async (given) => {
      const all = given.map((more, id) => found(id, more));
      const choice = await chosen(all);
      const isLeft = all.some(({ marker }) => hasUnreportedJob(marker));
      expect(choice !== null && hasUnreportedJob(choice.marker)).toBe(isLeft);
      expect(choice === null).toBe(all.length === 0);
    }),
  );
});
