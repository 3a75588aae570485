/** Land's report: outputs, summary, and the digest of the last 30 days. */

import { type News, news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import { changeText } from "../ledger/model/names.ts";
import type { Head } from "../ledger/protocol/store.ts";
import { DAY, HOUR } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { isAction, needsOf } from "./decide.ts";
import { afterRun, type LandLedger } from "./ledger.ts";
import type { TrackedPull } from "./run.ts";

const REPORTED = 30 * DAY;
/** After so many consecutive docs pull requests that were closed without merging, the run warns. */
const IN_VAIN = 10;
const MOST_ITEMS = 50;

/** The result of a run, and the ledger at its end. */
export interface LandOutcome extends Head<LandLedger> {
  pulls: TrackedPull[];
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
}

type LandReport = ReturnType<typeof reportOf>;

/** The docs pull requests of the last 30 days, for the output `report`. */
export function reportOf({ open, ended }: Pick<LandLedger, "open" | "ended">, now: number) {
  const isRecent = (time: string) => now - Date.parse(time) < REPORTED;
  const over = ended.filter(({ endedAt }) => isRecent(endedAt));
  const merged = over.filter(({ state }) => state === "merged");
  const hours = merged
    .map((pull) => (Date.parse(pull.endedAt) - Date.parse(pull.openedAt)) / HOUR)
    .toSorted((one, other) => one - other);
  const middle = hours.length / 2;
  const [low = 0, high = low] = hours.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  const sent = [
    ...open.flatMap(({ followUps }) => followUps.map(({ at }) => at)),
    ...ended.flatMap(({ followUps }) => followUps),
  ];
  return {
    opened: [...open, ...ended].filter(({ openedAt }) => isRecent(openedAt)).length,
    merged: merged.length,
    mergedWithoutEdits: merged.filter((pull) => !pull.isEditedByOthers).length,
    closed: over.length - merged.length,
    medianHoursToMerge: hours.length === 0 ? null : Math.round(((low + high) / 2) * 10) / 10,
    followUps: sent.filter(isRecent).length,
    changesDocumented: merged.reduce((sum, { changes }) => sum + changes, 0),
  };
}

/** Reports a run in outputs, log and summary. */
export function reportLand(
  { ledger, now, sha, pulls }: Omit<LandOutcome, "error">,
  isDryRun: boolean,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  const report = reportOf(ledger, now);
  const shown = pulls.map((tracked) => ({ ...tracked, ...shownOf(tracked, isDryRun) }));
  const open = shown.filter(({ state }) => state === "open");
  const count = (title: Title) => shown.filter((one) => one.title === title).length;
  const pullRequests = shown.map(({ entry, result, state, needs }) => {
    const { url, jobId, changes, followUps } = afterRun(entry, result);
    const facts = { followUps: followUps.length, needs };
    return { url, state, jobId, ...facts, changes: changes.map((change) => change.url) };
  });
  const values = {
    openCount: open.length,
    mergedCount: count("Merged"),
    closedCount: count("Closed"),
    followUpCount: count("Sent back to the agent"),
    needsPersonCount: shown.filter(({ needs }) => needs !== "").length,
    pullRequests: JSON.stringify(pullRequests),
    report: JSON.stringify(report),
    digest: digestOf(report, open),
    ledgerSha: sha ?? "",
  };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, String(value));
  const last = ledger.ended.slice(-IN_VAIN);
  if (last.length === IN_VAIN && last.every(({ state }) => state === "closed")) {
    log.warning(
      `The last ${IN_VAIN} docs pull requests were closed without merging. Look at what reviewers say of them, and at the prompt that they were made with.`,
    );
  }
  for (const { entry, needs, needed, line } of shown) {
    if (needs !== "" && needs !== needed) log.warning(`${entry.url}: ${needs}`);
    log.info(`${entry.url}: ${needs === "" ? "" : "Needs a person: "}${line}`);
  }
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const title = `${dependencies.title}${isDryRun ? " (dry run)" : ""}`;
  reportNews(newsOf(shown), isEmpty ? [] : [reportText(report)], { title, outputs, log });
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
type Shown = TrackedPull & ReturnType<typeof shownOf>;

/** Its state, the list that it belongs to, and what the run did, or why it did nothing. */
function shownOf({ facts, step, result }: TrackedPull, isDryRun: boolean) {
  const state = result.ended ?? facts?.pull.state ?? "open";
  const needs = needsOf(step);
  const shownAs = (title: Title, line: string) => ({ state, needs, title, line });
  if (state !== "open") {
    const title = state === "merged" ? "Merged" : "Closed";
    return shownAs(title, `${title}${result.ended === undefined ? "" : " by this run"}.`);
  }
  const isTold = result.sent === "accepted";
  if (isTold) return shownAs("Sent back to the agent", `The agent was told of ${step.why}.`);
  if (needs !== "") return shownAs("Needs a person", needs);
  const due = step.type === "follow-up" ? `A follow-up is due: ${step.why}.` : step.why;
  const title = isDryRun && isAction(step) ? "Would be done" : "Open";
  return shownAs(title, due || "It is ready to be merged.");
}

function newsOf(shown: readonly Shown[]): News[] {
  return Object.entries(LISTS).flatMap(([title, wordsOf]) => {
    const group = shown.filter((one) => one.title === title);
    const pulls = pullsText(group.map(({ entry }) => ({ prLink: entry.url })));
    const words = wordsOf(pulls, group.length);
    // The list's title says how it ended.
    return news(title, group, words, (one) =>
      itemOf(one, one.step.type === "ended" ? "" : one.line),
    );
  });
}

/** @param what more text; empty for none */
function itemOf({ entry: { url, changes } }: TrackedPull, what: string): string {
  const about = changes.slice(0, 3).map(changeText).join(", ");
  const link = pullLink("docs pull request", url);
  return `- ${link}${about === "" ? "" : ` ← ${about}`}${what === "" ? "" : `: ${what}`}`;
}

function reportText(report: LandReport): string {
  const { opened, merged, mergedWithoutEdits, closed, medianHoursToMerge } = report;
  const { followUps, changesDocumented } = report;
  const hours =
    medianHoursToMerge === null ? "" : `, after ${counted(medianHoursToMerge, "hour")} (median)`;
  return [
    `**Docs pull requests, last 30 days:** ${opened} opened\n`,
    `- ${merged} merged${hours}, ${mergedWithoutEdits} of them without edits by people`,
    `- ${closed} closed without merging`,
    `- ${counted(followUps, "follow-up")} to the agent`,
    `- ${counted(changesDocumented, "change")} documented`,
  ].join("\n");
}

/** The last 30 days and what is open, as a message to a chat or an issue. */
export function digestOf(report: LandReport, open: readonly TrackedPull[]): string {
  const items = listed(
    open.map((tracked) => itemOf(tracked, needsOf(tracked.step))),
    MOST_ITEMS,
  );
  return [reportText(report), ...(items.length === 0 ? [] : ["**Open**", items.join("\n")])].join(
    "\n\n",
  );
}
