import { describe, expect, test } from "vitest";
import {
  ACCEPTED,
  handed,
  line,
  NONE,
  reported,
  reportedAs,
} from "../../test/support/batch-reports.ts";
import {
  change,
  DECIDED,
  EMPTY,
  failedBatch,
  HALT,
  LINK,
  refusedBy,
  revision,
  task,
} from "../../test/support/ledger-examples.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { ActionError } from "../runtime/errors.ts";
import { textOfReason } from "../runtime/reason.ts";
import type { OwnNotes } from "./batch-plan.ts";
import type { BatchValue } from "./batch-program.ts";
import type { DecidedRun } from "./outcome.ts";
import { SHARED_REASONS } from "./reasons.ts";
import { type BatchReport, lastDelivery } from "./report.ts";

test("a report without a dashboard has no link to one", () => {
  const outcome = { ...DECIDED, dashboard: null, warnings: [] };
  expect(reportedAs(outcome).summary).toBe("### Docs upkeep: nothing new");
});

test.each<[string, Partial<DecidedRun<OwnNotes>>, Partial<BatchReport>, string]>([
  [
    "several docs pull requests",
    { finished: [1, 2, 2].map((nth) => line("done", `${LINK}${nth}`, [nth])) },
    {},
    "### Docs upkeep: 2 docs pull requests for 3 changes",
  ],
  [
    "more than fits",
    { finished: Array.from({ length: 60 }, () => line("failed", null, [])) },
    {},
    "- … and 10 more",
  ],
  ["nothing", {}, {}, "### Docs upkeep: nothing new\n\n[Dashboard]"],
  [
    "that it is busy",
    {},
    { result: "busy", explanation: "The last batch is still at work." },
    "nothing new\n\nThe last batch is still at work.\n\n[Dashboard]",
  ],
  ["an explanation", {}, { explanation: "All is finished." }, "\n\nAll is finished.\n\n"],
  [
    "a dry run",
    { handed: [handed([change(1)], null)] },
    { result: "dry-run", prompts: "Document it." },
    "1 change would be handed over\n\n**Would be handed over**\n\n- `Change 1` `acme/code#1`\n\nDry run: nothing was written or started.\n\n```text\nDocument it.",
  ],
  [
    "a dry run that would hand over no more",
    {},
    { result: "dry-run", explanation: "The limit is reached." },
    "nothing new\n\nDry run: nothing was written or started. The limit is reached.",
  ],
  [
    "what was withdrawn",
    { handed: [handed([change(1)], notSent("changed"))] },
    { result: "limited", explanation: "The limit is reached." },
    "nothing new\n\nThe limit is reached.\n\n[Dashboard]",
  ],
])("the summary of a run with %s", (_, result, words, expected) => {
  expect(reported(result, words).summary).toContain(expected);
});

test("a run that ended before it decided says why, as a warning if the dashboard is closed", () => {
  const explanation = "The dashboard was closed.";
  const paused = { code: "paused", by: null, at: null } as const;
  const { summary, lines } = reportedAs({ ...NONE, reason: paused }, { explanation });
  expect(summary).toBe(`### Docs upkeep: nothing new\n\n${explanation}`);
  expect(lines).toContain(`warning: ${explanation}`);
  const busy = reportedAs({ ...NONE, reason: { code: "other-run" } }, { explanation });
  expect(busy.lines).toContain(`info: ${explanation}`);
});

test("an explanation that is a warning already is said once in the log", () => {
  const explanation = "The limit is reached.";
  const { summary, lines } = reported({}, { explanation, warnings: [explanation] });
  expect(summary).toContain(explanation);
  expect(lines.filter((logged) => logged.includes(explanation))).toEqual([
    `warning: ${explanation}`,
  ]);
});

test("a refused task is shown by its prompt, with what to do", () => {
  const plain = { ...task("0a1b2c3d4e5f"), title: "Document it", isPlain: true };
  const { summary, heading, last } = reported(
    {
      revision: revision({ ...EMPTY, batches: [failedBatch("b", [plain], null)] }),
      handed: [
        handed([plain], refusedBy("content", "Too long")),
        handed([task("a")], ACCEPTED, "c"),
      ],
    },
    { noun: "task", verb: "started", result: "started" },
  );
  expect(heading).toBe("### Docs queue: 1 task started, 1 decision needed");
  expect(last).toBe("info: Docs queue: 1 task started, 1 decision needed.");
  expect(summary).toContain("**Started**\n\n- `a` `Improve a`\n");
  expect(summary).toContain(
    "**Needs a decision**\n\n- `Document it`: the service refused it: `Too long`.\n\nChange the prompt of a refused task in the task file",
  );
  expect(summary).toContain(
    '<details><summary>Details</summary>\n\n- `a`: job `job-2`\n- `"Document it"`: ID `3e23e816`\n\n</details>',
  );
  expect(summary).not.toContain("0a1b2c");
});

test("of a run that fails, the results are reported before the error, and nothing if there are none", () => {
  const error = new ActionError("create-uncertain", "It was lost.", "Check `base-url`.");
  const { failure, heading } = reported({ finished: [line("done", null, [1])] }, { error });
  expect(failure).toBe(error);
  expect(heading).toBe("### Docs upkeep: nothing to change for 1 change");
  expect(reported({}, { error })).toMatchObject({ failure: error, summary: "" });
});

describe("too many failures", () => {
  const halt = HALT;

  test("fail the run that finds them, with what to do", () => {
    const { failure } = reported({ halted: { halt, isNew: true } }, { result: "held" });
    expect(failure).toMatchObject({
      kind: "job-failed",
      problem:
        "3 jobs failed in a row, so nothing more is handed over: something may be wrong for all of them.",
      advice:
        'Look at what needs a decision, and at the jobs on Mintlify\'s dashboard. Then tick "Go on" under "Needs a decision" on the dashboard issue, or raise `max-failures`.',
    });
  });

  test("are a warning of later runs", () => {
    const reason = { code: "halted", halt, hasBoxes: true } as const;
    const { failure, lines } = reported(
      { halted: { halt, isNew: false }, reason },
      { result: "held", explanation: textOfReason(SHARED_REASONS, reason) },
    );
    expect(failure).toBeNull();
    expect(lines.join("\n")).toMatch(/warning: 3 jobs failed in a row.*tick "Go on"/);
    expect(lines.join("\n")).not.toContain("docs pull request is merged or closed");
  });

  test.each([true, false])("are a warning of a dry run, found by it: %s", (isNew) => {
    const reason = { code: "halted", halt, hasBoxes: true } as const;
    const held: Partial<DecidedRun<OwnNotes>> = { halted: { halt, isNew }, reason };
    const explanation = textOfReason(SHARED_REASONS, reason);
    const { failure, summary, lines } = reported(held, { result: "dry-run", explanation });
    expect(failure).toBeNull();
    const text = "Dry run: nothing was written or started. 3 jobs failed in a row";
    expect(lines.join("\n")).toContain(`warning: ${text}`);
    expect(summary).toContain(text);
  });
});

test.each<[string, (Delivery<BatchValue> | null)[], number | null]>([
  ["none was made", [], null],
  ["a dry run", [null, null], null],
  ["none was begun", [notSent("changed")], null],
  ["the second was not begun", [ACCEPTED, notSent("held-back")], 0],
  ["the second could not be sent", [ACCEPTED, notSent("unreached")], 1],
  ["the second was limited", [ACCEPTED, { type: "limited" }, notSent("held-back")], 1],
])("the last request: %s", (_, deliveries, expected) => {
  const last = lastDelivery(deliveries.map((delivery) => handed([change(1)], delivery)));
  expect(last).toBe(expected === null ? null : deliveries[expected]);
});
