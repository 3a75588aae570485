import fc from "fast-check";
import { expect, test } from "vitest";
import type { FinishingFacts, JobMarker } from "../github/job-marker.ts";
import { type JobComment, mayStillWait, planSweep } from "./plan-sweep.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

const LATER: FinishingFacts = {
  waits: null,
  requestedAt: NOW - 60 * MINUTE,
  isRequest: true,
  isByPhrase: true,
  mayBeOld: false,
  ifNoChanges: "ignore",
  notes: [],
  reaction: null,
};

function commentOf(
  id: number,
  marker: Partial<JobMarker> = {},
  later: Partial<FinishingFacts> | null = {},
  updatedAt = NOW - 60 * MINUTE,
): JobComment {
  return {
    ...{ id, url: `https://github.com/octo/docs/issues/7#issuecomment-${id}`, digest: "" },
    place: { repository: "octo/docs", issue: 7 },
    updatedAt,
    marker: {
      ...{ job: "job_1", api: "v2", request: "accepted", ended: false },
      ...{ run: String(id), attempt: 1, step: "docs/1", asks: "x" },
      ...marker,
      ...(later && { later: { ...LATER, ...later } }),
    },
  };
}

function told(found: readonly JobComment[], now = NOW) {
  const { jobs, superseded, left } = planSweep(found, now);
  return {
    jobs: [...jobs.values()].map((comments) => comments.map(({ id }) => id)),
    superseded: superseded.map(({ comment, by }) => [comment.id, by.id]),
    left,
  };
}

test.each<[string, JobComment, boolean]>([
  ["a run that has left", commentOf(1), false],
  ["a run that waits", commentOf(1, {}, { waits: 55 * MINUTE }), true],
  ["a run whose time, and a margin, is over", commentOf(1, {}, { waits: 49 * MINUTE }), false],
  ["a run that starts a job and goes on", commentOf(1, {}, { waits: 0 }, NOW - MINUTE), true],
  ["a run that was killed as it did so", commentOf(1, {}, { waits: 0 }), false],
  ["a run of an earlier version, in its first hours", commentOf(1, {}, null), true],
  ["a run of an earlier version, later", commentOf(1, {}, null, NOW - 400 * MINUTE), false],
])("may still wait: %s", (_, comment, expected) => {
  expect(mayStillWait(comment, NOW)).toBe(expected);
});

test("each comment of a job that is open is finished with it", () => {
  const found = [commentOf(1), commentOf(2, { job: "job_2" }), commentOf(3, { ended: true })];
  expect(told(found)).toEqual({ jobs: [[2]], superseded: [[1, 3]], left: 0 });
});

test("of several requests, only the last one's comment gets the job's end", () => {
  const [first, last] = [{ requestedAt: NOW - 9 * MINUTE }, { requestedAt: NOW - 8 * MINUTE }];
  const expected = { jobs: [[1]], superseded: [[2, 1]], left: 0 };
  // A run that was attempted again asks later in an older comment.
  expect(told([commentOf(1, {}, last), commentOf(2, {}, first)])).toEqual(expected);
});

test("a run that only waited replaces no request, and is told the same", () => {
  const waited = commentOf(2, {}, { isRequest: false, requestedAt: NOW - MINUTE });
  expect(told([commentOf(1), waited])).toEqual({ jobs: [[1, 2]], superseded: [], left: 0 });
});

test("an invitation replaces no request", () => {
  const invitation = commentOf(2, { ended: true }, null);
  expect(told([commentOf(1), invitation])).toEqual({ jobs: [[1]], superseded: [], left: 0 });
});

test("a request that its run waits for replaces the one before", () => {
  const waiting = commentOf(2, {}, { waits: 90 * MINUTE, requestedAt: NOW });
  expect(told([commentOf(1), waiting])).toEqual({ jobs: [], superseded: [[1, 2]], left: 1 });
});

test("comments of earlier versions go by their order", () => {
  const old = NOW - 700 * MINUTE;
  const found = [commentOf(1, {}, null, old), commentOf(2, {}, null, old)];
  expect(told(found)).toEqual({ jobs: [[2]], superseded: [[1, 2]], left: 0 });
});

test("every open comment has one fate, and no job is without the comment of its last request", () => {
  const comment = fc.record({
    job: fc.constantFrom("a", "b"),
    ended: fc.boolean(),
    isRequest: fc.boolean(),
    requestedAt: fc.integer({ min: 0, max: 3 }),
    waits: fc.constantFrom(null, 0, 90 * MINUTE),
  });
  fc.assert(
    fc.property(fc.array(comment, { maxLength: 8 }), (given) => {
      const found = given.map(({ job, ended, ...later }, index) =>
        commentOf(index, { job, ended }, later),
      );
      const { jobs, superseded, left } = planSweep(found, NOW);
      const polled = [...jobs.values()].flat();
      const open = found.filter(({ marker }) => !marker.ended);
      expect(polled.length + superseded.length + left).toBe(open.length);
      for (const { comment, by } of superseded) {
        expect(by.marker.job).toBe(comment.marker.job);
        expect(by.marker.later?.requestedAt ?? 0).toBeGreaterThanOrEqual(
          comment.marker.later?.requestedAt ?? 0,
        );
        expect(by.marker.later?.isRequest).toBe(true);
      }
      for (const { marker } of polled) expect(marker.ended).toBe(false);
    }),
  );
});
