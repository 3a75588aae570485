/** Land's report: outputs, summary, and the digest of the last 30 days. */

import { type Link, type News, news, pullLink, pullsText, reportNews } from "../github/news.ts";
import { DAY, HOUR } from "../inputs/shared.ts";
import { changeText } from "../ledger/model/names.ts";
import type { Head } from "../ledger/protocol/store.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { fitting } from "../runtime/step-outputs.ts";
import { inlineCode, listed } from "../text/markdown.ts";
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

/** Reports a run. @returns whether the step fails */
export function reportLand(
  { ledger, now, sha, pulls, error }: LandOutcome,
  isDryRun: boolean,
  dependencies: Dependencies,
): boolean {
  const { outputs, log } = dependencies;
  const report = reportOf(ledger, now);
  const states = Map.groupBy(pulls, stateOf);
  const count = (state: State) => states.get(state)?.length ?? 0;
  const needy = pulls.filter(({ step }) => needsOf(step) !== "");
  const shown = pulls.map((tracked) => {
    const { url, jobId, changes, followUps } = afterRun(tracked.entry, tracked.result);
    const counts = { followUps: followUps.length, needs: needsOf(tracked.step) };
    const state = stateOf(tracked);
    return { url, state, jobId, ...counts, changes: changes.map((change) => change.url) };
  });
  const values = {
    ...{ openCount: count("open"), mergedCount: count("merged"), closedCount: count("closed") },
    ...{ followUpCount: pulls.filter(isTold).length, needsPersonCount: needy.length },
    ...{ pullRequests: JSON.stringify(fitting(shown)), report: JSON.stringify(report) },
    digest: digestOf(report, states.get("open") ?? []),
    ledgerSha: sha ?? "",
  };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, String(value));
  const last = ledger.ended.slice(-IN_VAIN);
  if (last.length === IN_VAIN && last.every(({ state }) => state === "closed")) {
    log.warning(
      `The last ${IN_VAIN} docs pull requests were closed without merging. Look at what reviewers say of them, and at the prompt that they were made with.`,
    );
  }
  for (const tracked of pulls) {
    const { entry, step, needed } = tracked;
    const needs = needsOf(step);
    if (needs !== "" && needs !== needed) log.warning(`${entry.url}: ${needs}`);
    log.info(`${entry.url}: ${needs === "" ? "" : "Needs a person: "}${lineOf(tracked)}`);
  }
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const newsReport = {
    note: isDryRun ? " (dry run)" : "",
    newsOf: (link: Link) => newsOfPulls(pulls, isDryRun, link),
    ...{ error, after: isEmpty ? [] : [reportText(report)] },
  };
  return reportNews(newsReport, dependencies);
}

type State = "open" | "merged" | "closed";

/** First the docs pull requests that changed, then those that need a person, then those that wait. */
const KINDS: Record<string, (pulls: string, count: number) => string> = {
  Merged: (pulls) => `${pulls} merged`,
  Closed: (pulls) => `${pulls} closed without merging`,
  "Sent back to the agent": (_, count) => `${counted(count, "follow-up")} sent`,
  "Would be done": (pulls) => `${pulls} would change`,
  "Needs a person": (pulls, count) => `${pulls} ${count === 1 ? "needs" : "need"} a person`,
  Open: () => "",
};

function newsOfPulls(pulls: readonly TrackedPull[], isDryRun: boolean, link: Link): News[] {
  const kinds = Map.groupBy<string, TrackedPull>(pulls, (tracked) => {
    const state = stateOf(tracked);
    if (state !== "open") return state === "merged" ? "Merged" : "Closed";
    if (isTold(tracked)) return "Sent back to the agent";
    if (needsOf(tracked.step) !== "") return "Needs a person";
    return isDryRun && isAction(tracked.step) ? "Would be done" : "Open";
  });
  const urlsOf = (group: readonly TrackedPull[]) => group.map(({ entry }) => entry.url);
  return Object.entries(KINDS).flatMap(([title, words]) =>
    news(
      title,
      kinds.get(title) ?? [],
      (group) => words(pullsText(urlsOf(group), link), group.length),
      // The list's title says how it ended.
      (tracked) => itemOf(tracked, tracked.step.type === "ended" ? "" : lineOf(tracked)),
    ),
  );
}

function stateOf({ result, facts }: TrackedPull): State {
  return result.ended ?? facts?.pull.state ?? "open";
}

/** Whether this run sent a follow-up. */
function isTold({ result }: TrackedPull): boolean {
  return result.sent === "accepted";
}

/** What the run did, or why it did nothing. */
function lineOf(tracked: TrackedPull): string {
  const { step, result } = tracked;
  const state = stateOf(tracked);
  const by = result.ended === undefined ? "" : " by this run";
  if (state !== "open") return `${state === "merged" ? "Merged" : "Closed"}${by}.`;
  if (step.type !== "follow-up") return step.why || "It is ready to be merged.";
  return isTold(tracked)
    ? `The agent was told of ${step.why}.`
    : `A follow-up is due: ${step.why}.`;
}

/** @param what more text; empty for none */
function itemOf({ entry: { url, changes } }: TrackedPull, what: string): string {
  const about = changes.slice(0, 3).map(changeText).join(", ");
  const link = pullLink("docs pull request", url) ?? inlineCode(url, 200);
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
