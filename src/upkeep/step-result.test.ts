import { describe, expect, test } from "vitest";
import type { Delivered } from "../ledger/run/deliver.ts";
import { ActionError } from "../runtime/errors.ts";
import { type UpkeepOutcome, upkeepResultOf } from "./step-result.ts";

const JOB = { id: "job1", status: "active" } as Delivered["job"];
const REFUSED = new ActionError("unauthorized", "The key was refused.");

function deliveredAs(over: Partial<Delivered>): Delivered {
  return {
    ...{ sent: { type: "accepted", jobId: "job1" }, job: JOB, isFollowUp: false },
    ...{ error: null, reason: null, ...over },
  };
}

interface Over {
  end?: UpkeepOutcome["result"]["end"];
  run?: Partial<UpkeepOutcome["upkeepRun"]>;
  dryRun?: boolean;
  waitError?: ActionError;
  isCancelled?: boolean;
}

function resultOf({ end = { type: "nothing" }, run, dryRun = false, ...over }: Over) {
  return upkeepResultOf({
    result: { end },
    upkeepRun: { reason: null, delivered: null, failure: null, ...run },
    inputs: { dryRun },
    ...{ waitError: null, isCancelled: false, ...over },
  });
}

const HANDED_OVER = { type: "handed-over" as const, batches: [] };

test.each<[result: string, when: string, Over]>([
  [
    "started",
    "a new job took the batch",
    { end: HANDED_OVER, run: { delivered: deliveredAs({}) } },
  ],
  [
    "continued",
    "the job of the last batch took it",
    { end: HANDED_OVER, run: { delivered: deliveredAs({ isFollowUp: true }) } },
  ],
  [
    "limited",
    "the service takes no more for now",
    { end: HANDED_OVER, run: { delivered: deliveredAs({ job: null, reason: "limited" }) } },
  ],
  ["limited", "`max-jobs-per-day` is reached", { run: { reason: "limited" } }],
  ["held", "the docs pull request is open", { run: { reason: "held" } }],
  ["busy", "another run is at work", { end: { type: "busy" } }],
  ["paused", "the dashboard is closed", { end: { type: "paused" } }],
  ["dry-run", "nothing is to be written", { dryRun: true }],
  ["idle", "nothing landed", {}],
])("the result is %s when %s, and the step succeeds", (result, _, over) => {
  expect(resultOf(over)).toEqual({ result, error: null, unusable: null });
});

describe("the step fails", () => {
  test("without a result when the changes cannot be read, also in a dry run", () => {
    expect(resultOf({ run: { failure: REFUSED }, dryRun: true })).toMatchObject({
      ...{ result: "", error: REFUSED },
    });
  });

  test("without a result when no job took the batch", () => {
    const delivered = deliveredAs({ job: null, error: REFUSED });
    expect(resultOf({ end: HANDED_OVER, run: { delivered } })).toMatchObject({
      ...{ result: "", error: REFUSED },
    });
  });

  test("with a result when the job that was started has failed", () => {
    const waitError = new ActionError("job-failed", "The job failed.");
    const delivered = deliveredAs({});
    expect(resultOf({ end: HANDED_OVER, run: { delivered }, waitError })).toMatchObject({
      ...{ result: "started", error: waitError },
    });
  });

  test("with the result of a run that is cancelled, and the first error of several", () => {
    const { result, error } = resultOf({ run: { reason: "busy" }, isCancelled: true });
    expect([result, error?.kind]).toEqual(["busy", "cancelled"]);
    expect(resultOf({ run: { failure: REFUSED }, isCancelled: true }).error).toBe(REFUSED);
  });

  test("with nothing but the reason when the ledger cannot be worked with", () => {
    const step = resultOf({ end: { type: "incomplete", missing: [3] }, isCancelled: true });
    expect(step).toMatchObject({ result: "", error: null, unusable: { kind: "invalid-input" } });
  });
});
