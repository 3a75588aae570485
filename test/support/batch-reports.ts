/** Runs of an action with batches, and their reports. */

import type { OwnNotes } from "../../src/batches/batch-plan.ts";
import type { BatchValue } from "../../src/batches/batch-program.ts";
import type { Change, HistoryLine } from "../../src/batches/model/ledger.ts";
import type { BatchOutcome, DecidedRun, Handed } from "../../src/batches/outcome.ts";
import { type BatchReport, reportBatches } from "../../src/batches/report.ts";
import type { Delivery } from "../../src/runtime/delivery.ts";
import { dependenciesOf } from "./dependencies.ts";
import { accepted, change, DECIDED } from "./ledger-examples.ts";

export function line(
  state: HistoryLine["state"],
  prLink: string | null,
  numbers: number[],
): HistoryLine {
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

/** The delivery of a hand-over to `job-2`. */
export const ACCEPTED = accepted("job-2");

/** What a run handed over: accepted, unless something else became of it. */
export function handed(
  changes: readonly Change[],
  delivery: Delivery<BatchValue> | null = ACCEPTED,
  id = "b",
): Handed {
  const act = { type: "start", id, changes, prompt: "Document it.", refusedBefore: 0 } as const;
  return { act, delivery };
}

/** A run that ended before it decided. */
export const NONE = { type: "ended", dashboard: null, warnings: [] } as const;

/** Reports a run that decided. @returns what was thrown, the summary and its heading, and the last line of the log */
export function reported(
  over: Partial<DecidedRun<OwnNotes>> = {},
  words: Partial<BatchReport> = {},
) {
  return reportedAs({ ...DECIDED, ...over, dashboard: 9, warnings: [] }, words);
}

export function reportedAs(outcome: BatchOutcome<OwnNotes>, words: Partial<BatchReport> = {}) {
  const dependencies = dependenciesOf({
    title: words.noun === "task" ? "Docs queue" : "Docs upkeep",
  });
  const report: BatchReport = {
    noun: "change",
    verb: "handed over",
    result: "idle",
    dryRun: false,
    explanation: null,
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
    reportBatches(run, outcome, report);
  } catch (error) {
    failure = error;
  }
  const lines = dependencies.lines.filter((logged) => !logged.startsWith("summary: "));
  const summary =
    dependencies.lines.find((logged) => logged.startsWith("summary: "))?.slice(9) ?? "";
  return { failure, summary, heading: summary.split("\n", 1)[0], last: lines.at(-1), lines };
}
