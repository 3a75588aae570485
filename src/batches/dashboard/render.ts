/** The dashboard's body: its mark and its sections. */

import { pullLink } from "../../github/conversation/news.ts";
import { inlineCode, listed } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import { haltText } from "../halt.ts";
import { recallable, type Tick, undecidedEntries } from "../model/decisions.ts";
import { type Finished, type Group, jobIdOf, type Ledger } from "../model/ledger.ts";
import { changeText, itemText } from "../model/names.ts";
import { isRepeatable } from "../model/reviews.ts";
import { type BatchRevision, openBatches } from "../model/revision.ts";
import { reviewId } from "../model/undecided.ts";
import { entryText } from "../reasons.ts";
import { boxesOf, boxesOfAll, boxToGoOn, boxToHandOver, boxToRepeat, spellOut } from "./boxes.ts";
import {
  detailsOf,
  foldedDetails,
  type Item,
  idDetails,
  jobDetails,
  withoutDetails,
} from "./details.ts";
import {
  type Hold,
  progressItem,
  reviewItem,
  unreadSourceLines,
  waitingItem,
  waitingLines,
} from "./open-items.ts";
import { renderPie } from "./progress.ts";
import { adviceFor, haltDetails, undecidedItem } from "./undecided-items.ts";

const MARK = /<!-- docs-agent-ledger (refs\/\S+) ([0-9a-f]{40,64}) (\d+) -->/;

export function markText({ ref, sha, writes }: NonNullable<ReturnType<typeof readMark>>): string {
  return `<!-- docs-agent-ledger ${ref} ${sha} ${writes} -->`;
}

/** The ledger that a body shows, by its ref; null if the body has no mark. */
export function readMark(body: string): { ref: string; sha: string; writes: number } | null {
  const [, ref, sha, writes] = MARK.exec(body) ?? [];
  return ref === undefined || sha === undefined ? null : { ref, sha, writes: Number(writes) };
}

/** Room for the sections, in characters. GitHub takes 65,536 for a body. */
const LONGEST = 60_000;
/** How many entries a section may show: as many as there is room for, after the sections above it. */
const MOST = 50;
const HALVES = [MOST, 25, 12, 6, 3, 1, 0];

/** The dashboard's body without its mark: sections by what a person should do. */
export function renderDashboard(
  revision: BatchRevision,
  ticked: readonly Tick[],
  {
    introduction,
    headline,
    progress,
    chart,
    waiting,
    hold,
  }: {
    /** What the issue shows, and who updates it. */
    introduction: string;
    /** The progress in one line. */
    headline: string;
    /** The progress, for a pie. */
    progress: Readonly<Record<string, number>>;
    /** Title of the pie. */
    chart: string;
    waiting: readonly Group[];
    /** What holds back all that waits; null for nothing of the action's own. */
    hold: Hold | null;
  },
): string {
  const sections = sectionsOf(revision, ticked, waiting, hold);
  const pie = renderPie(progress);
  let room = LONGEST;
  const parts = sections
    .filter(({ items, above }) => items.length > 0 || (above?.(0) ?? []).flat().length > 0)
    .map((section) => {
      const most = HALVES.find((number) => sectionText(section, number).length <= room) ?? 0;
      const text = sectionText(section, most);
      room -= text.length;
      return text;
    });
  if (pie !== "") parts.push(`## ${chart}\n\n${pie}`);
  const about = [introduction, ...closingLines(revision), `**${headline}**`];
  return [...about, ...parts].join("\n\n");
}

function sectionsOf(
  revision: BatchRevision,
  ticked: readonly Tick[],
  waiting: readonly Group[],
  hold: Hold | null,
): Parameters<typeof sectionText>[0][] {
  const { reviews, done, noLongerRead } = revision.ledger;
  const decided = spellOut(ticked, undecidedEntries(revision));
  const undecided = shownFirst(undecidedEntries(revision), decided);
  const items = undecided.slice(0, MOST).map((entry) => {
    const boxes = boxesOf(entry.id, decided).map((line) => `  ${line}`);
    const { text, details } = undecidedItem(entry, revision);
    return { text: [text, ...boxes].join("\n"), details };
  });
  const ids = undecided.map(({ id }) => id);
  return [
    {
      title: "Needs a decision",
      items,
      count: undecided.length,
      above: (most) => [
        [...haltLines(revision, decided), ...unreadSourceLines(revision)],
        adviceFor(undecided.slice(0, most), revision),
        boxesOfAll(ids.slice(0, most)),
      ],
      details: haltDetails(revision),
    },
    {
      title: "In progress",
      items: openBatches(revision).map((batch) => {
        return {
          text: progressItem(batch),
          details: detailsOf(batch.changes, jobDetails(jobIdOf(batch))),
        };
      }),
    },
    {
      title: "In review",
      items: reviews.slice(-MOST).reverse().map(reviewItem).map(withoutDetails),
      count: reviews.length,
    },
    {
      title: "Waiting",
      items: waiting
        .slice(0, MOST)
        .map((group) => withoutDetails(waitingItem(group, revision.ledger))),
      count: waiting.length,
      above: () => [waitingLines(revision, waiting, hold)],
    },
    { title: "Done", items: done.map((entry) => doneWithBox(entry, decided)) },
    {
      title: "Passed over",
      items: [
        ...noLongerRead.map(droppedItem).map(withoutDetails),
        ...passedOverItems(revision, ticked),
      ],
    },
  ];
}

/** Says that a bot closed the dashboard. */
function closingLines({ ledger: { closedByBot } }: BatchRevision): string[] {
  if (closedByBot === null) return [];
  const { by, at } = closedByBot;
  const when = at === null ? "" : ` on ${at}`;
  const who = inlineCode(by, 60);
  return [
    `${who} closed this issue${when}, and it was opened again: only a person pauses the runs by closing it.`,
  ];
}

function sectionText(
  {
    title,
    items,
    count = items.length,
    above,
    details = [],
  }: {
    title: string;
    items: readonly Item[];
    /** How many entries there are, if the items are not all. */
    count?: number;
    /** Blocks of lines above the items. @param most how many of them are shown */
    above?(most: number): string[][];
    /** More details than those of the items. */
    details?: readonly string[];
  },
  most: number,
): string {
  const blocks = above?.(most) ?? [];
  const texts = items.map(({ text }) => text);
  const parts = [...blocks, listed(texts, most, count - items.length)]
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"));
  const folded = foldedDetails([
    ...details,
    ...items.slice(0, most).flatMap((item) => item.details ?? []),
  ]);
  return [`## ${title}`, ...parts, ...folded].join("\n\n");
}

/** The question whether to go on after too many failures; none if there were not. */
function haltLines({ ledger }: BatchRevision, ticked: readonly Tick[]): string[] {
  const { halt } = ledger.failures;
  if (halt === null) return [];
  const { problem, check } = haltText(halt);
  return [`- **Go on?** ${problem} ${check}`, `  ${boxToGoOn(halt.id, ticked)}`];
}

function droppedItem({ at, count }: Ledger["noLongerRead"][number]): string {
  const text = inlineCode(entryText({ code: "no-longer-read" }), 200);
  return `- ${counted(count, "change")} on ${at.slice(0, 10)}: ${text}`;
}

/** Entries whose boxes are ticked come first: a tick on one that is no longer shown would be lost. */
function shownFirst<T extends { id: string }>(entries: readonly T[], ticked: readonly Tick[]) {
  const isTicked = (entry: T) => ticked.some(({ id }) => id === entry.id);
  return entries.toSorted((entry, other) => Number(isTicked(other)) - Number(isTicked(entry)));
}

/** How a docs pull request ended, in words. */
export const REVIEWED = {
  merged: "merged",
  closed: "closed without merging",
  unread: "could not be read",
} as const;

/** The same without a docs pull request. */
const OTHERS = { none: "Nothing to change", left: "Left" } as const;

export function doneItem(entry: Finished): Item {
  return {
    text: itemText(endText(entry), entry.changes, entry.more),
    details: isRepeatable(entry)
      ? detailsOf(entry.changes, idDetails(reviewId(entry.prLink)))
      : null,
  };
}

function endText(entry: Finished): string {
  if (entry.prLink === null) return OTHERS[entry.result];
  return `${pullLink("Docs pull request", entry.prLink)} (${REVIEWED[entry.result]})`;
}

function passedOverItems(revision: BatchRevision, ticked: readonly Tick[]): Item[] {
  const withBoxes = new Set(recallable(revision));
  const entries = revision.ledger.passedOver.map((entry) => ({ id: entry.change.key, entry }));
  return shownFirst(entries, ticked).map(({ id, entry }) => {
    const { change, reason } = entry;
    const text = `- ${changeText(change)}: ${inlineCode(entryText(reason), 100)}`;
    if (!withBoxes.has(entry)) return withoutDetails(text);
    const details = detailsOf([change], idDetails(id));
    return { text: `${text}\n  ${boxToHandOver(id, ticked)}`, details };
  });
}

/** What a person closed without merging can be handed over again. */
function doneWithBox(entry: Finished, ticked: readonly Tick[]): Item {
  const { text, details } = doneItem(entry);
  if (!isRepeatable(entry)) return { text, details };
  return { text: `${text}\n  ${boxToRepeat(reviewId(entry.prLink), ticked)}`, details };
}
