/** What land tells: outputs, summary, and the digest of the last 30 days. */

import { type Link, type News, news, pullLink, pullsText, tellNews } from "../github/news.ts";
import { changeText } from "../ledger/model/names.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { fitting } from "../runtime/step-outputs.ts";
import { inlineCode, listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { newsText } from "./decide.ts";
import type { LandLedger } from "./ledger.ts";
import type { LandOutcome, Standing } from "./standing.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const REPORTED = 30 * DAY;
/** After so many consecutive docs pull requests that were closed without merging, the run warns. */
const IN_VAIN = 10;
const MOST_ITEMS = 50;

/** The docs pull requests of the last 30 days, for the output `report`. */
export interface LandReport {
  opened: number;
  merged: number;
  mergedWithoutEdits: number;
  closed: number;
  /** Null: none was merged. */
  medianHoursToMerge: number | null;
  followUps: number;
  changesDocumented: number;
}

/** @param now GitHub's time, in milliseconds since 1970 */
export function reportOf(
  { open, ended }: Pick<LandLedger, "open" | "ended">,
  now: number,
): LandReport {
  const isRecent = (time: string) => now - Date.parse(time) < REPORTED;
  const over = ended.filter(({ endedAt }) => isRecent(endedAt));
  const merged = over.filter(({ state }) => state === "merged");
  const hours = merged
    .map((it) => (Date.parse(it.endedAt) - Date.parse(it.openedAt)) / HOUR)
    .toSorted((one, other) => one - other);
  const middle = hours.length / 2;
  const [low = 0, high = 0] = [hours[Math.ceil(middle) - 1], hours[Math.floor(middle)]];
  const sent = [
    ...open.flatMap((it) => it.followUps.map(({ at }) => at)),
    ...ended.flatMap((it) => it.followUps),
  ];
  return {
    opened: [...open, ...ended].filter((it) => isRecent(it.openedAt)).length,
    merged: merged.length,
    mergedWithoutEdits: merged.filter((it) => !it.isEditedByOthers).length,
    closed: over.length - merged.length,
    medianHoursToMerge: hours.length === 0 ? null : Math.round(((low + high) / 2) * 10) / 10,
    followUps: sent.filter(isRecent).length,
    changesDocumented: merged.reduce((sum, { changes }) => sum + changes, 0),
  };
}

/** Reports a run. @returns whether the step fails */
export function reportLand(
  { ledger, now, sha, standings, error }: LandOutcome,
  isDryRun: boolean,
  dependencies: Dependencies,
): boolean {
  const { outputs, log } = dependencies;
  const count = (state: string) => standings.filter((it) => stateOf(it) === state).length;
  const isOpen = (it: Standing) => stateOf(it) === "open";
  const sent = standings.filter(({ result }) => isAccepted(result)).length;
  const needy = standings.filter((it) => isOpen(it) && it.needs !== "");
  const report = reportOf(ledger, now);
  const digest = digestOf(report, standings.filter(isOpen));
  const values = {
    openCount: count("open"),
    mergedCount: count("merged"),
    closedCount: count("closed"),
    followUpCount: sent,
    needsPersonCount: needy.length,
    pullRequests: JSON.stringify(
      fitting(
        standings.map((it) => ({
          ...{ url: it.entry.url, state: stateOf(it), jobId: it.entry.jobId },
          followUps: it.entry.followUps.length + (isAccepted(it.result) ? 1 : 0),
          ...{ needs: isOpen(it) ? it.needs : "", changes: it.entry.changes.map(({ url }) => url) },
        })),
      ),
    ),
    ...{ report: JSON.stringify(report), digest, ledgerSha: sha ?? "" },
  };
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, String(value));
  const last = ledger.ended.slice(-IN_VAIN);
  if (last.length === IN_VAIN && last.every(({ state }) => state === "closed")) {
    log.warning(
      `The last ${IN_VAIN} docs pull requests were closed without merging. Look at what reviewers say of them, and at the prompt that they were made with.`,
    );
  }
  for (const it of standings)
    log.info(`${it.entry.url}: ${it.needs === "" ? "" : "Needs a person: "}${lineOf(it)}`);
  const note = isDryRun ? " (dry run)" : "";
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const newsOf = (link: Link) => newsOfPulls(standings, isDryRun, link);
  return tellNews(
    { note, newsOf, error, after: isEmpty ? [] : [reportText(report)] },
    dependencies,
  );
}

type Kind = "merged" | "closed" | "sent" | "planned" | "needy" | "open";

/** What came of docs pull requests first, then what needs a person, then those that only wait. */
function newsOfPulls(standings: readonly Standing[], isDryRun: boolean, link: Link): News[] {
  const kindOf = (it: Standing): Kind => {
    if (stateOf(it) !== "open") return stateOf(it);
    if (isAccepted(it.result)) return "sent";
    if (it.needs !== "") return "needy";
    return isDryRun && STEPS.includes(it.decision?.step.type ?? "") ? "planned" : "open";
  };
  const kinds = Map.groupBy(standings, kindOf);
  const of = (kind: Kind, title: string, words: (pulls: string, count: number) => string) =>
    news(
      title,
      kinds.get(kind) ?? [],
      (some) =>
        words(
          pullsText(
            some.map(({ entry }) => entry.url),
            link,
          ),
          some.length,
        ),
      (it) => {
        // How another one ended, the list's title says.
        const isFound = stateOf(it) !== "open" && it.result.ended === undefined;
        return itemOf(it, isFound ? "" : lineOf(it));
      },
    );
  return [
    ...of("merged", "Merged", (pulls) => `${pulls} merged`),
    ...of("closed", "Closed", (pulls) => `${pulls} closed without merging`),
    ...of("sent", "Sent back to the agent", (_, count) => `${counted(count, "follow-up")} sent`),
    ...of("planned", "Would be done", (pulls) => `${pulls} would change`),
    ...of(
      "needy",
      "Needs a person",
      (pulls, count) => `${pulls} ${count === 1 ? "needs" : "need"} a person`,
    ),
    ...of("open", "Open", () => ""),
  ];
}

/** Steps that a dry run does not take. */
const STEPS = ["follow-up", "merge", "close"];

function stateOf({ result, facts }: Standing): "open" | "merged" | "closed" {
  return result.ended ?? facts?.pull.state ?? "open";
}

function isAccepted({ sent }: Standing["result"]): boolean {
  return sent?.type === "accepted";
}

/** What a run did about one, or why it did nothing. */
function lineOf(standing: Standing): string {
  const { decision, needs, result } = standing;
  const state = stateOf(standing);
  const by = result.ended === undefined ? "" : " by this run";
  if (state !== "open") return `${state === "merged" ? "Merged" : "Closed"}${by}.`;
  if (needs !== "") return needs;
  if (decision === null) return "Another run is at work on it.";
  const { step } = decision;
  if (step.type === "follow-up") {
    const about = newsText(step.news);
    return isAccepted(result) ? `The agent was told of ${about}.` : `A follow-up is due: ${about}.`;
  }
  return "why" in step ? step.why : "It is ready to be merged.";
}

/** @param what more there is to say; empty for nothing */
function itemOf({ entry: { url, changes } }: Standing, what: string): string {
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
export function digestOf(report: LandReport, open: readonly Standing[]): string {
  const items = listed(
    open.map((it) => itemOf(it, it.needs)),
    MOST_ITEMS,
  );
  return [reportText(report), ...(items.length === 0 ? [] : ["**Open**", items.join("\n")])].join(
    "\n\n",
  );
}
