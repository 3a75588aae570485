import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { cancelled } from "../ledger/cancelled.ts";
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
import type { UpkeepSession } from "./session.ts";

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
  session: Pick<
    UpkeepSession,
    "reason" | "chosen" | "delivered" | "failure" | "shown" | "waitingIn"
  >;
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
  continued: "The job of the last batch continues",
  idle: "Nothing new",
  busy: "The last batch is still in progress, or another run is active",
  held: "Changes are waiting for the docs pull request to be merged or closed",
  limited: "The job limit is reached; changes are waiting",
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
  log.info(result === "" ? "No job is known to have been started." : `${WORDS[result]}.`);
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

function stepErrorOf({ session, waitError, isCancelled }: UpkeepReport): ActionError | null {
  const error = session.failure ?? session.delivered?.error ?? waitError;
  return error ?? (isCancelled ? cancelled() : null);
}

/** What a dry run would have sent. */
function logChoice({ session: { chosen } }: UpkeepReport, log: Dependencies["log"]): void {
  if (chosen === null) return;
  const { target, changes, prompt } = chosen;
  const to = target.type === "new" ? "a new job" : `job ${target.jobId}`;
  log.info(`${changes.length} ${changes.length === 1 ? "change" : "changes"} would go to ${to}:`);
  log.info(prompt);
}

/** Empty: the request failed, and the step with it. */
function resultOf({ result: { end }, session, inputs }: UpkeepReport): Result | "" {
  if (end.type === "paused") return "paused";
  if (session.failure !== null) return "";
  if (inputs.dryRun) return "dry-run";
  if (end.type === "busy") return "busy";
  const { delivered, reason } = session;
  if (end.type === "handed-over" && delivered !== null) {
    if (delivered.reason !== null) return delivered.reason;
    if (delivered.job === null) return "";
    return delivered.isFollowUp ? "continued" : "started";
  }
  return reason ?? "idle";
}

function outputsOf(report: UpkeepReport, result: Result | ""): Record<string, string> {
  const { result: run, session, inputs } = report;
  const job = session.delivered?.job ?? null;
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
function waitingCount({ result: { state }, session, inputs }: UpkeepReport): number {
  if (state === null) return 0;
  const again = waitingAgain(state, inputs.maxAttempts).length;
  return session.waitingIn(state).length + session.shown.more.count + again;
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

function limitedWords({ session, inputs }: UpkeepReport): string {
  return session.delivered?.reason === "limited"
    ? "The service's limit of 100 uses per project per hour is reached. The changes wait for a later run."
    : `${inputs.maxJobsPerDay} jobs were started in the last 24 hours, the limit set by \`max-jobs-per-day\`. The changes wait for a later run.`;
}

function renderSummary(report: UpkeepReport, result: Result | ""): string {
  const { session, dashboardUrl, requests, inputs } = report;
  const error = stepErrorOf(report);
  const chosen = session.chosen?.changes ?? [];
  const isShown = chosen.length > 0;
  const lines = chosen.map(
    (change) => `- ${inlineCode(change.title, 120)} ${inlineCode(nameOf(change), 100)}`,
  );
  const parts = [
    `### Docs upkeep: ${error === null ? result : error.kind}`,
    error === null ? (result === "" ? "" : `${WORDS[result]}.`) : codeBlock(error.message),
    isShown ? lines.join("\n") : "",
    inputs.dryRun && isShown ? codeBlock(session.chosen?.prompt ?? "", 40_000) : "",
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
