/** What a run of land says when it is over: outputs, log, summary, and the digest. */

import { isDeepStrictEqual } from "node:util";
import { changeText } from "../batches/model/names.ts";
import { type News, news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import { dryRunText } from "../ledger/dry-run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { needsOf, type PullDecision } from "./decide.ts";
import type { LandRun } from "./land-run.ts";
import type { LandLedger } from "./ledger.ts";
import { type MonthReport, monthReport, monthReportText } from "./month-report.ts";
import type { ReportedPull } from "./outcome.ts";
import { countsOf } from "./problems.ts";
import { problemsText } from "./reason-kinds.ts";
import { type LandReason, plainText, reasonText } from "./reasons.ts";
import { isAction } from "./record.ts";
import { mayName, repositoryIn, UNSEEN_ONE } from "./visibility.ts";
import { waitText } from "./waits.ts";

/** After so many consecutive docs pull requests that were closed without merging, the run warns. */
const UNMERGED_IN_A_ROW = 10;
const MOST_ITEMS = 50;

/**
 * Reports a run in outputs, log and summary.
 *
 * @param isDryRun whether nothing was written
 * @param head the ledger at its end, or as a dry run would write it, and its commit; null if there is none
 */
export function reportLand(
  { ledger, sha }: { readonly ledger: LandLedger; readonly sha: string | null },
  pulls: readonly ReportedPull[],
  isDryRun: boolean,
  { inputs, repository, store, dependencies }: LandRun,
): void {
  const { outputs, log } = dependencies;
  const report = monthReport(ledger, store.now);
  const items = pulls.map((pull) => withoutHidden(itemOf(pull, isDryRun), repository));
  const values = outputsOf(items, report);
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, String(value));
  outputs.setOutput("ledgerSha", sha);
  warnIfNoneIsMerged(ledger, log);
  for (const { pull, needs, line, isNamed } of items) {
    const name = isNamed ? pull.entry.url : `A docs pull request ${UNSEEN_ONE}`;
    const isNew = !isDeepStrictEqual(needs, pull.needed);
    if (needs !== null && isNew) log.warning(`${name}: ${line}`);
    log.info(`${name}: ${needs === null ? "" : "Needs a person: "}${line}`);
  }
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const title = `${dependencies.title}${isDryRun ? " (dry run)" : ""}`;
  const dry = isDryRun ? [dryRunText(inputs.dryRun)] : [];
  for (const text of dry) log.info(text);
  const month = isEmpty ? [] : [monthReportText(report)];
  reportNews(newsOf(items), [...dry, ...month], { title, outputs, log });
}

/** The outputs by their names, but for the ledger's commit. */
function outputsOf(
  items: readonly ReportItem[],
  report: MonthReport,
): Record<string, string | number> {
  const open = items.filter(({ pull }) => pull.state === "open");
  const count = (title: ReportItem["title"]) => items.filter((item) => item.title === title).length;
  const pullRequests = items.map((item) => ({
    url: item.pull.entry.url,
    state: item.pull.state,
    jobId: item.pull.entry.jobId,
    followUps: item.pull.entry.followUps.length,
    reason: reasonOutput(item),
    changes: item.pull.entry.changes.map((change) => change.url),
  }));
  return {
    openCount: open.length,
    mergedCount: count("Merged"),
    closedCount: count("Closed"),
    followUpCount: count("Sent back to the agent"),
    needsPersonCount: items.filter(({ needs }) => needs !== null).length,
    pullRequests: JSON.stringify(pullRequests),
    report: JSON.stringify(report),
    digest: digestOf(report, open),
  };
}

/** Why it is not merged; null if it is over, or something else is done about it. */
function reasonOutput({ pull: { state, decision, entry, achieved }, line }: ReportItem) {
  const sent = entry.followUps.at(-1);
  if (achieved === "sent" && sent !== undefined) {
    return { code: "follow-up-open", text: line, waitsFor: "agent", since: sent.at };
  }
  if (state !== "open" || decision.type !== "wait") return null;
  const { reason, waitsFor, since } = decision;
  return { code: reason.code, text: line, waitsFor, since };
}

function warnIfNoneIsMerged({ ended }: LandLedger, log: Dependencies["log"]): void {
  const last = ended.slice(-UNMERGED_IN_A_ROW);
  if (last.length < UNMERGED_IN_A_ROW || last.some(({ state }) => state !== "closed")) return;
  log.warning(
    `The last ${UNMERGED_IN_A_ROW} docs pull requests were closed without merging. ` +
      "Read what reviewers wrote about them, and check the prompt that they were made with.",
  );
}

/** First the docs pull requests that changed, then those that need a person, then those that wait. */
const LISTS = {
  Merged: (pulls: string) => `${pulls} merged`,
  Closed: (pulls: string) => `${pulls} closed without merging`,
  "Sent back to the agent": (_: string, count: number) => `${counted(count, "follow-up")} sent`,
  "Would be done": (pulls: string) => `${pulls} would change`,
  "Needs a person": (pulls: string, count: number) =>
    `${pulls} ${count === 1 ? "needs" : "need"} a person`,
  Open: () => "",
};

/** A docs pull request in a report. */
export interface ReportItem {
  readonly pull: ReportedPull;
  /** Why it needs a person; null if it does not. */
  readonly needs: LandReason | null;
  /** Of the list that it belongs to. */
  readonly title: keyof typeof LISTS;
  /** What the run did, or why it did nothing. */
  readonly line: string;
  /** Whether everyone who can see the report can see its repository. */
  readonly isNamed: boolean;
}

/** Without what not everyone may know. */
function withoutHidden(item: Omit<ReportItem, "isNamed">, repository: string): ReportItem {
  const { entry, visibility } = item.pull;
  const seen = visibility?.inLog ?? [repository.toLowerCase()];
  if (mayName(seen, repositoryIn(entry.url))) return { ...item, isNamed: true };
  return { ...item, line: unnamedLine(item), isNamed: false };
}

function unnamedLine({ pull: { decision }, needs }: Omit<ReportItem, "isNamed">): string {
  const plain = decision.type === "wait" ? plainText(decision.reason) : null;
  if (plain !== null) return plain;
  return needs === null ? "The comment on it says more." : "The comment on it says why.";
}

function itemOf(pull: ReportedPull, isDryRun: boolean): Omit<ReportItem, "isNamed"> {
  const { state, decision, achieved } = pull;
  const needs = needsOf(decision);
  if (state !== "open") {
    const title = state === "merged" ? "Merged" : "Closed";
    const isByRun = achieved === "merged" || achieved === "closed";
    return { pull, needs, title, line: `${title}${isByRun ? " by this run" : ""}.` };
  }
  const reason = textOf(decision) ?? "It is ready to be merged.";
  if (achieved === "sent") {
    const line = `A follow-up about ${reason} was sent.`;
    return { pull, needs, title: "Sent back to the agent", line };
  }
  if (needs !== null) return { pull, needs, title: "Needs a person", line: reason };
  const line = decision.type === "follow-up" ? `A follow-up is due: ${reason}.` : reason;
  return {
    pull,
    needs,
    title: isDryRun && isAction(decision.type) ? "Would be done" : "Open",
    line,
  };
}

/** Why it is decided; for a follow-up, its problems. Null if there is nothing to say. */
function textOf(decision: PullDecision): string | null {
  if (decision.type === "follow-up") return problemsText(countsOf(decision.problems));
  if (decision.type === "wait") return waitText(decision);
  return "reason" in decision ? reasonText(decision.reason) : null;
}

function newsOf(items: readonly ReportItem[]): News[] {
  return Object.entries(LISTS).flatMap(([title, wordsOf]) => {
    const group = items.filter((item) => item.title === title);
    const isOneUnnamed = group.length === 1 && group[0]?.isNamed === false;
    const pulls = isOneUnnamed
      ? "1 docs pull request"
      : pullsText(group.map(({ pull }) => ({ prLink: pull.entry.url })));
    const words = wordsOf(pulls, group.length);
    // The list's title says how it ended.
    return news(title, group, words, (item) =>
      itemText(item, item.pull.decision.type === "ended" ? null : item.line),
    );
  });
}

/** @param details added to it; null for none */
function itemText({ pull, isNamed }: ReportItem, details: string | null): string {
  const { entry, visibility } = pull;
  const seen = visibility?.inLog ?? [];
  const named = entry.changes.filter(({ repository }) => mayName(seen, repository));
  const about = isNamed ? named.slice(0, 3).map(changeText).join(", ") : "";
  const words = "docs pull request";
  const link = isNamed ? pullLink(words, entry.url) : `${words} ${UNSEEN_ONE}`;
  return `- ${link}${about === "" ? "" : ` ← ${about}`}${details === null ? "" : `: ${details}`}`;
}

/** The last 30 days and what is open, as a message to a chat or an issue. */
export function digestOf(report: MonthReport, open: readonly ReportItem[]): string {
  const items = listed(
    open.map((item) => itemText(item, item.needs === null ? null : item.line)),
    MOST_ITEMS,
  );
  const list = items.length === 0 ? [] : ["**Open**", items.join("\n")];
  return [monthReportText(report), ...list].join("\n\n");
}
