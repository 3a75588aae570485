/** What the dashboard says of what is open: since when, and whom it waits for. */

import { pullLink } from "../../github/conversation/news.ts";
import { inlineCode } from "../../text/markdown.ts";
import { capitalized, sentence } from "../../text/sentence.ts";
import type { Batch, Change, Group, InReview, Ledger } from "../model/ledger.ts";
import { itemText } from "../model/names.ts";
import type { BatchRevision } from "../model/revision.ts";
import { sourcesToSee } from "../model/unread.ts";
import { sinceText, WAITS } from "../waits.ts";

/** Why what waits is not handed over. */
export interface Hold {
  /** A sentence or more. */
  readonly text: string;
  readonly since: string;
}

/**
 * Whom all that waits waits for.
 *
 * @param own what the action's own limits, or a docs pull request, hold back; null for nothing
 */
function holdLines({ limitedSince }: Ledger, own: Hold | null): string[] {
  const service =
    limitedSince === null
      ? []
      : [{ text: WAITS["service-limit"].text({}), since: limitedSince } satisfies Hold];
  return [...(own === null ? [] : [own]), ...service].map(({ text, since }) => {
    const begun = sinceText(since);
    return begun === "" ? text : `${text} It has been so ${begun}.`;
  });
}

/** A limit of the workflow is reached with the newest request. */
export function limitHold({ starts }: Ledger, text: string): Hold {
  return { text, since: starts.at(-1)?.at ?? "" };
}

export function progressItem(batch: Batch): string {
  const { changes, at } = batch;
  const job = "job" in batch ? batch.job : null;
  const since = sinceText(job?.acceptedAt ?? at);
  return itemText(capitalized(job === null ? joined("Being sent", since) : since), changes);
}

export function reviewItem({ prLink, changes, others, unread, endedAt }: InReview): string {
  const about = joined(pullLink("Docs pull request", prLink), sinceText(endedAt));
  return itemText(`${about}${unreadText(unread)}`, [...changes, ...others]);
}

/** See the waits of docs pull requests. */
function unreadText(unread: InReview["unread"]): string {
  if (unread === null) return "";
  return unread.isPassing
    ? ` (could not be read ${sinceText(unread.since)}, so it counts as open)`
    : " (not on this GitHub, or the token may not read it: it counts as open for 7 days)";
}

/** What waits for its turn only says since when. */
export function waitingItem({ changes, attempts, isReleased }: Group, { unread }: Ledger): string {
  const held = unread.changes.find(({ key }) => changes.some((change) => change.key === key));
  const again = attempts > 0 ? `Attempt ${attempts + 1}` : "";
  const release = isReleased ? "" : joined("For a release", sinceText(landedAt(changes)));
  const unreadSince = held === undefined ? "" : `could not be read ${sinceText(held.since)}`;
  const about = joined(again || release, unreadSince) || sinceText(landedAt(changes));
  return itemText(capitalized(about), changes);
}

/** When the first of some changes landed; empty if that is not known. */
function landedAt(changes: readonly Change[]): string {
  const times = changes.flatMap((change) => (change.kind === "change" ? [change.landedAt] : []));
  return times.toSorted()[0] ?? "";
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** Whom all that waits waits for, and what may land unseen. */
export function waitingLines(
  revision: BatchRevision,
  waiting: readonly Group[],
  hold: Hold | null,
) {
  const { ledger } = revision;
  const isLong = new Set(sourcesToSee(revision));
  const sources = ledger.unread.sources.filter((entry) => !isLong.has(entry));
  const lines = waiting.length === 0 ? [] : holdLines(ledger, hold);
  return [...lines.map((line) => `- ${line}`), ...sources.map(unreadSourceLine)];
}

function unreadSourceLine({ source, since, reason }: Ledger["unread"]["sources"][number]): string {
  return `- ${sentence(`${inlineCode(source, 200)} could not be read ${sinceText(since)}: ${reason}`)}`;
}

/** The sources that nobody could read for too long. */
export function unreadSourceLines(revision: BatchRevision): string[] {
  const { wayOut } = WAITS["source-unread"];
  return sourcesToSee(revision).map((entry) => `${unreadSourceLine(entry)} To go on: ${wayOut}.`);
}
