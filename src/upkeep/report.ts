import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { BatchNow } from "../ledger/model/claim-now.ts";
import { needsDecisionOf, waitingAgain } from "../ledger/model/open-changes.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import {
  promptsBlock,
  renderLedgerSummary,
  reportNothingToDo,
  reportStepError,
  resultSentence,
  serviceLimitSentence,
  warnUnwritten,
} from "../ledger/run/report-lines.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { outputOf, type UpkeepChange } from "./ledger-change.ts";
import { nameOf } from "./prompt.ts";
import type { UpkeepResult } from "./step-result.ts";
import type { UpkeepRun } from "./upkeep-run.ts";

export interface UpkeepReport {
  result: RunResult<UpkeepChange>;
  upkeepRun: Pick<UpkeepRun, "chosen" | "delivered" | "shown" | "waitingIn">;
  inputs: Pick<UpkeepInputs, "dryRun" | "maxAttempts" | "maxJobsPerDay">;
  /** What the service said of each job that was polled. */
  statuses: ReadonlyMap<string, string>;
  dashboardUrl: string;
  /** Requests to GitHub. */
  requests: number;
}

const WORDS: Record<UpkeepResult, string> = {
  started: "A job was started",
  continued: "The job of the last batch goes on",
  idle: "Nothing new",
  busy: "The last batch is still at work, or another run is",
  held: "Changes wait for the docs pull request to be merged or closed",
  limited: "The limit of jobs is reached; changes wait",
  paused: "The dashboard is closed: upkeep is paused",
  "dry-run": "Dry run: nothing was written or started",
};

/** Reports an event that asks for nothing. */
export function reportUpkeepSkipped(why: string, dependencies: Dependencies): void {
  const nothing = { result: "idle", changes: "[]", changeCount: "0", finished: "[]" };
  reportNothingToDo(why, nothing, dependencies);
}

/** Reports a run: outputs, log, summary; of one that could not work with its ledger only the outputs. */
export function reportUpkeep(
  report: UpkeepReport,
  step: LedgerStepResult<UpkeepResult>,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  for (const [name, value] of Object.entries(outputsOf(report, step.result))) {
    outputs.setOutput(name, value);
  }
  if (step.unusable !== null) return;
  log.info(resultSentence(step.result, WORDS));
  if (report.inputs.dryRun) logChoice(report, log);
  if (step.result === "limited") log.warning(limitedSentence(report));
  warnUnwritten(report.result.unwritten, log);
  tryWriteSummary(outputs, log, renderSummary(report, step));
  reportStepError(step, dependencies);
}

/** What a dry run would have sent. */
function logChoice({ upkeepRun: { chosen } }: UpkeepReport, log: Dependencies["log"]): void {
  if (chosen === null) return;
  const { target, changes, prompt } = chosen;
  const to = target.type === "new" ? "a new job" : `job ${target.jobId}`;
  log.info(`${changes.length} ${changes.length === 1 ? "change" : "changes"} would go to ${to}:`);
  log.info(prompt);
}

function outputsOf(report: UpkeepReport, result: UpkeepResult | ""): Record<string, string> {
  const { result: run, upkeepRun, inputs } = report;
  const job = upkeepRun.delivered?.job ?? null;
  const handed = run.end.type === "handed-over" ? acceptedChanges(run.end.batches) : [];
  const state = run.state;
  return {
    result,
    jobId: job?.id ?? "",
    status: job === null ? "" : (report.statuses.get(job.id) ?? job.status),
    prLink: prLinkOf(report, job?.id ?? "") ?? safeLink(job?.prLink ?? "") ?? "",
    changes: JSON.stringify(handed.map(outputOf)),
    changeCount: String(handed.length),
    waitingCount: String(waitingCount(report)),
    finished: JSON.stringify(run.finished.map((it) => finishedOf(it, report.statuses))),
    needsDecisionCount: String(
      state === null ? 0 : needsDecisionOf(state, inputs.maxAttempts).length,
    ),
  };
}

/** With those of failed batches that are handed over again. */
function waitingCount({ result: { state }, upkeepRun, inputs }: UpkeepReport): number {
  if (state === null) return 0;
  const again = waitingAgain(state, inputs.maxAttempts).length;
  return upkeepRun.waitingIn(state).length + upkeepRun.shown.more.count + again;
}

/** What the service took, or may have. */
function acceptedChanges(
  batches: Extract<RunResult<UpkeepChange>["end"], { type: "handed-over" }>["batches"],
): UpkeepChange[] {
  return batches
    .filter(({ state }) => state === "running" || state === "uncertain" || state === "done")
    .flatMap(({ handed }) => handed.map(({ change }) => change));
}

function finishedOf({ batch }: BatchNow<UpkeepChange>, statuses: ReadonlyMap<string, string>) {
  const { jobId, prLink, handed, state } = batch;
  return {
    jobId,
    status: statuses.get(jobId ?? "") ?? (state === "done" ? "completed" : "failed"),
    prLink: prLink === null ? null : safeLink(prLink),
    changes: handed.map(({ change }) => outputOf(change)),
  };
}

function prLinkOf({ result }: UpkeepReport, jobId: string): string | null {
  const own = result.finished.find(({ batch }) => batch.jobId === jobId && jobId !== "");
  return own?.batch.prLink == null ? null : safeLink(own.batch.prLink);
}

function limitedSentence({ upkeepRun, inputs }: UpkeepReport): string {
  return upkeepRun.delivered?.reason === "limited"
    ? serviceLimitSentence("changes")
    : `${inputs.maxJobsPerDay} jobs were started in 24 hours, as many as \`max-jobs-per-day\` allows. The changes wait for a later run.`;
}

function renderSummary(report: UpkeepReport, step: LedgerStepResult<UpkeepResult>): string {
  const { upkeepRun, dashboardUrl, requests, inputs } = report;
  const { changes = [], prompt = "" } = upkeepRun.chosen ?? {};
  const lines = changes.map(
    (change) => `- ${inlineCode(change.title, 120)} ${inlineCode(nameOf(change), 100)}`,
  );
  return renderLedgerSummary({
    ...{ title: "Docs upkeep", step, words: WORDS, dashboardUrl, requests },
    parts: [lines.join("\n"), promptsBlock(inputs.dryRun, prompt)],
    facts: `${waitingCount(report)} waiting`,
  });
}
