/** The docs pull requests of the last 30 days: how many, how fast, and what they cost. Pure. */

import { timeText } from "../ledger/file.ts";
import { DAY, HOUR } from "../runtime/clock.ts";
import { CREDITS_PER_USE } from "../service/credits.ts";
import { counted } from "../text/sentence.ts";
import type { LandLedger } from "./ledger.ts";

const REPORTED = 30 * DAY;

/** The docs pull requests of the last 30 days, for the output `report`. */
export interface MonthReport {
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
  /** Of requests and follow-ups together, from one of the service's averages to the other. */
  readonly credits: readonly [least: number, most: number];
  /** Null if none was merged. */
  readonly creditsPerMerged: readonly [least: number, most: number] | null;
}

export function monthReport(
  { open, ended, requests: daily }: LandLedger,
  now: number,
): MonthReport {
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

function creditsOf(uses: number): MonthReport["credits"] {
  const [run, update] = CREDITS_PER_USE;
  return [Math.round(uses * run), Math.round(uses * update)];
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((value, other) => value - other);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** As Markdown, without what there was none of. */
export function monthReportText(report: MonthReport): string {
  const { opened, merged, mergedWithoutEdits, closed, medianHoursToMerge } = report;
  const { followUps, changesDocumented, requests, credits, creditsPerMerged } = report;
  const hours =
    medianHoursToMerge === null ? "" : `, after ${counted(medianHoursToMerge, "hour")} (median)`;
  const each =
    creditsPerMerged === null
      ? ""
      : `, ${rangeText(creditsPerMerged)} for each merged docs pull request`;
  const cost = `about ${rangeText(credits)} credits at the service's averages`;
  const unedited =
    mergedWithoutEdits === 0 ? "" : `, ${mergedWithoutEdits} of them without edits by people`;
  const lines = [
    merged > 0 && `- ${merged} merged${hours}${unedited}`,
    closed > 0 && `- ${closed} closed without merging`,
    followUps > 0 && `- ${counted(followUps, "follow-up")} to the agent`,
    changesDocumented > 0 && `- ${counted(changesDocumented, "change")} documented`,
    requests + followUps > 0 &&
      `- ${counted(requests, "request")} by upkeep and queue; with the follow-ups, ${cost}${each}`,
  ].filter((line) => line !== false);
  const head = `**Docs pull requests, last 30 days${opened === 0 ? "**" : `:** ${opened} opened`}`;
  return lines.length === 0 ? head : [`${head}\n`, ...lines].join("\n");
}

function rangeText(range: MonthReport["credits"]): string {
  return [...new Set(range)].map((credits) => credits.toLocaleString("en-US")).join(" to ");
}
