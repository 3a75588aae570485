import { describe, expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  change,
  DECIDED,
  EMPTY,
  failedBatch,
  LINK,
  revision,
  task,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import type { Delivery } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Change, HistoryLine } from "./model/ledger.ts";
import { type BatchReport, reportBatches } from "./report.ts";
import type { BatchResult, Decided, Handed } from "./run-batches.ts";

function line(state: HistoryLine["state"], prLink: string | null, numbers: number[]): HistoryLine {
  return {
    batch: "b",
    at: "",
    state,
    jobId: "job-1",
    prLink,
    attempt: 1,
    changes: numbers.map(change),
  };
}

const ACCEPTED: Delivery = {
  type: "accepted",
  job: { ...recordOf("active"), id: "job-2" },
  isFollowUp: false,
};

/** What a run handed over: accepted, unless another result is given. */
function handed(
  changes: readonly Change[],
  result: Delivery | BasicResult = ACCEPTED,
  id = "b",
): Handed {
  const act = { type: "hand over", id, changes, jobId: null, prompt: "Document it." } as const;
  return { act, result };
}

const NONE = { decided: null, dashboard: null, warnings: [] } as const;

/** Reports a run that decided. @returns what was thrown, the summary and its heading, and the last line of the log */
function reported(over: Partial<Decided<null>> = {}, words: Partial<BatchReport> = {}) {
  const decided = { ...DECIDED, ...over };
  return reportedAs({ type: "decided", decided, dashboard: 9, warnings: [] }, words);
}

function reportedAs(result: BatchResult<null>, words: Partial<BatchReport> = {}) {
  const dependencies = dependenciesOf({
    title: words.noun === "task" ? "Docs queue" : "Docs upkeep",
  });
  const report: BatchReport = {
    noun: "change",
    verb: "handed over",
    result: "idle",
    error: null,
    outputs: {},
    warnings: [],
    prompts: null,
    ...words,
  };
  const run = {
    store: { head: { sha: null } },
    requests: () => 0,
    issueUrl: (number: number | null) => {
      return number === null ? null : `https://github.com/acme/code/issues/${number}`;
    },
    dependencies,
  };
  let failure: unknown = null;
  try {
    reportBatches(run, result, report);
  } catch (error) {
    failure = error;
  }
  const lines = dependencies.lines.filter((logged) => !logged.startsWith("summary: "));
  const summary =
    dependencies.lines.find((logged) => logged.startsWith("summary: "))?.slice(9) ?? "";
  return { failure, summary, heading: summary.split("\n", 1)[0], last: lines.at(-1), lines };
}

test("a report without a dashboard has no link to one", () => {
  const result = { type: "decided", decided: DECIDED, dashboard: null, warnings: [] } as const;
  expect(reportedAs(result).summary).toBe("### Docs upkeep: nothing new");
});

test("what came out comes first, then what was handed over, then what needs a person", () => {
  const done = { changes: [change(1)], more: 0 };
  const { summary, heading, last } = reported({
    revision: revision({ ...EMPTY, batches: [uncertainBatch("c", [change(8)])] }),
    reviewed: [
      { result: "merged", prLink: `${LINK}1`, ...done },
      { result: "closed", prLink: `${LINK}2`, ...done },
    ],
    // The heading names what was merged at once only once.
    finished: [
      line("done", `${LINK}1`, [1]),
      line("done", LINK, [2, 3]),
      line("done", null, [4]),
      line("failed", null, [5]),
    ],
    handed: [handed([change(6), change(7)])],
  });
  const link = `[docs pull request #7](${LINK})`;
  const after =
    "nothing to change for 1 change, 1 job failed, 2 changes handed over, 1 decision needed";
  expect(heading).toBe(
    `### Docs upkeep: [docs pull request #71](${LINK}1) merged, [docs pull request #72](${LINK}2) closed without merging, ${link} for 2 changes, ${after}`,
  );
  expect(last).toBe(
    `info: Docs upkeep: docs pull request ${LINK}1 merged, docs pull request ${LINK}2 closed without merging, docs pull request ${LINK} for 2 changes, ${after}.`,
  );
  const parts = [
    "**Docs pull requests**",
    `#71](${LINK}1) (merged) ←`,
    `#72](${LINK}2) (closed without merging) ←`,
    "**Finished**",
    "#71](",
    `#71](${LINK}1) ← `,
    `#7](${LINK}) ← 2 changes`,
    "- Nothing to change ← `Change 4`",
    "- Failed: job `job-1` ← `Change 5`",
    "**Handed over**",
    "- Job `job-2` ← 2 changes",
    "**Needs a decision**",
    "`Change 8`",
    "may have received the request: `the connection was lost`.",
    "[Dashboard](",
  ];
  let at = 0;
  for (const part of parts) {
    at = summary.indexOf(part, at);
    expect(at, part).toBeGreaterThan(-1);
  }
});

test.each<[string, Partial<Decided<null>>, Partial<BatchReport>, string]>([
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
    { result: "busy" },
    "nothing new\n\nThe maximum number of jobs is already in progress",
  ],
  ["nothing left", {}, { result: "finished", noun: "task" }, "\n\nAll tasks are finished.\n\n"],
  [
    "a dry run",
    { handed: [handed([change(1)], { type: "withdrawn" })] },
    { result: "dry-run", prompts: "Document it." },
    "1 change would be handed over\n\n**Would be handed over**\n\n- `Change 1` `acme/code#1`\n\nDry run: nothing was written or started.\n\n```text\nDocument it.",
  ],
  [
    "a dry run that would hand over no more",
    { reason: "limited" },
    { result: "dry-run" },
    "nothing new\n\nDry run: nothing was written or started. The limit is reached; the rest waits for a later run.",
  ],
  [
    "what was withdrawn",
    { handed: [handed([change(1)], { type: "withdrawn" })] },
    { result: "limited" },
    "nothing new\n\nThe limit is reached; the rest waits for a later run.\n\n[Dashboard]",
  ],
])("the summary of a run with %s", (_, result, words, expected) => {
  expect(reported(result, words).summary).toContain(expected);
});

test.each<[string, BatchResult<null>, string]>([
  ["another issue", { type: "stopped", stop: { type: "idle" }, ...NONE }, "nothing new"],
  [
    "a closed dashboard",
    { type: "stopped", stop: { type: "paused", reason: "The dashboard is closed." }, ...NONE },
    "nothing new\n\nThe dashboard is closed.",
  ],
  [
    "others that wrote first",
    { type: "busy", ...NONE },
    "nothing new\n\nThe maximum number of jobs is already in progress",
  ],
])("the summary of a run that ended before it decided, because of %s", (_, result, expected) => {
  // What the action would say of its decision does not count.
  expect(reportedAs(result, { result: "limited" }).summary).toContain(expected);
});

test("a refused task is shown by its prompt, with what to do", () => {
  const plain = { ...task("0a1b2c3d4e5f"), title: "Document it", isPlain: true };
  const error = new ActionError("bad-request", "Too long");
  const { summary, heading, last } = reported(
    {
      revision: revision({ ...EMPTY, batches: [failedBatch("b", [plain], null)] }),
      handed: [
        handed([plain], { type: "refused", by: "content", error }),
        handed([task("a")], ACCEPTED, "c"),
      ],
    },
    { noun: "task", verb: "started", result: "started" },
  );
  expect(heading).toBe("### Docs queue: 1 task started, 1 decision needed");
  expect(last).toBe("info: Docs queue: 1 task started, 1 decision needed.");
  expect(summary).toContain("**Started**\n\n- Job `job-2` ← `a` `Improve a`");
  expect(summary).toContain(
    "**Needs a decision**\n\n- `Document it`. The service refused it: `Too long`. Change its prompt in the task file",
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
  const halt = { type: "failed", id: "halt b", count: 3, jobId: "job-3" } as const;

  test("fail the run that finds them, with what to do", () => {
    const { failure } = reported({ halted: { halt, isNew: true } }, { result: "held" });
    expect(failure).toMatchObject({
      kind: "job-failed",
      problem:
        "3 jobs in a row failed, the last one `job-3`, so nothing more is handed over: something may be wrong for all of them.",
      advice:
        'Look at the failed jobs on the service\'s dashboard. Then tick "Go on" under "Needs a decision" on the dashboard issue, or raise `max-failures`.',
    });
  });

  test("are a warning of later runs", () => {
    const { failure, lines } = reported({ halted: { halt, isNew: false } }, { result: "held" });
    expect(failure).toBeNull();
    expect(lines.join("\n")).toMatch(/warning: 3 jobs in a row failed.*tick "Go on"/);
    expect(lines.join("\n")).not.toContain("docs pull request is merged or closed");
  });

  test.each([true, false])("are a warning of a dry run, found by it: %s", (isNew) => {
    const held: Partial<Decided<null>> = { halted: { halt, isNew }, reason: "held" };
    const { failure, summary, lines } = reported(held, { result: "dry-run" });
    expect(failure).toBeNull();
    const text = "Dry run: nothing was written or started. 3 jobs in a row failed";
    expect(lines.join("\n")).toContain(`warning: ${text}`);
    expect(summary).toContain(text);
  });

  test("that are refused tasks fail the run as a bad request", () => {
    const refused = { type: "refused", id: "halt b", count: 3 } as const;
    const { failure } = reported({ halted: { halt: refused, isNew: true } });
    expect(failure).toMatchObject({ kind: "bad-request" });
  });
});
