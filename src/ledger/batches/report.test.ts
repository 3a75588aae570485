import { expect, test } from "vitest";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { batch, change, EMPTY, edit, LINK, task } from "../../../test/support/ledger-examples.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { BatchSent } from "../model/batches.ts";
import type { Batch, HistoryLine } from "../model/ledger.ts";
import type { RunResult } from "../protocol/run-ledger.ts";
import type { LedgerRun } from "./ledger-run.ts";
import { type LedgerReport, reportLedgerRun } from "./report.ts";

const RUN = {
  store: { head: { sha: null } },
  requests: () => 0,
  issueUrl: () => "https://github.com/acme/code/issues/9",
};

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

/** What a run handed over: accepted, unless it is said otherwise. */
function handed(changes: Batch["changes"], sent?: BatchSent, over: { id?: string } = {}) {
  const accepted: BatchSent = { type: "accepted", jobId: "job-2", isFollowUp: false };
  return { id: "b", changes, sent: sent ?? accepted, ...over };
}

function told(ran: Partial<RunResult> = {}, over: Partial<LedgerReport> = {}) {
  const dependencies = dependenciesOf({
    title: over.what === "task" ? "Docs queue" : "Docs upkeep",
  });
  const result: RunResult = {
    stopped: null,
    why: "",
    reason: "idle",
    edit: edit(EMPTY),
    dashboard: 9,
    handed: [],
    polls: new Map(),
    finished: [],
    reviewed: [],
    warnings: [],
    ...ran,
  };
  const report: LedgerReport = {
    what: "change",
    handed: "handed over",
    result: "idle",
    error: null,
    outputs: {},
    warnings: [],
    prompts: "",
    ...over,
  };
  const run: unknown = { ...RUN, dependencies };
  let failure: unknown = null;
  try {
    reportLedgerRun(run as LedgerRun, result, report);
  } catch (error) {
    failure = error;
  }
  const lines = dependencies.lines.filter((it) => !it.startsWith("summary: "));
  const summary = dependencies.lines.find((it) => it.startsWith("summary: "))?.slice(9) ?? "";
  return { failure, summary, heading: summary.split("\n", 1)[0], last: lines.at(-1) };
}

test("what came out comes first, then what was handed over, then what needs a person", () => {
  const done = { changes: [change(1)], more: 0 };
  const { summary, heading, last } = told({
    edit: edit({
      ...EMPTY,
      batches: [batch("c", [change(8)], { state: "uncertain", jobId: null, why: "lost" })],
    }),
    reviewed: [
      { result: "merged", prLink: `${LINK}1`, ...done },
      { result: "closed", prLink: `${LINK}2`, ...done },
    ],
    // What was merged at once is told once.
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
    "**Finished**",
    "#71",
    "(merged) ←",
    "#72",
    "(closed without merging) ←",
    "#7](",
    "← 2 changes",
    "- Nothing to change ← `Change 4`",
    "- Failed: job `job-1` ← `Change 5`",
    "**Handed over**",
    "- Job `job-2` ← 2 changes",
    "**Needs a decision**",
    "`Change 8`",
    "may have received the request: `lost`.",
    "[Dashboard](",
  ];
  let at = 0;
  for (const part of parts) {
    at = summary.indexOf(part, at);
    expect(at, part).toBeGreaterThan(-1);
  }
});

test.each<[string, Partial<RunResult>, Partial<LedgerReport>, string]>([
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
  ["that it is busy", {}, { result: "busy" }, "nothing new\n\nAs much is in progress as may be"],
  ["no ledger", { edit: null }, {}, "nothing new"],
  [
    "a pause",
    { stopped: "paused", why: "The dashboard is closed." },
    {},
    "nothing new\n\nThe dashboard is closed.",
  ],
  [
    "a dry run",
    { handed: [handed([change(1)], { type: "withdrawn" })] },
    { result: "dry-run", prompts: "Document it." },
    "1 change would be handed over\n\n**Would be handed over**\n\n- `Change 1` `acme/code#1`\n\nDry run: nothing was written or started.\n\n```text\nDocument it.",
  ],
  [
    "what was withdrawn",
    { handed: [handed([change(1)], { type: "withdrawn" })] },
    { result: "limited" },
    "nothing new\n\nThe limit is reached; the rest waits for a later run.\n\n[Dashboard]",
  ],
])("of %s, the summary says so", (_, ran, over, expected) => {
  expect(told(ran, over).summary).toContain(expected);
});

test("a task that was refused stands under what it is, by its prompt, with what to do", () => {
  const plain = { ...task("0a1b2c3d4e5f"), title: "Document it", isPlain: true };
  const why = "the prompt is too long";
  const batches = [batch("b", [plain], { state: "failed", jobId: null, why })];
  const { summary, heading, last } = told(
    {
      edit: edit({ ...EMPTY, batches }),
      handed: [
        handed([plain], { type: "rejected", why }),
        handed([task("a")], undefined, { id: "c" }),
      ],
    },
    { what: "task", handed: "started", result: "started" },
  );
  expect(heading).toBe("### Docs queue: 1 task started, 1 decision needed");
  expect(last).toBe("info: Docs queue: 1 task started, 1 decision needed.");
  expect(summary).toContain("**Started**\n\n- Job `job-2` ← `a` `Improve a`");
  expect(summary).toContain(
    "**Needs a decision**\n\n- `Document it`. The service refused it: `the prompt is too long`. Change its prompt in the task file",
  );
  expect(summary).not.toContain("0a1b2c");
});

test("of a run that fails, the results are reported before the error, and nothing if there are none", () => {
  const error = new ActionError("create-uncertain", "It was lost.", "Check `base-url`.");
  const { failure, heading } = told({ finished: [line("done", null, [1])] }, { error });
  expect(failure).toBe(error);
  expect(heading).toBe("### Docs upkeep: nothing to change for 1 change");
  expect(told({}, { error })).toMatchObject({ failure: error, summary: "" });
});
