/** What a run tells people: what came out of earlier runs, what it handed over, and what needs a person. */

import { inlineCode } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import { itemText, pullLink } from "../dashboard/change-text.ts";
import { doneItem, undecidedItems } from "../dashboard/render.ts";
import type { Change, Done, HistoryLine } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { RunResult } from "../protocol/run-ledger.ts";

/** What happened: a few words for the heading, and the items of a list. */
export interface News {
  title: string;
  words: string;
  items: string[];
}

/** Nothing of what there is none of. */
function news<T>(
  title: string,
  some: readonly T[],
  words: (some: readonly T[]) => string,
  item: (one: T) => string,
): News[] {
  return some.length === 0 ? [] : [{ title, words: words(some), items: some.map(item) }];
}

/** How an action calls what it hands over. */
export interface NewsWords {
  /** One of them. */
  what: "change" | "task";
  /** What becomes of it: `handed over`. */
  handed: string;
  /** The output `result`; empty where nothing is known to have been started. */
  result: string;
}

/** Shows a docs pull request in the words of a heading. */
type Link = (prLink: string) => string;

/** What came out of earlier runs, what this one handed over, and what needs a person. */
export function newsOf(ran: RunResult, report: NewsWords, link: Link): News[] {
  return ran.edit === null
    ? []
    : [
        ...finishedNews(ran, report.what, link),
        ...handedNews(ran.handed, report),
        ...undecidedNews(ran.edit, ran.handed, report.what),
      ];
}

function finishedNews({ finished, reviewed }: RunResult, what: string, link: Link): News[] {
  const pulls = (some: readonly { prLink: string | null }[]) => {
    const links = [...new Set(some.flatMap(({ prLink }) => prLink ?? []))];
    return links.length === 1 ? link(links[0] ?? "") : counted(links.length, "docs pull request");
  };
  const lines = (
    words: (some: readonly HistoryLine[]) => string,
    isMeant: (it: HistoryLine) => boolean,
  ) => news("Finished", finished.filter(isMeant), words, finishedItem);
  return [
    ...REVIEWED.flatMap(([state, words]) => {
      const some = reviewed.filter(({ result }) => result === state);
      return news("Finished", some, () => `${pulls(some)} ${words}`, doneItem);
    }),
    ...lines(
      (some) => `${pulls(some)} for ${changesText(some, what)}`,
      ({ state, prLink }) =>
        state === "done" && prLink !== null && reviewed.every((it) => it.prLink !== prLink),
    ),
    ...lines(
      (some) => `nothing to change for ${changesText(some, what)}`,
      ({ state, prLink }) => state === "done" && prLink === null,
    ),
    ...lines(
      (some) => `${counted(some.length, "job")} failed`,
      ({ state }) => state === "failed",
    ),
  ];
}

function handedNews(
  handed: RunResult["handed"],
  { what, handed: words, result }: NewsWords,
): News[] {
  const taken = handed.flatMap(({ batch, sent }) =>
    sent.type === "accepted" ? [{ ...batch, jobId: sent.jobId }] : [],
  );
  const planned = result === "dry-run" ? handed.map(({ batch }) => batch) : [];
  return [
    ...news(
      `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
      taken,
      (some) => `${changesText(some, what)} ${words}`,
      ({ jobId, changes }) => itemText(`Job ${inlineCode(jobId, 80)} ← `, changes),
    ),
    ...news(
      `Would be ${words}`,
      planned,
      (some) => `${changesText(some, what)} would be ${words}`,
      ({ changes }) => itemText("", changes),
    ),
  ];
}

function undecidedNews(edit: LedgerEdit, handed: RunResult["handed"], what: string): News[] {
  const isRefused = ({ id }: { id: string }) =>
    handed.some(({ batch, sent }) => batch.id === id && sent.type === "rejected");
  const [refused = [], others = []] = [true, false].map((is) =>
    undecidedItems(edit).filter((it) => isRefused(it) === is),
  );
  const textOf = ({ text }: { text: string }) => text;
  return [
    ...news("Refused", refused, () => `${counted(refused.length, what)} refused`, textOf),
    ...news(
      "Needs a decision",
      others,
      () => `${counted(others.length, "decision")} needed`,
      textOf,
    ),
  ];
}

function changesText(some: readonly { changes: readonly Change[] }[], what: string): string {
  return counted(some.flatMap(({ changes }) => changes).length, what);
}

/** How a docs pull request ended, in words. */
const REVIEWED: readonly (readonly [Done["result"], string])[] = [
  ["merged", "merged"],
  ["closed", "closed without merging"],
  ["unread", "could not be read"],
];

function finishedItem({ state, prLink, jobId, changes }: HistoryLine): string {
  const outcome =
    state === "failed"
      ? `Failed: job ${inlineCode(jobId ?? "", 80)}`
      : (pullLink("Docs pull request", prLink) ?? "Nothing to change");
  return itemText(`${outcome} ← `, changes);
}
