/** Land's report: outputs, summary, and the digest of the last 30 days. */

import { changeText } from "../batches/model/names.ts";
import { type News, news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import { timeText } from "../ledger/file.ts";
import { DAY, HOUR } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { CREDITS_PER_USE } from "../service/credits.ts";
import { listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { LandLedger } from "./ledger.ts";
import type { ReportedPull } from "./results.ts";
import { maySee, repositoryIn, UNSEEN_ONE } from "./sight.ts";
import { isAction, needsOf, reasonOf } from "./step.ts";

const REPORTED = 30 * DAY;
/** After so many consecutive docs pull requests that were closed without merging, the run warns. */
const UNMERGED_IN_A_ROW = 10;
const MOST_ITEMS = 50;

/** What a run reports. */
export interface LandEnd {
  /** At its end, or as a dry run would write it. */
  readonly ledger: LandLedger;
  /** The commit that the ledger is at; null if there is none. */
  readonly sha: string | null;
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
  readonly pulls: readonly ReportedPull[];
  /** The workflow's repository, `owner/name`: who can see it can see log and summary. */
  readonly repository: string;
}

/** The docs pull requests of the last 30 days, for the output `report`. */
export interface LandReport {
  readonly opened: number;
  readonly merged: number;
  readonly mergedWithoutEdits: number;
  readonly closed: number;
  /** Null if none was merged. */
  readonly medianHoursToMerge: number | null;
  readonly followUps: number;
  readonly changesDocumented: number;
  /** What the ledgers' other actions sent to the agent. */
  readonly requests: number;
  /** At the service's averages, of requests and follow-ups together. */
  readonly credits: CreditRange;
  /** Null if none was merged. */
  readonly creditsPerMerged: CreditRange | null;
}

/** From one of the service's averages to the other. */
type CreditRange = readonly [least: number, most: number];

export function reportOf(
  { open, ended, requests: daily }: Pick<LandLedger, "open" | "ended" | "requests">,
  now: number,
): LandReport {
  const isRecent = (time: string | null) => time !== null && now - Date.parse(time) < REPORTED;
  const over = ended.filter(({ endedAt }) => isRecent(endedAt));
  const merged = over.filter(({ state }) => state === "merged");
  const hours = merged.flatMap(({ openedAt, endedAt }) =>
    openedAt === null ? [] : [(Date.parse(endedAt) - Date.parse(openedAt)) / HOUR],
  );
  const sent = [
    ...open.flatMap(({ followUps }) => followUps.map(({ at }) => at)),
    ...ended.flatMap(({ followUps }) => followUps),
  ];
  const firstDay = timeText(now - REPORTED).slice(0, 10);
  const requests = Object.values(daily)
    .flatMap((days) => Object.entries(days))
    .filter(([day]) => day > firstDay)
    .reduce((sum, [, count]) => sum + count, 0);
  const followUps = sent.filter(isRecent).length;
  const opened = [
    ...open.map(({ lastRead }) => lastRead?.openedAt ?? null),
    ...ended.map(({ openedAt }) => openedAt),
  ];
  const credits = creditsOf(requests + followUps);
  return {
    opened: opened.filter(isRecent).length,
    merged: merged.length,
    mergedWithoutEdits: merged.filter((pull) => !pull.isEditedByOthers).length,
    closed: over.length - merged.length,
    medianHoursToMerge: hours.length === 0 ? null : Math.round(medianOf(hours) * 10) / 10,
    followUps,
    changesDocumented: merged.reduce((sum, { changes }) => sum + changes, 0),
    requests,
    credits,
    creditsPerMerged:
      merged.length === 0 ? null : creditsOf((requests + followUps) / merged.length),
  };
}

function creditsOf(uses: number): CreditRange {
  const [run, update] = CREDITS_PER_USE;
  return [Math.round(uses * run), Math.round(uses * update)];
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((value, other) => value - other);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** Reports a run in outputs, log and summary. */
export function reportLand(
  { ledger, now, sha, pulls, repository }: LandEnd,
  isDryRun: boolean,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  const report = reportOf(ledger, now);
  const items = pulls.map((pull) => withSight(itemOf(pull, isDryRun), repository));
  const values = outputsOf(items, report);
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, String(value));
  outputs.setOutput("ledgerSha", sha);
  warnIfNoneIsMerged(ledger, log);
  for (const { pull, needs, line, isNamed } of items) {
    const name = isNamed ? pull.entry.url : `A docs pull request ${UNSEEN_ONE}`;
    if (needs !== null && needs !== pull.needed) log.warning(`${name}: ${line}`);
    log.info(`${name}: ${needs === null ? "" : "Needs a person: "}${line}`);
  }
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const title = `${dependencies.title}${isDryRun ? " (dry run)" : ""}`;
  reportNews(newsOf(items), isEmpty ? [] : [reportText(report)], { title, outputs, log });
}

/** The outputs by their names, but for the ledger's commit. */
function outputsOf(items: readonly Item[], report: LandReport): Record<string, string | number> {
  const open = items.filter(({ pull }) => pull.state === "open");
  const count = (title: Title) => items.filter((item) => item.title === title).length;
  const pullRequests = items.map(({ pull: { entry, state }, needs }) => ({
    url: entry.url,
    state,
    jobId: entry.jobId,
    followUps: entry.followUps.length,
    needs: needs ?? "",
    changes: entry.changes.map((change) => change.url),
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

function warnIfNoneIsMerged({ ended }: LandLedger, log: Dependencies["log"]): void {
  const last = ended.slice(-UNMERGED_IN_A_ROW);
  if (last.length < UNMERGED_IN_A_ROW || last.some(({ state }) => state !== "closed")) return;
  log.warning(
    `The last ${UNMERGED_IN_A_ROW} docs pull requests were closed without merging. Read what reviewers wrote about them, and check the prompt that they were made with.`,
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

type Title = keyof typeof LISTS;

/** A docs pull request in a report. */
export interface Item {
  readonly pull: ReportedPull;
  /** Why it needs a person; null if it does not. */
  readonly needs: string | null;
  /** Of the list that it belongs to. */
  readonly title: Title;
  /** What the run did, or why it did nothing. */
  readonly line: string;
  /** Whether everyone who can see the report can see its repository. */
  readonly isNamed: boolean;
}

/** Without what not everyone may know. */
function withSight(item: Omit<Item, "isNamed">, repository: string): Item {
  const { entry, reading } = item.pull;
  const seen = reading.type === "read" ? reading.seen : [repository.toLowerCase()];
  if (maySee(seen, repositoryIn(entry.url))) return { ...item, isNamed: true };
  return { ...item, line: unnamedLine(item), isNamed: false };
}

function unnamedLine({ pull: { reading }, needs }: Omit<Item, "isNamed">): string {
  if (reading.type === "unread") return reading.plainReason;
  return needs === null ? "The comment on it says more." : "The comment on it says why.";
}

function itemOf(pull: ReportedPull, isDryRun: boolean): Omit<Item, "isNamed"> {
  const { state, step, achieved } = pull;
  const needs = needsOf(step);
  if (state !== "open") {
    const title = state === "merged" ? "Merged" : "Closed";
    const isByRun = achieved === "merged" || achieved === "closed";
    return { pull, needs, title, line: `${title}${isByRun ? " by this run" : ""}.` };
  }
  const reason = reasonOf(step) ?? "It is ready to be merged.";
  if (achieved === "accepted") {
    const line = `A follow-up about ${reason} was sent.`;
    return { pull, needs, title: "Sent back to the agent", line };
  }
  if (needs !== null) return { pull, needs, title: "Needs a person", line: needs };
  const line = step.type === "follow-up" ? `A follow-up is due: ${reason}.` : reason;
  return { pull, needs, title: isDryRun && isAction(step) ? "Would be done" : "Open", line };
}

function newsOf(items: readonly Item[]): News[] {
  return Object.entries(LISTS).flatMap(([title, wordsOf]) => {
    const group = items.filter((item) => item.title === title);
    const isOneUnnamed = group.length === 1 && group[0]?.isNamed === false;
    const pulls = isOneUnnamed
      ? "1 docs pull request"
      : pullsText(group.map(({ pull }) => ({ prLink: pull.entry.url })));
    const words = wordsOf(pulls, group.length);
    // The list's title says how it ended.
    return news(title, group, words, (item) =>
      itemText(item, item.pull.step.type === "ended" ? null : item.line),
    );
  });
}

/** @param details added to it; null for none */
function itemText({ pull, isNamed }: Item, details: string | null): string {
  const { entry, reading } = pull;
  const seen = reading.type === "read" ? reading.seen : [];
  const named = entry.changes.filter(({ repository }) => maySee(seen, repository));
  const about = isNamed ? named.slice(0, 3).map(changeText).join(", ") : "";
  const words = "docs pull request";
  const link = isNamed ? pullLink(words, entry.url) : `${words} ${UNSEEN_ONE}`;
  return `- ${link}${about === "" ? "" : ` ← ${about}`}${details === null ? "" : `: ${details}`}`;
}

function reportText(report: LandReport): string {
  const { opened, merged, mergedWithoutEdits, closed, medianHoursToMerge } = report;
  const { followUps, changesDocumented, requests, credits, creditsPerMerged } = report;
  const hours =
    medianHoursToMerge === null ? "" : `, after ${counted(medianHoursToMerge, "hour")} (median)`;
  const each =
    creditsPerMerged === null
      ? ""
      : `, ${rangeText(creditsPerMerged)} for each merged docs pull request`;
  const cost = `about ${rangeText(credits)} credits at the service's averages`;
  return [
    `**Docs pull requests, last 30 days:** ${opened} opened\n`,
    `- ${merged} merged${hours}, ${mergedWithoutEdits} of them without edits by people`,
    `- ${closed} closed without merging`,
    `- ${counted(followUps, "follow-up")} to the agent`,
    `- ${counted(changesDocumented, "change")} documented`,
    `- ${counted(requests, "request")} by upkeep and queue; with the follow-ups, ${cost}${each}`,
  ].join("\n");
}

function rangeText(range: CreditRange): string {
  return [...new Set(range)].map((credits) => credits.toLocaleString("en-US")).join(" to ");
}

/** The last 30 days and what is open, as a message to a chat or an issue. */
export function digestOf(report: LandReport, open: readonly Item[]): string {
  const items = listed(
    open.map((item) => itemText(item, item.needs === null ? null : item.line)),
    MOST_ITEMS,
  );
  const list = items.length === 0 ? [] : ["**Open**", items.join("\n")];
  return [reportText(report), ...list].join("\n\n");
}
