import { describe, expect, test } from "vitest";
import {
  accepted,
  change,
  EMPTY,
  HALT,
  HOUR,
  intendedBatch,
  NOW,
  plannedBatch,
  polled,
  RULES,
  refusedBy,
  revision,
  runningBatch,
  UNCERTAIN,
} from "../../../test/support/ledger-examples.ts";
import { type Delivery, notSent } from "../../runtime/delivery.ts";
import { expireIntended, intend, recordRequest, type StartedJob } from "./batches.ts";
import { applyDecision } from "./decisions.ts";
import { failuresLeft, goOn, liftHalt, NO_FAILURES } from "./failures.ts";
import type { Group } from "./ledger.ts";
import { takePoll } from "./polls.ts";
import type { BatchRevision } from "./revision.ts";

/** What comes of a batch: of its request, or of the job that accepted it. */
type Step = "failed" | "completed" | "running" | "refused" | "unknown" | "withdrawn" | "accepted";

const REQUESTS: Partial<Record<Step, Delivery<StartedJob>>> = {
  refused: refusedBy("content"),
  unknown: UNCERTAIN,
  withdrawn: notSent("outdated"),
  accepted: accepted(),
};

/** Batches of one change each, of which one step comes after the other. */
function afterSteps(steps: readonly Step[], maxFailures = 3): BatchRevision {
  const changes = steps.map((_, nth) => [change(nth)]);
  const batches = steps.map((step, nth) =>
    step in REQUESTS
      ? intendedBatch(`b${nth}`, changes[nth] ?? [])
      : runningBatch(`b${nth}`, changes[nth] ?? []),
  );
  const begun = revision({ ...EMPTY, batches }, { rules: { ...RULES, maxFailures } });
  return steps.reduce((before, step, nth) => {
    const delivery = REQUESTS[step];
    if (delivery !== undefined) return recordRequest(before, `b${nth}`, delivery);
    const link = step === "completed" ? "https://github.com/acme/docs/pull/7" : null;
    const type = step === "failed" || step === "completed" ? step : "running";
    return takePoll(before, `b${nth}`, polled(type, link));
  }, begun);
}

const rowOf = ({ ledger }: BatchRevision) => ledger.failures.inRow.map(({ how }) => how);

describe("what comes to nothing in a row", () => {
  test.each<[string, Step[], string[], boolean]>([
    ["two failed jobs", ["failed", "failed"], ["failed", "failed"], false],
    ["three failed jobs", ["failed", "failed", "failed"], ["failed", "failed", "failed"], true],
    ["three refusals", ["refused", "refused", "refused"], ["refused", "refused", "refused"], true],
    [
      "three unknown outcomes",
      ["unknown", "unknown", "unknown"],
      ["unknown", "unknown", "unknown"],
      true,
    ],
    ["any three", ["failed", "refused", "unknown"], ["failed", "refused", "unknown"], true],
    [
      "three with one that completed between",
      ["failed", "completed", "failed", "failed"],
      ["failed", "failed"],
      false,
    ],
    [
      "three with one at work between",
      ["failed", "failed", "running", "failed"],
      ["failed", "failed", "failed"],
      true,
    ],
    [
      "refusals with an accepted request between",
      ["refused", "refused", "accepted", "refused"],
      ["refused"],
      false,
    ],
    [
      "failed jobs with an accepted request between",
      ["failed", "failed", "accepted", "failed"],
      ["failed", "failed", "failed"],
      true,
    ],
    ["what was withdrawn", ["withdrawn", "withdrawn", "withdrawn"], [], false],
    ["enough before one that completed", ["failed", "failed", "failed", "completed"], [], true],
  ])("%s", (_, steps, row, isHalted) => {
    const { failures } = afterSteps(steps).ledger;
    expect(failures.inRow.map(({ how }) => how)).toEqual(row);
    expect(failures.halt !== null).toBe(isHalted);
  });

  test("stops the spending as soon as `max-failures` says, and is an event, once", () => {
    expect(afterSteps(["failed"], 1).ledger.failures.halt).not.toBeNull();
    const { events } = afterSteps(["failed", "failed", "failed", "failed"]);
    expect(events.filter((event) => event === "Stop after 3 failures in a row")).toHaveLength(1);
  });

  test("leaves room for fewer requests at a time", () => {
    expect(failuresLeft(afterSteps([]))).toBe(3);
    expect(failuresLeft(afterSteps(["refused", "unknown"]))).toBe(1);
    expect(failuresLeft(afterSteps(["failed", "failed", "failed", "failed"]))).toBe(0);
  });

  test("counts once, however often a result is recorded, or a change of its own fails again", () => {
    const once = afterSteps(["refused"]);
    expect(recordRequest(once, "b0", refusedBy("content"))).toBe(once);
    let now = afterSteps(["failed"]);
    for (const id of ["c", "d"]) {
      const [group] = now.ledger.waiting;
      now = failOnce(now, id, group);
      expect(rowOf(now)).toEqual(["failed"]);
    }
    expect(now.ledger.waiting).toEqual([]);
  });

  test("counts all that one lost run leaves once", () => {
    const batches = ["1-1-x.1.0", "1-1-x.1.1", "2-1-y.1.0"].map((id, nth) =>
      intendedBatch(id, [change(nth)]),
    );
    const expired = expireIntended(revision({ ...EMPTY, batches }), () => true);
    expect(expired.ledger.failures.inRow.map(({ cause }) => cause)).toEqual(["1-1-x", "2-1-y"]);
    expect(expired.ledger.batches).toMatchObject(Array(3).fill({ state: "uncertain" }));
  });
});

/** Hands a group over, to a job that fails. */
function failOnce(now: BatchRevision, id: string, group: Group | undefined): BatchRevision {
  if (group === undefined) throw new Error("nothing waits");
  const { changes, attempts, origin } = group;
  const planned = { ...plannedBatch(id, changes, attempts + 1), origin };
  const sent = recordRequest(intend(now, [planned]), id, accepted(id));
  return takePoll(sent, id, polled("failed"));
}

describe("a batch of several changes", () => {
  const changes = [1, 2, 3, 4, 5, 6].map(change);
  const begun = takePoll(
    revision({ ...EMPTY, batches: [runningBatch("b", changes)] }),
    "b",
    polled("failed"),
  );

  test("that failed counts when its last part is at its end, once", () => {
    expect(rowOf(begun)).toEqual([]);
    let now = begun;
    for (let nth = 0; now.ledger.waiting.length > 0; nth++) {
      expect(rowOf(now)).toEqual([]);
      now = failOnce(now, `c${nth}`, now.ledger.waiting[0]);
    }
    expect(now.ledger.failures.inRow).toMatchObject([{ cause: "b", how: "failed" }]);
  });

  test("does not count if a part succeeded", () => {
    const [group] = begun.ledger.waiting;
    const planned = {
      ...plannedBatch("c", group?.changes ?? [], 2),
      origin: group?.origin ?? null,
    };
    const sent = recordRequest(intend(begun, [planned]), "c", accepted("c"));
    let now = takePoll(sent, "c", polled("completed", "https://github.com/acme/docs/pull/7"));
    for (let nth = 0; now.ledger.waiting.length > 0; nth++) {
      now = failOnce(now, `d${nth}`, now.ledger.waiting[0]);
    }
    expect(rowOf(now)).toEqual([]);
    expect(now.ledger.batches.length).toBeGreaterThan(0);
  });
});

describe("after a halt", () => {
  const halted = afterSteps(["failed", "failed", "failed"]);
  const id = "halt b2";

  test("a tick at its own box goes on, once, and counting begins anew", () => {
    const gone = applyDecision(halted, { id, choice: "go-on" });
    expect(gone.ledger.failures).toEqual(NO_FAILURES);
    expect(gone.events.at(-1)).toBe("Go on after 3 failures");
    expect(applyDecision(gone, { id, choice: "go-on" })).toBe(gone);
  });

  test("a tick at the box of an earlier halt does nothing", () => {
    expect(goOn(halted, "halt b0")).toBe(halted);
  });

  test.each([
    [3, true],
    [4, false],
  ])("with max-failures %i, it stays: %s", (maxFailures, isHalted) => {
    const raised = { ...halted, rules: { ...RULES, maxFailures } };
    expect(liftHalt(raised).ledger.failures.halt !== null).toBe(isHalted);
  });

  test("another failure changes nothing about it", () => {
    const ledger = { ...EMPTY, failures: { inRow: HALT.inRow, halt: HALT } };
    const batches = [runningBatch("z", [change(1)])];
    const late = revision({ ...ledger, batches }, { now: NOW + HOUR });
    const failed = takePoll(late, "z", polled("failed"));
    expect(failed.ledger.failures.halt).toBe(HALT);
  });
});

describe("an outcome that becomes known", () => {
  const lost = ["1-1-x.1.0", "1-1-x.1.1"].map((id, nth) => intendedBatch(id, [change(nth)]));
  const expired = expireIntended(revision({ ...EMPTY, batches: lost }), () => true);
  const foundIn = (now: BatchRevision, id: string) =>
    applyDecision(now, { id, choice: "job", jobId: `job-${id}` });

  test("by the ID of its job is taken out of the row, and what comes of the job counts", () => {
    const found = foundIn(afterSteps(["refused", "unknown"]), "b1");
    expect(rowOf(found)).toEqual(["refused"]);
    expect(rowOf(takePoll(found, "b1", polled("failed")))).toEqual(["refused", "failed"]);
  });

  test("because the run that was taken for lost records it after all, is taken out of the row", () => {
    const first = recordRequest(expired, "1-1-x.1.0", notSent("cancelled"));
    expect(rowOf(first)).toEqual(["unknown"]);
    const last = recordRequest(first, "1-1-x.1.1", refusedBy("content"));
    expect(rowOf(last)).toEqual(["refused"]);
  });

  test("leaves the row with the last part of what one run has lost", () => {
    const first = foundIn(expired, "1-1-x.1.0");
    expect(rowOf(first)).toEqual(["unknown"]);
    expect(rowOf(foundIn(first, "1-1-x.1.1"))).toEqual([]);
  });

  test("leaves the row with the last job of a batch that a poll finds after all", () => {
    const origin = { id: "b", hasSucceeded: false };
    const ids = ["b1", "b2"];
    const batches = ids.map((id, nth) => ({ ...runningBatch(id, [change(nth)]), origin }));
    const pollAll = (from: BatchRevision, hours: number) =>
      ids.reduce((now, id) => takePoll(now, id, polled("unknown")), {
        ...from,
        now: NOW + hours * HOUR,
      });
    const unknown = pollAll(pollAll(revision({ ...EMPTY, batches }), 1), 2);
    expect(rowOf(unknown)).toEqual(["unknown"]);
    const first = takePoll(unknown, "b1", polled("running"));
    expect(rowOf(first)).toEqual(["unknown"]);
    expect(rowOf(takePoll(first, "b2", polled("running")))).toEqual([]);
  });

  test("does not end a halt", () => {
    const { ledger } = foundIn(afterSteps(["unknown", "unknown", "unknown"]), "b1");
    expect(ledger.failures.halt).not.toBeNull();
  });
});
