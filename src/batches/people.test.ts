import { describe, expect, test } from "vitest";
import { ISSUE, NO_DASHBOARD, SETTINGS } from "../../test/support/batch-reads.ts";
import {
  AT,
  change,
  EMPTY,
  failedBatch,
  HALT,
  HALTED,
  HOUR,
  LINK,
  NOW,
  revision,
  runningBatch,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import type { Answer } from "../inputs/decisions.ts";
import { obstacleIn } from "./batch-plan.ts";
import { boxesOf, boxToGoOn } from "./dashboard/boxes.ts";
import { shortId } from "./model/answers.ts";
import { NO_FAILURES } from "./model/failures.ts";
import type { Batch, Ledger } from "./model/ledger.ts";
import { applyDecisions } from "./people.ts";

const IN_HALT: Ledger = { ...EMPTY, failures: HALTED };

describe("the boxes of the dashboard", () => {
  const shown = (body: string) => ({ ...NO_DASHBOARD, issue: { ...ISSUE, body } });

  test("end a halt", () => {
    const halted = revision(IN_HALT);
    const body = boxToGoOn(HALT.id, [{ id: HALT.id, choice: "go-on" }]);
    expect(obstacleIn(halted, shown(body))).toEqual({ code: "halted", halt: HALT, hasBoxes: true });
    const { revision: after } = applyDecisions(halted, shown(body), SETTINGS);
    expect(after.ledger.failures).toEqual(NO_FAILURES);
    expect(after.events).toContain("Go on after 3 failures");
    expect(obstacleIn(after, shown(body))).toBeNull();
  });

  test("count also if another run has overwritten them after the edit", () => {
    const body = boxesOf("b", [{ id: "b", choice: "leave" }]).join("\n");
    const settings = { ...SETTINGS, edit: { type: "edited", issue: 7, body } } as const;
    const before = revision({ ...EMPTY, batches: [failedBatch("b", [change(1)])] });
    const { revision: after } = applyDecisions(before, shown("Rewritten"), settings);
    expect(after.ledger).toMatchObject({ batches: [], done: [{ result: "left" }] });
  });
});

describe("the input `decisions`", () => {
  const BATCHES: Batch[] = [failedBatch("b", [change(1)]), uncertainBatch("c", [change(2)])];

  function answered(
    answers: readonly Answer[],
    ledger: Partial<Ledger> = {},
    now = NOW,
    run = "77",
  ) {
    const settings = { ...SETTINGS, answered: { answers, run } };
    const before = revision({ ...EMPTY, batches: BATCHES, ...ledger }, { now });
    return applyDecisions(before, NO_DASHBOARD, settings);
  }

  test("hands one entry over again, leaves another, and remembers the run", () => {
    const { revision: after, warnings } = answered([
      { type: "entry", id: shortId("b"), choice: "again" },
      { type: "entry", id: shortId("c"), choice: "leave" },
    ]);
    expect(warnings).toEqual([]);
    expect(after.ledger).toMatchObject({
      batches: [],
      waiting: [{ changes: [change(1)] }],
      done: [{ result: "left", changes: [change(2)] }],
      answeredRuns: ["77"],
    });
  });

  test("with a job follows it as if it had accepted the batch", () => {
    const { revision: after } = answered([{ type: "job", id: shortId("c"), jobId: "job-9" }]);
    const [, adopted] = after.ledger.batches;
    expect(adopted).toMatchObject({
      id: "c",
      state: "running",
      job: { id: "job-9", acceptedAt: AT },
    });
    expect(after.events).toContain("Job job-9 has #2");
  });

  test("for all leaves alone what has an answer of its own", () => {
    const { revision: after } = answered([
      { type: "all", choice: "leave" },
      { type: "entry", id: shortId("b"), choice: "again" },
    ]);
    expect(after.ledger).toMatchObject({
      waiting: [{ changes: [change(1)] }],
      done: [{ changes: [change(2)] }],
    });
  });

  test("goes on after a halt", () => {
    const halted = { failures: HALTED };
    const { revision: after } = answered([{ type: "go-on" }], halted);
    expect(after.ledger.failures).toEqual(NO_FAILURES);
    expect(answered([{ type: "go-on" }]).warnings).toEqual([]);
  });

  test("hands over what was passed over, and what a person closed, by their IDs alone", () => {
    const reason = { code: "label", label: "skip-docs" } as const;
    const passedOver = [{ change: change(3), reason }];
    const done = [{ result: "closed", prLink: LINK, changes: [change(4)], more: 0 } as const];
    const again = ["1#3", `docs:${LINK}`].map(
      (id): Answer => ({ type: "entry", id: shortId(id), choice: "again" }),
    );
    const { revision: after, warnings } = answered(again, { passedOver, done });
    expect(warnings).toEqual([]);
    expect(after.ledger).toMatchObject({
      waiting: [
        { changes: [change(4)], attempts: 1 },
        { changes: [{ key: "1#3", isWanted: true }], attempts: 0 },
      ],
      passedOver: [],
      done: [],
    });
    const all = answered([{ type: "all", choice: "again" }], { passedOver, done });
    expect(all.revision.ledger).toMatchObject({ passedOver, done });
    const leave = again.map((answer): Answer => ({ ...answer, choice: "leave" }) as Answer);
    expect(answered(leave, { passedOver, done }).warnings).toHaveLength(2);
  });

  test("names an ID that there is none of", () => {
    const { revision: after, warnings } = answered([
      { type: "entry", id: "00000000", choice: "again" },
    ]);
    expect(warnings).toEqual([{ code: "unknown-id", id: "00000000" }]);
    expect(after.ledger.batches).toEqual(BATCHES);
  });

  test("does not count in a second attempt of the run", () => {
    const again = [{ type: "all", choice: "again" }] as const;
    const { revision: after, warnings } = answered(again, { answeredRuns: ["77"] });
    expect(warnings).toEqual([{ code: "answered-before" }]);
    expect(after.ledger.batches).toEqual(BATCHES);
  });

  test("names a job that takes too long by another ID than before", () => {
    const batches = [runningBatch("b", [change(1)])];
    const late = NOW + 25 * HOUR;
    const before: Answer[] = [{ type: "entry", id: shortId("b"), choice: "again" }];
    expect(answered(before, { batches }, late).warnings).toHaveLength(1);
    const now: Answer[] = [{ type: "entry", id: shortId("b late"), choice: "leave" }];
    expect(answered(now, { batches }, late).revision.ledger.batches).toEqual([]);
  });
});
