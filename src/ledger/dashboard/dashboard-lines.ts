/** What the dashboards of upkeep and queue say alike. */

import { pullNumber, safeLink } from "../../text/link.ts";
import { inlineCode } from "../../text/markdown.ts";
import type { OpenChange } from "../model/read-ledger.ts";
import { type Batch, type Change, tickId } from "../model/record.ts";
import { renderBox } from "./boxes.ts";
import { type DashboardSection, section } from "./dashboard-sections.ts";

/** Who keeps the dashboard, and how a person pauses that. */
export function keptBy(action: string, docsUrl: string): string {
  return `It is kept by [${action}](${docsUrl}); close it to pause, reopen it to go on.`;
}

/** The last part: GitHub draws it half a screen high, and what a person has to decide on comes first. */
export function chartSection(title: string, pie: string): string {
  return pie === "" ? "" : `## ${title}\n\n${pie}`;
}

/** For example `2 need a decision`; empty for none. */
export function needsDecisionText(count: number): string {
  if (count === 0) return "";
  return `${count} ${count === 1 ? "needs" : "need"} a decision`;
}

export interface DecisionOptions<C extends Change> {
  /** Ids of the boxes that are ticked. */
  ticked: readonly string[];
  /** What is handed over: `change` or `task`. */
  what: string;
  /** How many lines it shows. */
  max: number;
  text(change: C): string;
}

/** The section with a box for each change that a person has to decide on. */
export function decisionSection<C extends Change>(
  open: readonly OpenChange<C>[],
  { ticked, what, max, text }: DecisionOptions<C>,
): DashboardSection {
  const lines = open.map(({ batch, handed }) => {
    const id = tickId(batch.id, handed.change.key);
    const { reason } = batch.batch;
    const said = reason === "" ? "" : `: ${inlineCode(reason, 160)}`;
    const why = whyUndecided({ batch, handed });
    return `${renderBox(id, ticked.includes(id))} ${text(handed.change)} — ${why}${said}`;
  });
  const intro = `Tick a box to hand the ${what} over again on the next run.`;
  return section("Needs a decision", lines, { intro, max });
}

function whyUndecided<C extends Change>({ batch, handed }: OpenChange<C>): string {
  if (batch.stateNow === "uncertain") return "the service may have received it";
  if (batch.batch.jobId === null) return "the service refused it";
  return `handed over ${handed.attempt === 1 ? "once" : `${handed.attempt} times`}`;
}

/** How far a request is that has no end yet. */
export function jobText(jobId: string | null): string {
  return jobId === null ? "being sent" : `job ${inlineCode(jobId, 80)}`;
}

/** Of a change that is handed over again by itself. */
export function againText(attempt: number): string {
  return ` — again: attempt ${attempt}`;
}

/** What came of a batch that is done. */
export function doneText({ prLink }: Pick<Batch<Change>, "prLink">): string {
  return pullLink("docs pull request", prLink) ?? "nothing to change";
}

/**
 * A link to a pull request, with its number.
 *
 * @param words what the pull request is called
 * @returns null if there is none, or its address may not be shown
 */
export function pullLink(words: string, prLink: string | null): string | null {
  const link = prLink === null ? null : safeLink(prLink);
  if (link === null) return null;
  const number = pullNumber(link);
  return `[${words}${number === "" ? "" : ` ${number}`}](${link})`;
}
