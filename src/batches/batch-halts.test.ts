import { describe, expect, test } from "vitest";
import { ACTION, FACTS, type Facts, ISSUE, MOMENT, PORT } from "../../test/support/batch-port.ts";
import {
  change,
  EMPTY,
  failedBatch,
  group,
  polled,
  running,
} from "../../test/support/ledger-examples.ts";
import { unchanged } from "../ledger/file.ts";
import { BatchProgram } from "./batch-program.ts";
import { boxesOf, boxToGoOn } from "./dashboard/boxes.ts";
import { NO_FAILURES } from "./model/failures.ts";
import type { Ledger } from "./model/ledger.ts";

const PROGRAM = new BatchProgram(PORT, ACTION);

function decide(ledger: Ledger, facts: Partial<Facts> = {}, moment = MOMENT) {
  return PROGRAM.decide(unchanged(ledger), { ...FACTS, ...facts }, moment);
}

describe("a plan", () => {
  test("hands nothing over after too many failures, until a person goes on", () => {
    const halt = { type: "failed", id: "halt b", count: 3, jobId: "job" } as const;
    const failures = { jobs: 3, refusals: 0, halt };
    const ledger = { ...EMPTY, failures, waiting: [group(1)] };
    const held = decide(ledger);
    expect(held).toMatchObject({ acts: [], notes: { reason: "held", wasHalted: true } });
    const body = boxToGoOn(halt.id, [{ id: halt.id, choice: "go-on" }]);
    const dashboard = { ...FACTS.dashboard, issue: { ...ISSUE, body } };
    const plan = decide(ledger, { dashboard });
    expect(plan.acts).toHaveLength(1);
    expect(plan.ledger.failures).toEqual(NO_FAILURES);
    expect(plan.events).toContain("Go on after 3 failed jobs");
  });

  test("that finds too many failures hands nothing over", () => {
    const failures = { jobs: 2, refusals: 0, halt: null };
    const polls = new Map([["b", polled("failed")]]);
    const plan = decide({ ...running(2), failures }, { batches: { ...FACTS.batches, polls } });
    expect(plan).toMatchObject({ acts: [], notes: { reason: "held", wasHalted: false } });
    expect(plan.ledger).toMatchObject({ waiting: [{}, {}], failures: { halt: { count: 3 } } });
  });

  test("of ticks that another run has overwritten finds them in the edit that triggered it", async () => {
    const body = boxesOf("b", [{ id: "b", choice: "leave" }]).join("\n");
    const settings = { isDryRun: false, edit: { type: "edited", issue: 7, body } } as const;
    const program = new BatchProgram({ ...PORT, settings }, ACTION);
    const ledger = { ...EMPTY, batches: [failedBatch("b", [change(1)])] };
    const dashboard = {
      ...FACTS.dashboard,
      issue: { ...ISSUE, body: "Rewritten" },
    };
    const plan = program.decide(unchanged(ledger), { ...FACTS, dashboard }, MOMENT);
    expect(plan.ledger).toMatchObject({ batches: [], done: [{ result: "left" }] });
  });
});
