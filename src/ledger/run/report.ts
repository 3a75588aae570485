import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../../runtime/errors.ts";
import { tryWriteSummary } from "../../runtime/step-outputs.ts";
import { codeBlock, inlineCode } from "../../text/markdown.ts";
import { itemText, pullLink } from "../dashboard/change-text.ts";
import type { HistoryLine } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { countOf } from "../model/names.ts";
import type { RunEnd, RunResult } from "../protocol/run-ledger.ts";
import type { LedgerRun } from "./ledger-run.ts";

/** What a run of an action came to. */
export interface LedgerReport {
  /** The action, for a heading. */
  title: string;
  /** What is handed over. */
  what: "changes" | "tasks";
  /** For the output `result`; empty where nothing is known to have been started. */
  result: string;
  /** What each result says, as a sentence. */
  words: Readonly<Record<string, string>>;
  /** Why the step fails, although the ledger could be worked with; null: it does not. */
  error: ActionError | null;
  /** Outputs of the action's own. */
  outputs: Readonly<Record<string, string>>;
  warnings: readonly string[];
  /** What a dry run would have sent; empty for any other. */
  prompts: string;
}

/** Most characters of the prompts that the summary of a dry run shows. */
const MAX_PROMPTS = 40_000;
const MOST_ITEMS = 20;

/**
 * Reports a run: outputs, log, summary.
 *
 * @returns whether the step fails
 */
export function reportLedgerRun(
  run: LedgerRun,
  ran: RunResult,
  report: LedgerReport,
  { outputs, log, cancellation }: Dependencies,
): boolean {
  const own = ledgerError(ran.end, run.settings.ref, report.what);
  // Requests to GitHub that were broken off by a signal say nothing about GitHub.
  const isStopped = cancellation.stop.aborted && own?.kind === "github-unavailable";
  const error = isStopped ? cancelledRun() : (own ?? report.error);
  const result = own === null ? (RESULTS[ran.end.type] ?? report.result) : "";
  const dashboardUrl = run.issueUrl(ran.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: ran.sha ?? "" };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  const said = report.words[result] ?? "Nothing is known to have been started";
  log.info(`${said}.`);
  log.debug(`Requests to GitHub: ${run.requests}.`);
  const paused = ran.end.type === "paused" ? [pausedText(ran.end)] : [];
  for (const text of [...ran.warnings, ...paused, ...report.warnings]) log.warning(text);
  if (report.prompts !== "") log.info(report.prompts);
  const heading = `### ${report.title}: ${error === null ? result : error.kind}`;
  const parts = [
    heading,
    error === null ? `${said}.` : codeBlock(error.message),
    ...summaryParts(ran),
    report.prompts === "" ? "" : codeBlock(report.prompts, MAX_PROMPTS),
    dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`,
  ];
  tryWriteSummary(outputs, log, parts.filter((part) => part !== "").join("\n\n"));
  if (error === null) return false;
  log.error(error.message);
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

/** Results that are the same for every action. */
const RESULTS: Partial<Record<RunEnd["type"], string>> = {
  skipped: "idle",
  busy: "busy",
  paused: "paused",
};

/** What came out of earlier runs, what this one handed over, and what needs a person. */
function summaryParts({ edit, finished, handed }: RunResult): string[] {
  if (edit === null) return [];
  const sent = handed.flatMap(({ batch, sent: outcome }) =>
    outcome.type === "accepted"
      ? [itemText(`Job ${inlineCode(outcome.jobId, 80)} ← `, batch.changes)]
      : [],
  );
  const undecided = changesThatNeedDecision(edit);
  return [
    listOf("Finished", finished.map(finishedItem)),
    listOf("Handed over", sent),
    undecided.length === 0 ? "" : `**Needs a decision:** ${countOf(undecided)}`,
  ];
}

function finishedItem({ state, prLink, jobId, changes }: HistoryLine): string {
  const outcome =
    state === "failed"
      ? `Failed: job ${inlineCode(jobId ?? "", 80)}`
      : (pullLink("Docs pull request", prLink) ?? "Nothing to change");
  return itemText(`${outcome} ← `, changes);
}

function listOf(title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const more = items.length - MOST_ITEMS;
  const rest = more > 0 ? [`- … and ${more} more`] : [];
  return [`**${title}**`, [...items.slice(0, MOST_ITEMS), ...rest].join("\n")].join("\n\n");
}

/** Changes that wait for a person. */
export function changesThatNeedDecision(edit: LedgerEdit) {
  return edit.ledger.batches.filter((it) => edit.needsDecision(it)).flatMap((it) => it.changes);
}

/** @param what follows from that */
export function noLedgerText({ settings }: LedgerRun, what: string): string {
  return `There is no ledger at ${settings.ref} yet: ${what}.`;
}

function pausedText({ closedBy, closedAt }: Extract<RunEnd, { type: "paused" }>): string {
  const by = closedBy === "" ? "" : ` by ${closedBy}`;
  const since = closedAt === "" ? "" : ` since ${closedAt}`;
  return `The dashboard is closed${since}${by}, so nothing is handed over. Reopen it to go on.`;
}

/** Why a run could not work with its ledger; null: it could. Nothing was sent then. */
function ledgerError(end: RunEnd, ref: string, what: string): ActionError | null {
  switch (end.type) {
    case "unavailable":
      return new ActionError(
        "github-unavailable",
        `The ledger ${ref} could not be read or written: ${end.why}.`,
        `Nothing was sent. The ${what} wait for the next run.`,
      );
    case "unusable":
      return invalidInput(end.problem);
    case "set-back":
      return invalidInput(
        `The ledger ${ref} was set back: its dashboard knows of later writes, up to commit ${end.sha}. Going on could hand over ${what} twice. To restore it: git push --force origin ${end.sha}:${ref} (after git fetch origin ${end.sha}). To keep it as it is, delete the dashboard.`,
      );
    default:
      return null;
  }
}
