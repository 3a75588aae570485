import fc from "fast-check";
import { expect, test } from "vitest";
import type { JobMarker } from "../github/job-marker.ts";
import { chooseEarlier, hasUnreportedJob } from "./resolve-task.ts";

const MARKER: JobMarker = {
  ...{ job: "job_1", api: "v2", request: "accepted", ended: false },
  ...{ run: "1001", attempt: 1, step: "write-docs/docs", asks: "a" },
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

test("without a comment there is no earlier attempt", () => {
  expect(chooseEarlier([])).toBeNull();
});

test("the newest comment counts, unless an older one has a job whose end nobody was told", () => {
  const ended = (id: number) => found(id, { ended: true });
  expect(chooseEarlier([ended(3), ended(2)])?.comment.id).toBe(3);
  expect(chooseEarlier([ended(3), found(2), found(1)])?.comment.id).toBe(2);
});

test("whatever the comments say: a second job is started only if none is left unreported", () => {
  const comment = fc.record({
    job: fc.constantFrom("", "job_1", "job_2"),
    request: fc.constantFrom("accepted", "refused", "uncertain"),
    ended: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(comment, { maxLength: 6 }), (given) => {
      const all = given.map((more, id) => found(id, more));
      const chosen = chooseEarlier(all);
      const isLeft = all.some(({ marker }) => hasUnreportedJob(marker));
      expect(chosen !== null && hasUnreportedJob(chosen.marker)).toBe(isLeft);
      expect(chosen === null).toBe(all.length === 0);
    }),
  );
});
