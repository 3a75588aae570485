import { describe, expect, test } from "vitest";
import {
  accepted,
  change,
  EMPTY,
  intendedBatch,
  LINK,
  polled,
  RULES,
  refusedBy,
  revision,
  runningBatch,
  task,
} from "../../../test/support/ledger-examples.ts";
import { recordRequest } from "./batches.ts";
import { applyDecision } from "./decisions.ts";
import { goOn, liftHalt, NO_FAILURES } from "./failures.ts";
import type { Ledger } from "./ledger.ts";
import { takePoll } from "./polls.ts";
import type { BatchRevision } from "./revision.ts";

const REJECTED = refusedBy("content");

/** Jobs that end one after the other, each of a batch of its own, `b0` to …. */
function afterJobs(ends: readonly Parameters<typeof polled>[0][], maxFailures = 3): BatchRevision {
  const batches = ends.map((_, nth) => runningBatch(`b${nth}`, [change(nth)]));
  const begun = revision({ ...EMPTY, batches }, { rules: { ...RULES, maxFailures } });
  return ends.reduce((before, end, nth) => takePoll(before, `b${nth}`, polled(end, LINK)), begun);
}

/** Tasks that the service refuses or accepts, one after the other. */
function afterRequests(...results: ("rejected" | "accepted")[]): BatchRevision {
  const batches = results.map((_, nth) => intendedBatch(`b${nth}`, [task(`${nth}`)]));
  return results.reduce(
    (before, result, nth) =>
      recordRequest(before, `b${nth}`, result === "rejected" ? REJECTED : accepted()),
    revision({ ...EMPTY, action: "queue", batches }),
  );
}

const HALT = { type: "failed", id: "halt b2", count: 3, jobId: "job-b2" } as const;

describe("failed jobs", () => {
  test.each<[string, Parameters<typeof polled>[0][], number, Ledger["failures"]]>([
    ["two", ["failed", "failed"], 3, { jobs: 2, refusals: 0, halt: null }],
    ["three in a row", ["failed", "failed", "failed"], 3, { jobs: 3, refusals: 0, halt: HALT }],
    [
      "three with one that completed between",
      ["failed", "completed", "failed", "failed"],
      3,
      { jobs: 2, refusals: 0, halt: null },
    ],
    [
      "three with one at work between",
      ["failed", "failed", "running", "failed"],
      3,
      { jobs: 3, refusals: 0, halt: { ...HALT, id: "halt b3", jobId: "job-b3" } },
    ],
    [
      "more than enough",
      ["failed", "failed", "failed", "failed"],
      3,
      { jobs: 4, refusals: 0, halt: HALT },
    ],
    [
      "enough before one that completed",
      ["failed", "failed", "failed", "completed"],
      3,
      { jobs: 0, refusals: 0, halt: HALT },
    ],
    [
      "one, if that is enough",
      ["failed"],
      1,
      { jobs: 1, refusals: 0, halt: { ...HALT, id: "halt b0", count: 1, jobId: "job-b0" } },
    ],
    ["none", ["completed"], 3, NO_FAILURES],
  ])("%s", (_, ends, most, expected) => {
    expect(afterJobs(ends, most).ledger.failures).toEqual(expected);
  });

  test("that halt are an event, once", () => {
    const { events } = afterJobs(["failed", "failed", "failed", "failed"]);
    expect(events.filter((event) => event === "Stop after 3 failed jobs in a row")).toHaveLength(1);
    const refused = afterRequests("rejected", "rejected", "rejected");
    expect(refused.events.at(-1)).toBe("Stop after 3 refused tasks in a row");
  });
});

describe("refused tasks", () => {
  test.each<[string, Parameters<typeof afterRequests>, Ledger["failures"]]>([
    ["two", ["rejected", "rejected"], { jobs: 0, refusals: 2, halt: null }],
    [
      "three in a row",
      ["rejected", "rejected", "rejected"],
      { jobs: 0, refusals: 3, halt: { type: "refused", id: "halt b2", count: 3 } },
    ],
    [
      "more than enough",
      ["rejected", "rejected", "rejected", "rejected"],
      { jobs: 0, refusals: 4, halt: { type: "refused", id: "halt b2", count: 3 } },
    ],
    [
      "enough before an accepted one",
      ["rejected", "rejected", "rejected", "accepted"],
      { jobs: 0, refusals: 0, halt: { type: "refused", id: "halt b2", count: 3 } },
    ],
    [
      "three with an accepted one between",
      ["rejected", "accepted", "rejected", "rejected"],
      { jobs: 0, refusals: 2, halt: null },
    ],
  ])("%s", (_, results, expected) => {
    expect(afterRequests(...results).ledger.failures).toEqual(expected);
  });

  test("count once, however often the refusal is recorded", () => {
    const once = afterRequests("rejected");
    expect(recordRequest(once, "b0", REJECTED)).toBe(once);
  });
});

describe("after a halt", () => {
  const halted = afterJobs(["failed", "failed", "failed"]);

  test("a tick at its own box goes on, once, and counting begins anew", () => {
    const after = applyDecision(halted, { id: HALT.id, choice: "go-on" });
    expect(after.ledger.failures).toEqual(NO_FAILURES);
    expect(after.events.at(-1)).toBe("Go on after 3 failed jobs");
    expect(applyDecision(after, { id: HALT.id, choice: "go-on" })).toBe(after);
  });

  test("a tick at the box of an earlier halt does nothing", () => {
    expect(goOn(halted, "halt b0")).toBe(halted);
  });

  test.each([
    [3, HALT],
    [4, null],
  ])("with max-failures %i, it is %j", (maxFailures, halt) => {
    const raised = { ...halted, rules: { ...RULES, maxFailures } };
    expect(liftHalt(raised).ledger.failures).toEqual({ jobs: 3, refusals: 0, halt });
  });

  test("refusals are not lifted by max-failures", () => {
    const refused = afterRequests("rejected", "rejected", "rejected");
    expect(liftHalt({ ...refused, rules: { ...RULES, maxFailures: 9 } }).ledger).toEqual(
      refused.ledger,
    );
  });
});
