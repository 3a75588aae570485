import { type News, news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import type { DryRun } from "../inputs/ledger.ts";
import { errorOf } from "../job/send.ts";
import { dryRunText } from "../ledger/dry-run.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { textOfReason } from "../runtime/reason.ts";
import { codeBlock } from "../text/markdown.ts";
import { capitalized, counted, sentence } from "../text/sentence.ts";
import { type BatchValue, isRefusedContent, startedIn } from "./batch-program.ts";
import { detailsOf, foldedDetails, jobDetails } from "./dashboard/details.ts";
import { doneItem, REVIEWED } from "./dashboard/render.ts";
import { haltDetails, undecidedItems } from "./dashboard/undecided-items.ts";
import { decideAdvice, goOnAdvice, haltText } from "./halt.ts";
import type { Change, HistoryLine } from "./model/ledger.ts";
import { itemText, nameOf } from "./model/names.ts";
import type { BatchRevision } from "./model/revision.ts";
import type { BatchOutcome, DecidedRun, Handed } from "./outcome.ts";
import { type RunTable, WARNINGS } from "./reasons.ts";
import { isOverdue } from "./waits.ts";

/** An action's part of the report. */
export interface BatchReport {
  /** The noun for what is handed over. */
  noun: "change" | "task";
  /** The verb for it, such as `handed over`. */
  verb: string;
  /** The output `result`; null if nothing is known to have been started. */
  result: RunTable[string]["result"] | "started" | "continued" | "dry-run" | null;
  /** As in the inputs, for what a dry run says. */
  dryRun: DryRun;
  /** Why no more was handed over, for people; null if there is no more to say. */
  explanation: string | null;
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Outputs of the action's own. */
  outputs: Readonly<Record<string, string | null>>;
  warnings: readonly string[];
  /** What a dry run would have sent; null for any other. */
  prompts: string | null;
}

/** What became of the last request that was made; null for none. What was not sent was not begun. */
export function lastDelivery(handed: readonly Handed[]): Delivery<BatchValue> | null {
  const deliveries = handed.flatMap(({ delivery }) => delivery ?? []);
  return deliveries.findLast(isBegun) ?? null;
}

function isBegun(delivery: Delivery<BatchValue>): boolean {
  return delivery.type !== "not-sent" || delivery.code === "unreached";
}

/**
 * Why the step fails because of requests; null if it does not. What the service refuses to take is a warning.
 *
 * @param dashboard the number of its issue; null for none
 */
export function requestError(
  handed: readonly Handed[],
  revision: BatchRevision,
  dashboard: number | null,
): ActionError | null {
  const last = lastDelivery(handed);
  if (last === null || isRefusedContent(last)) return null;
  if (last.type === "limited") return limitError(revision);
  if (last.type !== "uncertain" || last.error === null) return errorOf(last);
  const { kind, problem, advice } = last.error;
  return new ActionError(kind, problem, `${advice} ${decideAdvice(dashboard !== null)}`);
}

/** Only a limit that has let nothing through for long is an error. */
function limitError(revision: BatchRevision): ActionError | null {
  const { limitedSince } = revision.ledger;
  if (limitedSince === null || !isOverdue("service-limit", limitedSince, revision)) return null;
  return new ActionError(
    "rate-limited",
    `The service's hourly limit has let nothing through since ${limitedSince}.`,
    "Something else uses the project's 100 uses per hour: find it on Mintlify's dashboard.",
  );
}

/** Whether the service has no credits left. */
export function hadNoCredits(delivery: Delivery<BatchValue> | null): boolean {
  return delivery?.type === "refused" && delivery.by === "credits";
}

/** What the service refused by itself, and that it takes no more for now. */
export function requestWarnings(handed: readonly Handed[]): string[] {
  const refused = handed.flatMap(({ act, delivery }) => {
    const [change, ...others] = act.changes;
    const isOne = change !== undefined && others.length === 0;
    if (delivery === null || !isRefusedContent(delivery) || !isOne) return [];
    const { problem, advice } = delivery.error;
    const reason = advice === null ? sentence(problem) : `${sentence(problem)} ${advice}`;
    return [
      `The service refused the ${change.kind} ${nameOf(change)}: ${reason} It needs a decision.`,
    ];
  });
  const isLimited = lastDelivery(handed)?.type === "limited";
  return isLimited ? [...refused, textOfReason(WARNINGS, { code: "service-limit" })] : refused;
}

/** Maximum length of the prompts in the summary of a dry run, in characters. */
const MAX_PROMPTS = 40_000;

/**
 * Reports a run in outputs, log and summary: first the results of earlier runs, then what this run handed over, and
 * what needs a person.
 *
 * @throws ActionError why the step fails
 */
export function reportBatches(
  run: {
    requests(): number;
    issueUrl(number: number | null): string | null;
    readonly store: { readonly head: { readonly sha: string | null } };
    readonly dependencies: Dependencies;
  },
  outcome: BatchOutcome,
  report: BatchReport,
): void {
  const { outputs, log, cancellation } = run.dependencies;
  const decided = outcome.type === "decided" ? outcome : null;
  const isDryRun = report.result === "dry-run";
  const halt = isDryRun ? null : haltError(decided?.halted ?? null, outcome.dashboard !== null);
  const isHeld = halt !== null && (report.result === null || report.result === "idle");
  const result = isHeld ? "held" : report.result;
  const error =
    halt ?? report.error ?? (cancellation.stop.aborted ? cancelledRun(ALL_RECORDED) : null);
  const dashboardUrl = run.issueUrl(outcome.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: run.store.head.sha };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  log.debug(`Requests to GitHub: ${run.requests()}.`);
  if (report.prompts !== null) log.info(report.prompts);
  for (const text of [...outcome.warnings, ...report.warnings]) log.warning(text);
  const sentences = [isDryRun ? dryRunText(report.dryRun) : null, report.explanation];
  const explanation = sentences.filter((text) => text !== null).join(" ");
  const { code } = outcome.reason;
  const isWarning = code === "paused" || (code === "halted" && halt === null);
  if (isWarning) log.warning(explanation);
  else if (explanation !== "" && !report.warnings.includes(explanation)) log.info(explanation);
  const all = decided === null ? [] : newsOf(decided, report);
  if (error === null || all.length > 0) {
    const prompts = report.prompts === null ? "" : codeBlock(report.prompts, MAX_PROMPTS);
    const link = dashboardUrl === null ? "" : `[Dashboard](${dashboardUrl})`;
    const below = decided === null ? [] : belowLists(decided);
    reportNews(all, [...below, explanation, prompts, link], run.dependencies);
  }
  if (error !== null) throw error;
}

/** Why the step fails if this run has found too many failures; later runs only warn. */
function haltError(halted: DecidedRun["halted"], hasBoxes: boolean): ActionError | null {
  if (halted === null || !halted.isNew) return null;
  const advice = goOnAdvice(hasBoxes);
  return new ActionError("job-failed", haltText(halted.halt).problem, advice);
}

/** The number of changes or tasks in entries, in words. */
function countText(entries: readonly { changes: readonly Change[] }[], noun: string): string {
  return counted(entries.flatMap(({ changes }) => changes).length, noun);
}

function newsOf(decided: DecidedRun, { noun, verb, result }: BatchReport): News[] {
  const { revision, handed } = decided;
  const title = capitalized(verb);
  const acts = handed.map((entry) => ({ ...entry, changes: entry.act.changes }));
  const accepted = acts.filter((entry) => entry.delivery?.type === "accepted");
  const planned = result === "dry-run" ? acts : [];
  const undecided = undecidedItems(revision).items;
  const needed = `${counted(undecided.length, "decision")} needed`;
  return [
    ...finishedNews(decided, noun),
    ...news(title, accepted, `${countText(accepted, noun)} ${verb}`, handedItem),
    ...news(
      `Would be ${verb}`,
      planned,
      `${countText(planned, noun)} would be ${verb}`,
      handedItem,
    ),
    ...news("Needs a decision", undecided, needed, ({ text }) => text),
  ];
}

const handedItem = ({ act }: Handed) => itemText("", act.changes);

/** What to do about what needs a decision, and the IDs of all that the lists name. */
function belowLists({ revision, finished, reviewed, handed }: DecidedRun): string[] {
  const undecided = undecidedItems(revision);
  const details = [
    ...reviewed.map((entry) => doneItem(entry).details),
    ...finished
      .filter(({ state }) => state === "failed")
      .map(({ changes, jobId }) => detailsOf(changes, jobDetails(jobId))),
    ...handed.map(({ act, delivery }) =>
      detailsOf(act.changes, jobDetails(startedIn(delivery)?.job.id ?? null)),
    ),
    ...haltDetails(revision),
    ...undecided.items.map((item) => item.details),
  ];
  const shown = new Set(details.filter((line) => line !== null));
  return [...undecided.advice, ...foldedDetails([...shown])];
}

/** What became of docs pull requests, and under *Finished* the same batches as in the output `finished`. */
function finishedNews({ finished, reviewed }: DecidedRun, noun: string): News[] {
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
      return news(
        "Docs pull requests",
        entries,
        `${pullsText(entries)} ${words}`,
        (entry) => doneItem(entry).text,
      );
    }),
    ...news("Finished", reported, "", finishedItem),
    ...news("Finished", pull, `${pullsText(pull)} for ${countText(pull, noun)}`, finishedItem),
    ...news("Finished", none, `nothing to change for ${countText(none, noun)}`, finishedItem),
    ...news("Finished", failed, `${counted(failed.length, "job")} failed`, finishedItem),
  ];
}

function finishedItem({ state, prLink, changes }: HistoryLine): string {
  const done = prLink === null ? "Nothing to change" : pullLink("Docs pull request", prLink);
  return itemText(state === "failed" ? "Failed" : done, changes);
}
