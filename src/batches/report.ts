import { type News, news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import type { Delivery } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { codeBlock, inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { Reason } from "./batch-program.ts";
import type { BatchRun } from "./batch-run.ts";
import { doneItem, haltText, REVIEWED, undecidedItems } from "./dashboard/render.ts";
import type { Change, Halt, HistoryLine } from "./model/ledger.ts";
import { itemText } from "./model/names.ts";
import type { BatchResult, Decided, Handed, Stop } from "./run-batches.ts";

/** The output `result` of a run that decided. */
export type ResultWord = Reason | "started" | "continued" | "finished" | "dry-run";

/** An action's part of the report. */
export interface BatchReport {
  /** The noun for what is handed over. */
  noun: "change" | "task";
  /** The verb for it, such as `handed over`. */
  verb: string;
  /** The output `result`, if the run decided; null if nothing is known to have been started. */
  result: ResultWord | null;
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Outputs of the action's own. */
  outputs: Readonly<Record<string, string | null>>;
  warnings: readonly string[];
  /** What a dry run would have sent; null for any other. */
  prompts: string | null;
}

/** The result of the last request that was made; null for none. What was withdrawn was not begun. */
export function lastDelivery(handed: readonly Handed[]): Delivery | BasicResult | null {
  const results = handed.map(({ result }) => result);
  return results.findLast(({ type }) => type !== "withdrawn") ?? null;
}

/** Advice about a request that the service may have received. */
export const DECIDE =
  'Look for its job on the dashboard of the service. Then decide under "Needs a decision" on the dashboard issue: tick "Hand over again" if there is no job, and "Leave it" if there is one.';

/** Maximum length of the prompts in the summary of a dry run, in characters. */
const MAX_PROMPTS = 40_000;

/** What the report needs of a run. */
interface ReportedRun extends Pick<BatchRun, "requests" | "issueUrl" | "dependencies"> {
  store: { head: { sha: string | null } };
}

/**
 * Reports a run in outputs, log and summary: first the results of earlier runs, then what this run handed over, and
 * what needs a person.
 *
 * @throws ActionError why the step fails
 */
export function reportBatches(
  run: ReportedRun,
  done: BatchResult<unknown>,
  report: BatchReport,
): void {
  const { outputs, log, cancellation } = run.dependencies;
  const { decided } = done;
  const result = resultIn(done, report);
  const isDryRun = result === "dry-run";
  const halted = decided?.halted ?? null;
  const halt = isDryRun ? null : haltError(halted);
  const error =
    halt ?? report.error ?? (cancellation.stop.aborted ? cancelledRun(ALL_RECORDED) : null);
  const dashboardUrl = run.issueUrl(done.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: run.store.head.sha };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  const reason = isDryRun && decided !== null ? decided.reason : result;
  const pause = done.type === "stopped" && done.stop.type === "paused" ? done.stop.reason : null;
  const held = reason === "held" ? heldText(halted) : null;
  const words = reason === null ? null : wordsFor(reason, report);
  const sentences = [isDryRun ? DRY_RUN_TEXT : null, pause ?? held ?? words];
  const explanation = sentences.filter((text) => text !== null).join(" ");
  log.debug(`Requests to GitHub: ${run.requests()}.`);
  if (report.prompts !== null) log.info(report.prompts);
  for (const text of [...done.warnings, ...report.warnings]) log.warning(text);
  const isWarning = pause !== null || (held !== null && halt === null);
  if (isWarning) log.warning(explanation);
  else if (explanation !== "") log.info(explanation);
  const all = decided === null ? [] : newsOf(decided, report);
  if (error === null || all.length > 0) {
    const prompts = report.prompts === null ? "" : codeBlock(report.prompts, MAX_PROMPTS);
    const link = dashboardUrl === null ? "" : `[Dashboard](${dashboardUrl})`;
    reportNews(all, [explanation, prompts, link], run.dependencies);
  }
  if (error !== null) throw error;
}

/** The output `result`; null if nothing is known to have been started. */
function resultIn(
  done: BatchResult<unknown>,
  report: BatchReport,
): ResultWord | Stop["type"] | null {
  if (done.type === "stopped") return done.stop.type;
  return done.type === "busy" ? "busy" : report.result;
}

const DRY_RUN_TEXT = "Dry run: nothing was written or started.";

/** Why the step fails if this run has found too many failures; later runs only warn. */
function haltError(halted: Decided<unknown>["halted"]): ActionError | null {
  if (halted === null || !halted.isNew) return null;
  const { problem } = haltText(halted.halt);
  const kind = halted.halt.type === "failed" ? "job-failed" : "bad-request";
  return new ActionError(kind, problem, goOnAdvice(halted.halt));
}

/** Which failures hold the rest back; null if none do. */
function heldText(halted: Decided<unknown>["halted"]): string | null {
  if (halted === null) return null;
  return `${haltText(halted.halt).problem} ${goOnAdvice(halted.halt)}`;
}

function goOnAdvice(halt: Halt): string {
  const box = 'tick "Go on" under "Needs a decision" on the dashboard issue';
  return halt.type === "failed"
    ? `Look at the failed jobs on the service's dashboard. Then ${box}, or raise \`max-failures\`.`
    : `Read why on the dashboard issue, and correct the task file. Then ${box}.`;
}

/** Why no more was handed over, by the output `result` that says so; null if there is no more to say. */
function wordsFor(
  result: ResultWord | Stop["type"],
  { noun }: Pick<BatchReport, "noun">,
): string | null {
  switch (result) {
    case "busy":
      return "The maximum number of jobs is already in progress, or another run is active.";
    case "held":
      return "Changes wait until the docs pull request is merged or closed.";
    case "limited":
      return "The limit is reached; the rest waits for a later run.";
    case "finished":
      return `All ${noun}s are finished.`;
    default:
      return null;
  }
}

/** The number of changes or tasks in entries, in words. */
type Count = (entries: readonly { changes: readonly Change[] }[]) => string;

function newsOf(decided: Decided<unknown>, { noun, verb, result }: BatchReport): News[] {
  const { revision, handed } = decided;
  const title = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  const acts = handed.map((entry) => ({ ...entry, changes: entry.act.changes }));
  const accepted = acts.filter((entry) => entry.result.type === "accepted");
  const planned = result === "dry-run" ? acts : [];
  const undecided = undecidedItems(revision);
  const needed = `${counted(undecided.length, "decision")} needed`;
  const count: Count = (entries) => counted(entries.flatMap(({ changes }) => changes).length, noun);
  return [
    ...finishedNews(decided, count),
    ...news(title, accepted, `${count(accepted)} ${verb}`, handedItem),
    ...news(`Would be ${verb}`, planned, `${count(planned)} would be ${verb}`, handedItem),
    ...news("Needs a decision", undecided, needed, ({ text }) => text),
  ];
}

function handedItem({ result, act }: Handed): string {
  const job = result.type === "accepted" ? `Job ${inlineCode(result.job.id, 80)}` : "";
  return itemText(job, act.changes);
}

/** What became of docs pull requests, and under *Finished* the same batches as in the output `finished`. */
function finishedNews({ finished, reviewed }: Decided<unknown>, count: Count): News[] {
  const {
    failed = [],
    none = [],
    pull = [],
    reported = [],
  } = Object.groupBy(finished, ({ state, prLink }) => {
    if (state === "failed") return "failed";
    if (prLink === null) return "none";
    // The heading names a docs pull request that was merged at once only once.
    return reviewed.some((review) => review.prLink === prLink) ? "reported" : "pull";
  });
  return [
    ...Object.entries(REVIEWED).flatMap(([state, words]) => {
      const entries = reviewed.filter(({ result }) => result === state);
      return news("Docs pull requests", entries, `${pullsText(entries)} ${words}`, doneItem);
    }),
    ...news("Finished", reported, "", finishedItem),
    ...news("Finished", pull, `${pullsText(pull)} for ${count(pull)}`, finishedItem),
    ...news("Finished", none, `nothing to change for ${count(none)}`, finishedItem),
    ...news("Finished", failed, `${counted(failed.length, "job")} failed`, finishedItem),
  ];
}

function finishedItem({ state, prLink, jobId, changes }: HistoryLine): string {
  const job = jobId === null ? "" : `: job ${inlineCode(jobId, 80)}`;
  const done = prLink === null ? "Nothing to change" : pullLink("Docs pull request", prLink);
  return itemText(state === "failed" ? `Failed${job}` : done, changes);
}
