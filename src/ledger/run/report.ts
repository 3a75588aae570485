import {
  type News,
  news,
  pullLink,
  pullsText,
  reportNews,
} from "../../github/conversation/news.ts";
import { type ActionError, cancelledRun } from "../../runtime/errors.ts";
import { codeBlock, inlineCode } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import { doneItem, REVIEWED, undecidedItems } from "../dashboard/render.ts";
import type { Change, HistoryLine } from "../model/ledger.ts";
import { itemText } from "../model/names.ts";
import type { Handed } from "../protocol/port.ts";
import type { RunResult } from "../protocol/run-ledger.ts";
import type { LedgerRun } from "./ledger-run.ts";

/** An action's part of the report. */
export interface LedgerReport {
  /** The noun for what is handed over. */
  what: "change" | "task";
  /** The verb for it, such as `handed over`. */
  handed: string;
  /** The output `result`; empty if nothing is known to have been started. */
  result: string;
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Outputs of the action's own. */
  outputs: Readonly<Record<string, string>>;
  warnings: readonly string[];
  /** What a dry run would have sent; empty for any other. */
  prompts: string;
}

/** Advice about a request that the service may have received. */
export const DECIDE =
  'Look for its job on the dashboard of the service. Then decide under "Needs a decision" on the dashboard issue: tick "Hand over again" if there is no job, and "Leave it" if there is one.';

/** Maximum length of the prompts in the summary of a dry run, in characters. */
const MAX_PROMPTS = 40_000;

/**
 * Reports a run in outputs, log and summary: first the results of earlier runs, then what this run handed over, and what
 * needs a person.
 *
 * @throws ActionError why the step fails
 */
export function reportLedgerRun(run: LedgerRun, ran: RunResult, report: LedgerReport): void {
  const { outputs, log, cancellation } = run.dependencies;
  const result = ran.stopped ?? report.result;
  const error = report.error ?? (cancellation.stop.aborted ? cancelledRun() : null);
  const dashboardUrl = run.issueUrl(ran.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: run.store.head.sha ?? "" };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  const why = ran.why || (WORDS[result] ?? "");
  log.debug(`Requests to GitHub: ${run.requests()}.`);
  if (report.prompts !== "") log.info(report.prompts);
  for (const text of [...ran.warnings, ...report.warnings]) log.warning(text);
  if (ran.why !== "") log.warning(why);
  else if (why !== "") log.info(why);
  const all = newsOf(ran, report);
  if (error === null || all.length > 0) {
    const prompts = report.prompts === "" ? "" : codeBlock(report.prompts, MAX_PROMPTS);
    const link = dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`;
    reportNews(all, [why, prompts, link], run.dependencies);
  }
  if (error !== null) throw error;
}

/** Explains values of the output `result` that nothing else explains. */
const WORDS: Readonly<Record<string, string>> = {
  busy: "As much is in progress as may be, or another run is active.",
  held: "Changes wait until the docs pull request is merged or closed.",
  limited: "The limit is reached; the rest waits for a later run.",
  finished: "Every task is at its end.",
  "dry-run": "Dry run: nothing was written or started.",
};

/** The number of changes or tasks in entries, in words. */
type Count = (entries: readonly { changes: readonly Change[] }[]) => string;

function newsOf(ran: RunResult, { what, handed: words, result }: LedgerReport): News[] {
  const { edit, handed } = ran;
  if (edit === null) return [];
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const accepted = handed.filter(({ sent }) => sent.type === "accepted");
  const planned = result === "dry-run" ? handed : [];
  const undecided = undecidedItems(edit);
  const needed = `${counted(undecided.length, "decision")} needed`;
  const count: Count = (entries) => counted(entries.flatMap(({ changes }) => changes).length, what);
  return [
    ...finishedNews(ran, count),
    ...news(title, accepted, `${count(accepted)} ${words}`, handedItem),
    ...news(`Would be ${words}`, planned, `${count(planned)} would be ${words}`, handedItem),
    ...news("Needs a decision", undecided, needed, ({ text }) => text),
  ];
}

function handedItem({ sent, changes }: Handed): string {
  const job = sent.type === "accepted" ? `Job ${inlineCode(sent.jobId, 80)}` : "";
  return itemText(job, changes);
}

function finishedNews({ finished, reviewed }: RunResult, count: Count): News[] {
  const {
    failed = [],
    none = [],
    pull = [],
  } = Object.groupBy(finished, ({ state, prLink }) => {
    if (state === "failed") return "failed";
    if (prLink === null) return "none";
    // A docs pull request that was merged at once is reported once.
    return reviewed.some((review) => review.prLink === prLink) ? "reported" : "pull";
  });
  return [
    ...Object.entries(REVIEWED).flatMap(([state, words]) => {
      const entries = reviewed.filter(({ result }) => result === state);
      return news("Finished", entries, `${pullsText(entries)} ${words}`, doneItem);
    }),
    ...news("Finished", pull, `${pullsText(pull)} for ${count(pull)}`, finishedItem),
    ...news("Finished", none, `nothing to change for ${count(none)}`, finishedItem),
    ...news("Finished", failed, `${counted(failed.length, "job")} failed`, finishedItem),
  ];
}

function finishedItem({ state, prLink, jobId, changes }: HistoryLine): string {
  const done = prLink === null ? "Nothing to change" : pullLink("Docs pull request", prLink);
  return itemText(
    state === "failed" ? `Failed: job ${inlineCode(jobId ?? "", 80)}` : done,
    changes,
  );
}
