import { type Link, type News, news, pullLink, pullsText, reportNews } from "../../github/news.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { type ActionError, cancelledRun } from "../../runtime/errors.ts";
import { codeBlock, inlineCode } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import { doneItem, REVIEWED, undecidedItems } from "../dashboard/render.ts";
import type { Change, HistoryLine } from "../model/ledger.ts";
import { itemText } from "../model/names.ts";
import type { RunResult } from "../protocol/run-ledger.ts";
import type { LedgerRun } from "./ledger-run.ts";

/** What a run reports. */
export interface LedgerReport {
  /** What is handed over: one of them. */
  what: "change" | "task";
  /** What becomes of it: `handed over`. */
  handed: string;
  /** For the output `result`; empty where nothing is known to have been started. */
  result: string;
  /** Why the step fails, although the ledger could be worked with; null: it does not. */
  error: ActionError | null;
  /** Outputs of the action's own. */
  outputs: Readonly<Record<string, string>>;
  warnings: readonly string[];
  /** What a dry run would have sent; empty for any other. */
  prompts: string;
}

/** What a person does about a request that the service may have received. */
export const DECIDE =
  'Look for its job on the dashboard of the service. Then decide under "Needs a decision" on the dashboard issue: tick "Hand over again" if there is no job, and "Leave it" if there is one.';

/** Most characters of the prompts that the summary of a dry run shows. */
const MAX_PROMPTS = 40_000;

/**
 * Reports a run: outputs, log, summary. Both begin with what came out of earlier runs, then tell what this one handed
 * over, and what needs a person.
 *
 * @returns whether the step fails
 */
export function reportLedgerRun(
  run: LedgerRun,
  ran: RunResult,
  report: LedgerReport,
  dependencies: Dependencies,
): boolean {
  const { outputs, log, cancellation } = dependencies;
  const result = ran.stopped ?? report.result;
  const error = report.error ?? (cancellation.stop.aborted ? cancelledRun() : null);
  const dashboardUrl = run.issueUrl(ran.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: ran.sha ?? "" };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  const why = ran.why || (WORDS[result] ?? "");
  log.debug(`Requests to GitHub: ${run.requests()}.`);
  if (report.prompts !== "") log.info(report.prompts);
  for (const text of [...ran.warnings, ...report.warnings]) log.warning(text);
  if (ran.why !== "") log.warning(why);
  else if (why !== "") log.info(why);
  const prompts = report.prompts === "" ? "" : codeBlock(report.prompts, MAX_PROMPTS);
  return reportNews(
    {
      newsOf: (link) => newsOf(ran, report, link),
      error,
      before: error === null ? why : "",
      after: [prompts, dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`],
    },
    dependencies,
  );
}

/** What a value of the output `result` says that nothing else tells. */
const WORDS: Readonly<Record<string, string>> = {
  busy: "As much is in progress as may be, or another run is active.",
  held: "Changes wait until the docs pull request is merged or closed.",
  limited: "The limit is reached; the rest waits for a later run.",
  finished: "Every task is at its end.",
  "dry-run": "Dry run: nothing was written or started.",
};

/** What came out of earlier runs, what this one handed over, and what needs a person. */
function newsOf(ran: RunResult, { what, handed: words, result }: LedgerReport, link: Link): News[] {
  const { edit, handed } = ran;
  if (edit === null) return [];
  const taken = handed.flatMap(({ batch, sent }) =>
    sent.type === "accepted" ? [{ ...batch, jobId: sent.jobId }] : [],
  );
  const planned = result === "dry-run" ? handed.map(({ batch }) => batch) : [];
  const isRefused = ({ id }: { id: string }) =>
    handed.some(({ batch, sent }) => batch.id === id && sent.type === "rejected");
  const { refused = [], others = [] } = Object.groupBy(undecidedItems(edit), (it) =>
    isRefused(it) ? "refused" : "others",
  );
  return [
    ...finishedNews(ran, what, link),
    ...news(
      `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
      taken,
      (some) => `${changesText(some, what)} ${words}`,
      ({ jobId, changes }) => itemText(`Job ${inlineCode(jobId, 80)}`, changes),
    ),
    ...news(
      `Would be ${words}`,
      planned,
      (some) => `${changesText(some, what)} would be ${words}`,
      ({ changes }) => itemText("", changes),
    ),
    ...news("Refused", refused, () => `${counted(refused.length, what)} refused`, textOf),
    ...news(
      "Needs a decision",
      others,
      () => `${counted(others.length, "decision")} needed`,
      textOf,
    ),
  ];
}

function finishedNews({ finished, reviewed }: RunResult, what: string, link: Link): News[] {
  const pulls = (some: readonly { prLink: string | null }[]) =>
    pullsText(
      some.map(({ prLink }) => prLink),
      link,
    );
  const { failed, none, pull } = Object.groupBy(finished, ({ state, prLink }) => {
    if (state === "failed") return "failed";
    if (prLink === null) return "none";
    // What was merged at once is told once.
    return reviewed.some((it) => it.prLink === prLink) ? "told" : "pull";
  });
  const lines = (some: HistoryLine[] = [], words: (some: readonly HistoryLine[]) => string) =>
    news("Finished", some, words, finishedItem);
  return [
    ...Object.entries(REVIEWED).flatMap(([state, words]) => {
      const some = reviewed.filter(({ result }) => result === state);
      return news("Finished", some, () => `${pulls(some)} ${words}`, doneItem);
    }),
    ...lines(pull, (some) => `${pulls(some)} for ${changesText(some, what)}`),
    ...lines(none, (some) => `nothing to change for ${changesText(some, what)}`),
    ...lines(failed, (some) => `${counted(some.length, "job")} failed`),
  ];
}

function changesText(some: readonly { changes: readonly Change[] }[], what: string): string {
  return counted(some.flatMap(({ changes }) => changes).length, what);
}

function textOf({ text }: { text: string }): string {
  return text;
}

function finishedItem({ state, prLink, jobId, changes }: HistoryLine): string {
  const outcome =
    state === "failed"
      ? `Failed: job ${inlineCode(jobId ?? "", 80)}`
      : (pullLink("Docs pull request", prLink) ?? "Nothing to change");
  return itemText(outcome, changes);
}
