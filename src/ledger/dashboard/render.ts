import { pullLink } from "../../github/news.ts";
import { inlineCode, listed, renderPie, type Slice } from "../../text/markdown.ts";
import { counted, sentence } from "../../text/sentence.ts";
import type { Decision } from "../model/batch-events.ts";
import type { Batch, Done, Group, PassedOver, Review, Source } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { rangeId } from "../model/names.ts";
import { allId, boxText } from "./boxes.ts";
import { changeText, itemText } from "./change-text.ts";

/** GitHub takes a body of 65,536 characters. */
const LONGEST = 60_000;
const MOST_ITEMS = 50;

/** What an action says on its dashboard. */
export interface DashboardWords {
  /** What the issue shows, and who keeps it. */
  introduction: string;
  /** How far everything is, in one line. */
  headline: string;
  /** The same, for a pie. */
  slices: readonly Slice[];
  /** Title of the pie. */
  chart: string;
  waiting: readonly Group[];
}

/** The dashboard's body, its mark left out: sections by what a person should do. */
export function renderDashboard(
  edit: LedgerEdit,
  ticked: readonly Decision[],
  { introduction, headline, slices, chart, waiting }: DashboardWords,
): string {
  const { batches, reviews, done, passedOver } = edit.ledger;
  const running = batches.filter((it) => edit.holdsUp(it));
  const sections = [
    decisionSection(edit, ticked),
    section("In progress", running.map(progressItem), MOST_ITEMS),
    section("In review", reviews.toReversed().map(reviewItem), MOST_ITEMS),
    section("Waiting", waiting.map(waitingItem), MOST_ITEMS),
    section("Done", done.map(doneItem), MOST_ITEMS),
    section("Passed over", passedOver.map(passedOverItem), MOST_ITEMS),
  ];
  const pie = renderPie(slices);
  const tail = pie === "" ? "" : `## ${chart}\n\n${pie}`;
  return joinSections(`${introduction}\n\n**${headline}**`, sections, tail, LONGEST);
}

function decisionSection(edit: LedgerEdit, ticked: readonly Decision[]): Section {
  const undecided = undecidedItems(edit);
  const items = undecided.map(({ id, text, at }) => {
    const leave = `${boxText({ id, what: "leave" }, ticked)} Leave these commits, and go on with what lands after them`;
    const own = at === undefined ? [leave] : boxes(id, ticked, "");
    return [text, ...own.map((line) => `  ${line}`)].join("\n");
  });
  const newest = undecided
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);
  const all =
    newest === undefined || items.length < 2 ? [] : boxes(allId(newest), ticked, " all of these");
  return section("Needs a decision", items, MOST_ITEMS, all.join("\n"));
}

/** What needs a decision, and why. `at`: when a batch was handed over; undefined for commits that are too many. */
export function undecidedItems(edit: LedgerEdit): { id: string; text: string; at?: string }[] {
  return [
    ...edit.undecided.map((batch) => {
      const [head = "", ...changes] = itemText("", batch.changes).split("\n");
      const text = [`${head}. ${whyUndecided(edit, batch)}`, ...changes].join("\n");
      return { id: batch.id, text, at: batch.at };
    }),
    ...edit.ledger.sources
      .filter(({ tooMany }) => tooMany !== null)
      .map((source) => ({ id: rangeId(source), text: rangeText(source) })),
  ];
}

function boxes(id: string, ticked: readonly Decision[], what: string): string[] {
  return [
    `${boxText({ id, what: "again" }, ticked)} Hand over${what} again`,
    `${boxText({ id, what: "leave" }, ticked)} Leave${what === "" ? " it" : what}`,
  ];
}

/** What happened, where to look, and what ticking does. */
function whyUndecided(edit: LedgerEdit, { state, why, jobId, attempt }: Batch): string {
  const reason = why === "" ? "" : `: ${inlineCode(why, 200)}`;
  const which = why.includes(jobId ?? "") ? "it" : `job ${inlineCode(jobId ?? "", 80)}`;
  const job = jobId === null ? "" : ` Look at ${which} on the service's dashboard first.`;
  if (state === "uncertain") {
    return `${sentence(`The service may have received the request${reason}`)} Look for its job on the service's dashboard first: handing over again starts another one.`;
  }
  if (state === "running") {
    const hours = Number((edit.rules.deadline / 3_600_000).toFixed(2));
    const status = why === "" ? "" : ` Its status is ${inlineCode(why, 40)}.`;
    return `The job has been at work for more than ${counted(hours, "hour")}.${status}${job} Its end is still taken if it comes; handing over again starts another job.`;
  }
  if (jobId === null) return `${sentence(`The service refused it${reason}`)} ${AFTER_REFUSAL}`;
  const times = attempt === 1 ? "once" : `${attempt} times`;
  return `${sentence(`It was handed over ${times}${reason}`)}${job}`;
}

/** Only the queue leaves it to a person what to do about a refusal. */
const AFTER_REFUSAL =
  "Change its prompt in the task file, then hand it over again. Without an `id`, the changed prompt is a new task: leave this one.";

function rangeText({ repository, branch, tooMany }: Source): string {
  const place = inlineCode(`${repository}@${branch}`, 200);
  return `- ${place} gained ${tooMany?.commits} commits at once, more than can be read. Nothing of this branch is handed over until you decide.`;
}

function progressItem({ jobId, changes }: Batch): string {
  const job = jobId === null ? "Being sent" : `Job ${inlineCode(jobId, 80)}`;
  return itemText(`${job} ← `, changes);
}

function reviewItem({ prLink, changes }: Review): string {
  return itemText(`${pullLink("Docs pull request", prLink) ?? "Docs pull request"} ← `, changes);
}

function waitingItem({ changes, attempts, isReleased }: Group): string {
  const again = attempts > 0 ? `Attempt ${attempts + 1} ← ` : "";
  const release = isReleased ? "" : "For a release ← ";
  return itemText(again || release, changes);
}

const RESULTS: Record<Done["result"], (link: string) => string> = {
  merged: (link) => `${link} (merged)`,
  closed: (link) => `${link} (closed without merging)`,
  unread: (link) => `${link} (could not be read)`,
  none: () => "Nothing to change",
  left: () => "Left",
};

export function doneItem({ result, prLink, changes, more }: Done): string {
  const link = pullLink("Docs pull request", prLink) ?? "Docs pull request";
  return itemText(`${RESULTS[result](link)} ← `, changes, more);
}

function passedOverItem({ change, why }: PassedOver): string {
  return `- ${changeText(change)}: ${inlineCode(why.replaceAll("`", ""), 100)}`;
}

/** A section of the dashboard. */
export interface Section {
  title: string;
  /** What stands above the items; empty for nothing. */
  intro: string;
  /** One per line; an item may have more lines. */
  items: string[];
  /** How many items there are beside those. */
  more: number;
}

/** @param most how many items it shows */
export function section(
  title: string,
  items: readonly string[],
  most: number,
  intro = "",
): Section {
  const more = Math.max(0, items.length - most);
  return { title, intro, items: items.slice(0, most), more };
}

/** How many items a section keeps as long as another one has more. */
const KEPT = 5;

/**
 * The text of a dashboard: head, sections, tail. If it is too long, sections at the bottom lose items first.
 *
 * @param longest in characters
 */
export function joinSections(
  head: string,
  sections: readonly Section[],
  tail: string,
  longest: number,
): string {
  const kept = sections.map((it) => ({ ...it, items: [...it.items] }));
  const whole = () =>
    [head, ...kept.map(sectionText), tail].filter((part) => part !== "").join("\n\n");
  while (whole().length > longest) {
    const least = kept.some(({ items }) => items.length > KEPT) ? KEPT : 0;
    const cut = kept.findLast(({ items }) => items.length > least);
    if (cut === undefined) break;
    const count = Math.ceil((cut.items.length - least) / 2);
    cut.more += count;
    cut.items.splice(cut.items.length - count);
  }
  return whole();
}

function sectionText({ title, intro, items, more }: Section): string {
  if (items.length === 0 && more === 0) return "";
  const head = intro === "" ? [`## ${title}`] : [`## ${title}`, intro];
  return [...head, listed(items, items.length, more).join("\n")].join("\n\n");
}
