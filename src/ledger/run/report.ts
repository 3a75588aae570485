import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../../runtime/errors.ts";
import { tryWriteSummary } from "../../runtime/step-outputs.ts";
import { codeBlock, plainText } from "../../text/markdown.ts";
import { pullLink } from "../dashboard/change-text.ts";
import type { RunEnd, RunResult } from "../protocol/run-ledger.ts";
import type { LedgerRun } from "./ledger-run.ts";
import { type News, type NewsWords, newsOf } from "./news.ts";

/** What a run of an action came to. */
export interface LedgerReport extends NewsWords {
  /** The action, for a heading. */
  title: string;
  /** Of results that nothing else tells of: what each says, as a sentence. */
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
 * Reports a run: outputs, log, summary. Both begin with what came out of earlier runs, then tell what this one handed
 * over, and what needs a person.
 *
 * @returns whether the step fails
 */
export function reportLedgerRun(
  run: LedgerRun,
  ran: RunResult,
  report: LedgerReport,
  { outputs, log, cancellation }: Dependencies,
): boolean {
  const own = ledgerError(ran.end, run.settings.ref, `${report.what}s`);
  // Requests to GitHub that were broken off by a signal say nothing about GitHub.
  const isStopped = cancellation.stop.aborted && own?.kind === "github-unavailable";
  const error = isStopped ? cancelledRun() : (own ?? report.error);
  const result = own === null ? (RESULTS[ran.end.type] ?? report.result) : "";
  const dashboardUrl = run.issueUrl(ran.dashboard);
  const values = { result, ...report.outputs, dashboardUrl, ledgerSha: ran.sha ?? "" };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
  const why = ran.end.type === "paused" ? pausedText(ran.end) : (report.words[result] ?? "");
  log.debug(`Requests to GitHub: ${run.requests}.`);
  if (report.prompts !== "") log.info(report.prompts);
  for (const text of [...ran.warnings, ...report.warnings]) log.warning(text);
  if (ran.end.type === "paused") log.warning(why);
  else if (why !== "") log.info(why);
  if (error !== null) log.error(error.message);
  const said = (news: readonly News[]) => {
    const words = [...news.map((it) => it.words), ...(error === null ? [] : ["the run failed"])];
    return `${report.title}: ${words.join(", ") || "nothing new"}`;
  };
  log.info(`${said(newsOf(ran, report, (link) => `docs pull request ${link}`))}.`);
  const news = newsOf(
    ran,
    report,
    (link) => pullLink("docs pull request", link) ?? "docs pull request",
  );
  const lists = Map.groupBy(news, ({ title }) => title);
  const parts = [
    `### ${error === null ? "" : "❌ "}${said(news)}`,
    // Marks of the one do not pair with those of the other.
    error === null ? plainText(why) : `${plainText(error.what)} ${plainText(error.advice)}`,
    ...[...lists].map(([title, some]) =>
      listOf(
        title,
        some.flatMap(({ items }) => items),
      ),
    ),
    report.prompts === "" ? "" : codeBlock(report.prompts, MAX_PROMPTS),
    dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`,
  ];
  tryWriteSummary(outputs, log, parts.filter((part) => part !== "").join("\n\n"));
  if (error === null) return false;
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

function listOf(title: string, items: readonly string[]): string {
  const more = items.length - MOST_ITEMS;
  const rest = more > 0 ? [`- … and ${more} more`] : [];
  return `**${title}**\n\n${[...items.slice(0, MOST_ITEMS), ...rest].join("\n")}`;
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
