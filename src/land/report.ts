/** Land's report: outputs, summary, and the digest of the last 30 days. */

import { type Link, type News, news, pullLink, pullsText, reportNews } from "../github/news.ts";
import { changeText } from "../ledger/model/names.ts";
import type { Head } from "../ledger/protocol/store.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { fitting } from "../runtime/step-outputs.ts";
import { inlineCode, listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { isAction, needsOf } from "./decide.ts";
import type { LandLedger } from "./ledger.ts";
import type { Standing } from "./run.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const REPORTED = 30 * DAY;
/** After so many consecutive docs pull requests that were closed without merging, the run warns. */
const IN_VAIN = 10;
const MOST_ITEMS = 50;

/** The result of a run, and the ledger at its end. */
export interface LandOutcome extends Head<LandLedger> {
  standings: Standing[];
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
  { ledger, now, sha, standings, error }: LandOutcome,
  isDryRun: boolean,
  dependencies: Dependencies,
): boolean {
  const { outputs, log } = dependencies;
  const report = reportOf(ledger, now);
  const states = Map.groupBy(standings, stateOf);
  const count = (state: State) => states.get(state)?.length ?? 0;
  const needy = standings.filter(({ step }) => needsOf(step) !== "");
  const pulls = standings.map((standing) => {
    const { url, jobId, changes, followUps } = { ...standing.entry, ...standing.result.entry };
    const counts = { followUps: followUps.length, needs: needsOf(standing.step) };
    const state = stateOf(standing);
    return { url, state, jobId, ...counts, changes: changes.map((change) => change.url) };
  });
  const values = {
    ...{ openCount: count("open"), mergedCount: count("merged"), closedCount: count("closed") },
    ...{ followUpCount: standings.filter(hasFollowUp).length, needsPersonCount: needy.length },
    ...{ pullRequests: JSON.stringify(fitting(pulls)), report: JSON.stringify(report) },
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
  for (const standing of standings) {
    const sign = needy.includes(standing) ? "Needs a person: " : "";
    log.info(`${standing.entry.url}: ${sign}${lineOf(standing)}`);
  }
  const note = isDryRun ? " (dry run)" : "";
  const isEmpty = report.opened + report.merged + report.closed === 0;
  const newsOf = (link: Link) => newsOfPulls(standings, isDryRun, link);
  return reportNews(
    { note, newsOf, error, after: isEmpty ? [] : [reportText(report)] },
    dependencies,
  );
}

type State = "open" | "merged" | "closed";
type Kind = State | "sent" | "planned" | "needy";

/** First the docs pull requests that changed, then those that need a person, then those that wait. */
const KINDS: [Kind, string, (pulls: string, count: number) => string][] = [
  ["merged", "Merged", (pulls) => `${pulls} merged`],
  ["closed", "Closed", (pulls) => `${pulls} closed without merging`],
  ["sent", "Sent back to the agent", (_, count) => `${counted(count, "follow-up")} sent`],
  ["planned", "Would be done", (pulls) => `${pulls} would change`],
  [
    "needy",
    "Needs a person",
    (pulls, count) => `${pulls} ${count === 1 ? "needs" : "need"} a person`,
  ],
  ["open", "Open", () => ""],
];

function newsOfPulls(standings: readonly Standing[], isDryRun: boolean, link: Link): News[] {
  const kinds = Map.groupBy(standings, (standing): Kind => {
    if (stateOf(standing) !== "open") return stateOf(standing);
    if (hasFollowUp(standing)) return "sent";
    if (needsOf(standing.step) !== "") return "needy";
    return isDryRun && isAction(standing.step) ? "planned" : "open";
  });
  const pullsOf = (group: readonly Standing[]) => group.map(({ entry }) => entry.url);
  return KINDS.flatMap(([kind, title, words]) =>
    news(
      title,
      kinds.get(kind) ?? [],
      (group) => words(pullsText(pullsOf(group), link), group.length),
      // The list's title says how it ended.
      (one) => itemOf(one, one.step.type === "ended" ? "" : lineOf(one)),
    ),
  );
}

function stateOf({ result, facts }: Standing): State {
  return result.ended ?? facts?.pull.state ?? "open";
}

/** Whether this run sent a follow-up. */
function hasFollowUp({ result }: Standing): boolean {
  return result.entry.followUps?.at(-1)?.isUncertain === false;
}

/** What the run did, or why it did nothing. */
function lineOf(standing: Standing): string {
  const { step, result } = standing;
  const state = stateOf(standing);
  const by = result.ended === undefined ? "" : " by this run";
  if (state !== "open") return `${state === "merged" ? "Merged" : "Closed"}${by}.`;
  if (step.type !== "follow-up") return step.why || "It is ready to be merged.";
  return hasFollowUp(standing)
    ? `The agent was told of ${step.why}.`
    : `A follow-up is due: ${step.why}.`;
}

/** @param what more text; empty for none */
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
    open.map((standing) => itemOf(standing, needsOf(standing.step))),
    MOST_ITEMS,
  );
  return [reportText(report), ...(items.length === 0 ? [] : ["**Open**", items.join("\n")])].join(
    "\n\n",
  );
}
