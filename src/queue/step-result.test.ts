import { describe, expect, test } from "vitest";
import { stateOf, tasksOf } from "../../test/support/example-states.ts";
import { ActionError } from "../runtime/errors.ts";
import { type QueueOutcome, queueResultOf } from "./step-result.ts";

const REFUSED = new ActionError("unauthorized", "The key was refused.");

interface Over {
  end?: QueueOutcome["result"]["end"];
  run?: Partial<QueueOutcome["queueRun"]>;
  state?: QueueOutcome["result"]["state"];
  inputs?: Partial<QueueOutcome["inputs"]>;
  isCancelled?: boolean;
}

function resultOf(over: Over) {
  const { end = { type: "nothing" }, state = stateOf(), isCancelled = false } = over;
  return queueResultOf({
    ...{ result: { end, state }, isCancelled },
    queueRun: { reason: null, failure: null, stopped: null, uncertain: null, ...over.run },
    inputs: { tasks: tasksOf("a", "b"), dryRun: false, maxAttempts: 3, ...over.inputs },
  });
}

const done = stateOf({ tasks: [{ id: "a" }, { id: "b" }] });
const decide = stateOf({ tasks: [{ id: "a" }, { id: "b", state: "uncertain", jobId: null }] });
/** What a run handed over: each task in a batch of its own. */
function handedOver(...states: ("running" | "withdrawn")[]): QueueOutcome["result"]["end"] {
  const [claim] = stateOf({ tasks: states.map((state) => ({ id: state, state })) }).claims;
  return { type: "handed-over", batches: claim?.claim.batches ?? [] };
}

test.each<[result: string, when: string, Over]>([
  ["started", "a task was started", { end: handedOver("running", "withdrawn") }],
  ["finished", "every task is done", { state: done }],
  ["finished", "there is no task", { inputs: { tasks: [] } }],
  ["idle", "a task needs a decision", { state: decide, run: { reason: "ended" } }],
  ["busy", "as many tasks run as may", { run: { reason: "busy" } }],
  ["busy", "another run is at work", { end: { type: "busy" } }],
  ["limited", "`per-hour` is reached", { run: { reason: "limited" } }],
  [
    "limited",
    "the service says so",
    { end: handedOver("withdrawn"), run: { stopped: { error: null, reason: "limited" } } },
  ],
  ["paused", "the dashboard is closed", { end: { type: "paused" }, state: null }],
  ["dry-run", "nothing is to be written", { inputs: { dryRun: true }, state: done }],
])("the result is %s when %s, and the step succeeds", (result, _, over) => {
  expect(resultOf(over)).toEqual({ result, error: null, unusable: null });
});

describe("the step fails", () => {
  test.each<[string, Over]>([
    ["nothing could be decided", { run: { failure: REFUSED } }],
    ["the service takes nothing any more", { run: { stopped: { error: REFUSED, reason: null } } }],
    ["nobody knows whether a request was received", { run: { uncertain: REFUSED } }],
  ])("without a result when %s and no task was started", (_, over) => {
    expect(resultOf(over)).toEqual({ result: "", error: REFUSED, unusable: null });
  });

  test("with a result when a task was started before", () => {
    const over = { end: handedOver("running"), run: { uncertain: REFUSED } };
    expect(resultOf(over)).toMatchObject({ result: "started", error: REFUSED });
  });

  test("when the run is cancelled, with the first error of several", () => {
    expect(resultOf({ isCancelled: true }).error?.kind).toBe("cancelled");
    expect(resultOf({ isCancelled: true, run: { uncertain: REFUSED } }).error).toBe(REFUSED);
  });

  test("with nothing but the reason when the ledger cannot be worked with", () => {
    const step = resultOf({ end: { type: "foreign" }, state: null, isCancelled: true });
    expect(step).toMatchObject({ result: "", error: null, unusable: { kind: "invalid-input" } });
  });
});
