/** What land tells: outputs, summary, and the digest of the last 30 days. */

import { changeText } from "../ledger/dashboard/change-text.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { fitting, tryWriteSummary } from "../runtime/step-outputs.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { LandLedger } from "./ledger.ts";
import type { LandOutcome, Standing } from "./standing.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const REPORTED = 30 * DAY;
/** So many docs pull requests that came to nothing, one after the other, are a warning. */
const IN_VAIN = 10;
const MOST_ITEMS = 50;

/** What became of docs pull requests in the last 30 days, as the output `report` has it. */
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
  { outputs, log }: Dependencies,
): boolean {
  const stateOf = ({ result, facts }: Standing) => result.ended ?? facts?.pull.state ?? "open";
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
  const what = `${count("merged")} merged, ${count("closed")} closed, ${counted(sent, "follow-up")}, ${count("open")} open, ${needy.length} need a person`;
  log.info(`Docs pull requests: ${what}.`);
  for (const it of standings) log.info(`${it.entry.url}: ${lineOf(it)}`);
  const title = `### Docs land${isDryRun ? " (dry run)" : ""}: ${what}`;
  const items = standings
    .slice(0, MOST_ITEMS)
    .map((it) => `- ${linkOf(it.entry.url)}: ${lineOf(it)}`);
  tryWriteSummary(
    outputs,
    log,
    [title, items.join("\n"), digest].filter((it) => it !== "").join("\n\n"),
  );
  if (error === null) return false;
  log.error(error.message);
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

function isAccepted({ sent }: Standing["result"]): boolean {
  return sent?.type === "accepted";
}

/** What a run did about one, or why it did nothing. */
function lineOf({ decision, needs, result }: Standing): string {
  if (result.ended !== undefined)
    return `${result.ended === "merged" ? "Merged" : "Closed"} by this run.`;
  if (needs !== "") return `Needs a person: ${needs}`;
  if (decision === null) return "Another run is at work on it.";
  const { step } = decision;
  if (step.type === "follow-up")
    return isAccepted(result) ? "A follow-up was sent." : "A follow-up is due.";
  if (step.type === "ended") return "It was merged or closed.";
  return step.type === "merge" ? "It is ready to be merged." : step.why;
}

function linkOf(url: string): string {
  const link = safeLink(url);
  if (link === null) return inlineCode(url, 200);
  return `[docs pull request ${pullNumber(link) === "" ? "" : `#${pullNumber(link)}`}](${link})`;
}

/** The last 30 days and what is open, as a message to a chat or an issue. */
export function digestOf(report: LandReport, open: readonly Standing[]): string {
  const { opened, merged, mergedWithoutEdits, closed, medianHoursToMerge } = report;
  const { followUps, changesDocumented } = report;
  const hours =
    medianHoursToMerge === null ? "" : `, after ${counted(medianHoursToMerge, "hour")} (median)`;
  const lines = [
    `- ${merged} merged${hours}, ${mergedWithoutEdits} of them without edits by people`,
    `- ${closed} closed without merging`,
    `- ${counted(followUps, "follow-up")} to the agent`,
    `- ${counted(changesDocumented, "change")} documented`,
  ];
  const items = open.slice(0, MOST_ITEMS).map((it) => {
    const about = it.entry.changes.slice(0, 3).map(changeText).join(", ");
    const what = it.needs === "" ? "" : `: ${it.needs}`;
    return `- ${linkOf(it.entry.url)}${about === "" ? "" : ` ← ${about}`}${what}`;
  });
  return [
    `**Docs pull requests, last 30 days:** ${opened} opened`,
    lines.join("\n"),
    items.length === 0 ? "" : `**Open**\n\n${items.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
