/** The dashboard's body: its mark, the boxes that people tick, and its sections. */

import { pullLink } from "../../github/conversation/news.ts";
import { HOUR } from "../../runtime/clock.ts";
import { inlineCode, listed } from "../../text/markdown.ts";
import { counted, sentence } from "../../text/sentence.ts";
import type { Decision } from "../model/decisions.ts";
import {
  type Batch,
  type Finished,
  type Group,
  type InReview,
  jobIdOf,
  type PassedOver,
} from "../model/ledger.ts";
import { changeText, itemText } from "../model/names.ts";
import { activeBatches, type BatchRevision, undecidedBatches } from "../model/revision.ts";
import { type Counts, renderPie } from "./progress.ts";

/** The ledger that a body shows. */
export interface DashboardMark {
  /** The ledger's ref. */
  ref: string;
  sha: string;
  writes: number;
}

const MARK = /<!-- docs-agent-ledger (refs\/\S+) ([0-9a-f]{40,64}) (\d+) -->/;

/** A box: `- [ ] <!-- again:ID -->`, `- [ ] <!-- leave:ID -->`; any text may follow. */
const BOX = /^ *- \[([ xX])\] <!-- (again|leave):([A-Za-z0-9_-]+) -->/gm;

export function markText({ ref, sha, writes }: DashboardMark): string {
  return `<!-- docs-agent-ledger ${ref} ${sha} ${writes} -->`;
}

/** Null if the body has no mark. */
export function readMark(body: string): DashboardMark | null {
  const [, ref, sha, writes] = MARK.exec(body) ?? [];
  return ref === undefined || sha === undefined ? null : { ref, sha, writes: Number(writes) };
}

/** The decisions of a body's ticked boxes, each once. */
export function readTicks(body: string): Decision[] {
  const choices = new Map<string, Decision["choice"]>();
  for (const [, sign, word, id = ""] of body.matchAll(BOX)) {
    const name = Buffer.from(id, "base64url").toString("utf8");
    // If both boxes of an entry are ticked, the careful one counts. It can still be handed over by hand.
    if (sign === " " || choices.get(name) === "leave") continue;
    choices.set(name, word === "leave" ? "leave" : "again");
  }
  return [...choices].map(([id, choice]) => ({ id, choice }));
}

/** Before the time of the newest entry, the ID of the boxes for all entries: a tick does not include later ones. */
const ALL = "all ";

/** Replaces the decision for all entries by one for each. A decision for a single entry takes precedence. */
export function spellOut(
  decisions: readonly Decision[],
  entries: readonly { id: string; at: string }[],
): Decision[] {
  const all = decisions.find(({ id }) => id.startsWith(ALL));
  if (all === undefined) return [...decisions];
  const single = decisions.filter(({ id }) => !id.startsWith(ALL));
  const newest = all.id.slice(ALL.length);
  const meant = entries.filter(
    ({ id, at }) => at <= newest && single.every((one) => one.id !== id),
  );
  return [...single, ...meant.map(({ id }) => ({ id, choice: all.choice }))];
}

/** Room for the sections, in characters. GitHub takes 65,536 for a body. */
const LONGEST = 60_000;
/** How many entries a section may show: as many as there is room for, after the sections above it. */
const MOST = 50;
const HALVES = [MOST, 25, 12, 6, 3, 1, 0];

/** What an action says on its dashboard. */
interface DashboardWords {
  /** What the issue shows, and who updates it. */
  introduction: string;
  /** The progress in one line. */
  headline: string;
  /** The progress, for a pie. */
  progress: Counts;
  /** Title of the pie. */
  chart: string;
  waiting: readonly Group[];
}

/** The dashboard's body without its mark: sections by what a person should do. */
export function renderDashboard(
  revision: BatchRevision,
  ticked: readonly Decision[],
  { introduction, headline, progress, chart, waiting }: DashboardWords,
): string {
  const { reviews, done, passedOver } = revision.ledger;
  const undecided = undecidedItems(revision).map(({ id, text }) =>
    [text, ...boxes(id, ticked, "").map((line) => `  ${line}`)].join("\n"),
  );
  const newest = undecidedBatches(revision).reduce((last, { at }) => (at > last ? at : last), "");
  const all = undecided.length < 2 ? [] : boxes(`${ALL}${newest}`, ticked, " all of these");
  const sections: [title: string, items: string[], count?: number, above?: string][] = [
    ["Needs a decision", undecided, undecided.length, all.join("\n")],
    ["In progress", activeBatches(revision).map(progressItem)],
    ["In review", reviews.slice(-MOST).reverse().map(reviewItem), reviews.length],
    ["Waiting", waiting.slice(0, MOST).map(waitingItem), waiting.length],
    ["Done", done.map(doneItem)],
    ["Passed over", passedOver.map(passedOverItem)],
  ];
  const pie = renderPie(progress);
  let room = LONGEST;
  const parts = sections
    .filter(([, items]) => items.length > 0)
    .map(([title, items, count = items.length, above = ""]) => {
      const textWith = (most: number) => {
        const list = listed(items, most, count - items.length).join("\n");
        return above === "" ? `## ${title}\n\n${list}` : `## ${title}\n\n${above}\n\n${list}`;
      };
      const text = textWith(HALVES.find((most) => textWith(most).length <= room) ?? 0);
      room -= text.length;
      return text;
    });
  if (pie !== "") parts.push(`## ${chart}\n\n${pie}`);
  return [introduction, `**${headline}**`, ...parts].join("\n\n");
}

/** What needs a decision, and why. */
export function undecidedItems(revision: BatchRevision): { id: string; text: string }[] {
  return undecidedBatches(revision).map((batch) => {
    const [head = "", ...changes] = itemText("", batch.changes).split("\n");
    const text = [`${head}. ${undecidedText(revision, batch)}`, ...changes].join("\n");
    return { id: batch.id, text };
  });
}

/** @param which the entries, such as ` all of these`; empty for a single one */
function boxes(id: string, ticked: readonly Decision[], which: string): string[] {
  const code = Buffer.from(id).toString("base64url");
  const box = (choice: Decision["choice"], words: string) => {
    const isTicked = ticked.some((tick) => tick.id === id && tick.choice === choice);
    return `- [${isTicked ? "x" : " "}] <!-- ${choice}:${code} --> ${words}`;
  };
  return [box("again", `Hand over${which} again`), box("leave", `Leave${which || " it"}`)];
}

/** What happened, where to look, and what ticking does. */
function undecidedText({ rules }: BatchRevision, batch: Batch): string {
  switch (batch.state) {
    case "intended":
      return "";
    case "uncertain":
      return `${sentence(`The service may have received the request${reasonText(batch.reason)}`)} Look for its job on the service's dashboard first: handing over again starts another one.`;
    case "running": {
      const hours = Number((rules.deadline / HOUR).toFixed(2));
      return `The job has been at work for more than ${counted(hours, "hour")}.${lookAt(batch.job.id, "")} Its end is still taken if it comes; handing over again starts another job.`;
    }
    case "failed": {
      const { reason, job, attempt } = batch;
      if (job === null) {
        return `${sentence(`The service refused it${reasonText(reason)}`)} ${AFTER_REFUSAL}`;
      }
      const times = attempt === 1 ? "once" : `${attempt} times`;
      const happened = sentence(`It was handed over ${times}${reasonText(reason)}`);
      return `${happened}${lookAt(job.id, reason)}`;
    }
  }
}

function reasonText(reason: string): string {
  return reason === "" ? "" : `: ${inlineCode(reason, 200)}`;
}

/** @param before the text before it, which may name the job already */
function lookAt(jobId: string, before: string): string {
  const name = before.includes(jobId) ? "it" : `job ${inlineCode(jobId, 80)}`;
  return ` Look at ${name} on the service's dashboard first.`;
}

/** Only the queue lets a person decide about a refusal. */
const AFTER_REFUSAL =
  "Change its prompt in the task file, then hand it over again. Without an `id`, the changed prompt is a new task: leave this one.";

function progressItem(batch: Batch): string {
  const { changes } = batch;
  const jobId = jobIdOf(batch);
  return itemText(jobId === null ? "Being sent" : `Job ${inlineCode(jobId, 80)}`, changes);
}

function reviewItem({ prLink, changes }: InReview): string {
  return itemText(pullLink("Docs pull request", prLink), changes);
}

function waitingItem({ changes, attempts, isReleased }: Group): string {
  const again = attempts > 0 ? `Attempt ${attempts + 1}` : "";
  return itemText(again || (isReleased ? "" : "For a release"), changes);
}

/** How a docs pull request ended, in words. */
export const REVIEWED = {
  merged: "merged",
  closed: "closed without merging",
  unread: "could not be read",
} as const;

export function doneItem({ result, prLink, changes, more }: Finished): string {
  const link = pullLink("Docs pull request", prLink ?? "");
  const others = { none: "Nothing to change", left: "Left" };
  const about =
    result === "none" || result === "left" ? others[result] : `${link} (${REVIEWED[result]})`;
  return itemText(about, changes, more);
}

function passedOverItem({ change, reason }: PassedOver): string {
  return `- ${changeText(change)}: ${inlineCode(reason.replaceAll("`", ""), 100)}`;
}
