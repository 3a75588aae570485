import { expect, test } from "vitest";
import type { FinishingFacts, JobMarker } from "../github/job-marker.ts";
import { type JobComment, mayStillWait, planSweep } from "./comments.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

const LATER: FinishingFacts = {
  waits: null,
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

test.each<[string, JobComment, boolean]>([
  ["a run that has left", commentOf(1), false],
  ["a run that waits", commentOf(1, {}, { waits: 55 * MINUTE }), true],
  ["a run whose time, and a margin, is over", commentOf(1, {}, { waits: 49 * MINUTE }), false],
  ["a run that starts a job and goes on", commentOf(1, {}, { waits: 0 }, NOW - MINUTE), true],
  ["a run that was killed as it did so", commentOf(1, {}, { waits: 0 }), false],
])("may still wait: %s", (_, comment, expected) => {
  expect(mayStillWait(comment, NOW)).toBe(expected);
});

test("every comment of a job that is open is finished with it, unless its run may still wait", () => {
  const found = [
    ...[commentOf(1), commentOf(2), commentOf(3, { job: "job_2" })],
    ...[commentOf(4, { ended: true }), commentOf(5, {}, { waits: 90 * MINUTE })],
  ];
  const { jobs, left } = planSweep(found, NOW);
  const ids = [...jobs].map(([job, comments]) => [job, comments.map(({ id }) => id)]);
  expect(ids).toEqual([
    ["job_1", [1, 2]],
    ["job_2", [3]],
  ]);
  expect(left).toBe(1);
});
