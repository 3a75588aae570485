import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { cancelledRun } from "../ledger/cancelled.ts";
import type { JudgedBatch } from "../ledger/judge-claims.ts";
import { needsDecisionOf, waitingAgain } from "../ledger/open-changes.ts";
import type { RunResult } from "../ledger/run-ledger.ts";
import { unusableLedger } from "../ledger/unusable-ledger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { safeLink } from "../text/link.ts";
import { codeBlock, inlineCode } from "../text/markdown.ts";
import { outputOf, type UpkeepChange } from "./ledger-change.ts";
import { nameOf } from "./prompt.ts";
import type { UpkeepRun } from "./upkeep-run.ts";

/** As the output `result` tells it. */
export type Result =
  | "started"
  | "continued"
  | "idle"
  | "busy"
  | "held"
  | "limited"
  | "paused"
  | "dry-run";

export interface UpkeepReport {
  result: RunResult<UpkeepChange>;
  upkeepRun: Pick<UpkeepRun, "reason" | "chosen" | "delivered" | "failure" | "shown" | "waitingIn">;
  inputs: Pick<UpkeepInputs, "dryRun" | "maxAttempts" | "maxJobsPerDay">;
  /** What the service said of each job that was polled. */
  statuses: ReadonlyMap<string, string>;
  dashboardUrl: string;
  /** Why the batch could not be waited for; null: it could, or was not to be. */
  waitError: ActionError | null;
  /** Requests to GitHub. */
  requests: number;
  /** By a signal: the step fails whatever it came to. */
  isCancelled: boolean;
}

const WORDS: Record<Result, string> = {
  started: "A job was started",
  continued: "The job of the last batch goes on",
  idle: "Nothing new",
  busy: "The last batch is still at work, or another run is",
  held: "Changes wait for the docs pull request to be merged or closed",
  limited: "The limit of jobs is reached; changes wait",
  paused: "The dashboard is closed: upkeep is paused",
  "dry-run": "Dry run: nothing was written or started",
};

/** An event that asks for nothing: green. */
export function reportSkipped(why: string, { outputs, log }: Dependencies): boolean {
  log.info(`Nothing to do: ${why}.`);
  const nothing = { result: "idle", changes: "[]", changeCount: "0", finished: "[]" };
  for (const [name, value] of Object.entries(nothing)) outputs.setOutput(name, value);
  return false;
}

/**
 * Reports a run: outputs, log, summary.
 *
 * @returns whether the step fails
 * @throws ActionError when the ledger could not be worked with; nothing was sent
 */
export function reportUpkeep(report: UpkeepReport, dependencies: Dependencies): boolean {
  const { outputs, log } = dependencies;
  const unusable = unusableLedger(report.result.end, "changes");
  const result = unusable === null ? resultOf(report) : "";
  for (const [name, value] of Object.entries(outputsOf(report, result))) {
    outputs.setOutput(name, value);
  }
  if (unusable !== null) throw unusable;
  log.info(result === "" ? "Nothing is known to have been started." : `${WORDS[result]}.`);
  if (report.inputs.dryRun) logChoice(report, log);
  if (result === "limited") log.warning(limitedWords(report));
  const { unwritten } = report.result;
  if (unwritten !== "") {
    log.warning(
      `The dashboard could not be written: ${unwritten}. Nothing is lost: the next run writes it.`,
    );
  }
  tryWriteSummary(outputs, log, renderSummary(report, result));
  const error = stepErrorOf(report);
  if (error === null) return false;
  log.error(error.message);
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

function stepErrorOf({ upkeepRun, waitError, isCancelled }: UpkeepReport): ActionError | null {
  const error = upkeepRun.failure ?? upkeepRun.delivered?.error ?? waitError;
  return error ?? (isCancelled ? cancelledRun() : null);
}

/** What a dry run would have sent. */
function logChoice({ upkeepRun: { chosen } }: UpkeepReport, log: Dependencies["log"]): void {
  if (chosen === null) return;
  const { target, changes, prompt } = chosen;
  const to = target.type === "new" ? "a new job" : `job ${target.jobId}`;
  log.info(`${changes.length} ${changes.length === 1 ? "change" : "changes"} would go to ${to}:`);
  log.info(prompt);
}

/** Empty: the request failed, and the step with it. */
function resultOf({ result: { end }, upkeepRun, inputs }: UpkeepReport): Result | "" {
  if (end.type === "paused") return "paused";
  if (upkeepRun.failure !== null) return "";
  if (inputs.dryRun) return "dry-run";
  if (end.type === "busy") return "busy";
  const { delivered, reason } = upkeepRun;
  if (end.type === "handed-over" && delivered !== null) {
    if (delivered.reason !== null) return delivered.reason;
    if (delivered.job === null) return "";
    return delivered.isFollowUp ? "continued" : "started";
  }
  return reason ?? "idle";
}

function outputsOf(report: UpkeepReport, result: Result | ""): Record<string, string> {
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

function finishedOf({ batch }: JudgedBatch<UpkeepChange>, statuses: ReadonlyMap<string, string>) {
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

function limitedWords({ upkeepRun, inputs }: UpkeepReport): string {
  return upkeepRun.delivered?.reason === "limited"
    ? "The service's limit of 100 uses per project per hour is reached. The changes wait for a later run."
    : `${inputs.maxJobsPerDay} jobs were started in 24 hours, as many as \`max-jobs-per-day\` allows. The changes wait for a later run.`;
}

function renderSummary(report: UpkeepReport, result: Result | ""): string {
  const { upkeepRun, dashboardUrl, requests, inputs } = report;
  const error = stepErrorOf(report);
  const chosen = upkeepRun.chosen?.changes ?? [];
  const isShown = chosen.length > 0;
  const lines = chosen.map(
    (change) => `- ${inlineCode(change.title, 120)} ${inlineCode(nameOf(change), 100)}`,
  );
  const parts = [
    `### Docs upkeep: ${error === null ? result : error.kind}`,
    error === null ? (result === "" ? "" : `${WORDS[result]}.`) : codeBlock(error.message),
    isShown ? lines.join("\n") : "",
    inputs.dryRun && isShown ? codeBlock(upkeepRun.chosen?.prompt ?? "", 40_000) : "",
    [
      dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`,
      `${waitingCount(report)} waiting`,
      `${requests} requests to GitHub`,
    ]
      .filter((part) => part !== "")
      .join(" · "),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
