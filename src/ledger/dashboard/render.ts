import { pullLink } from "../../github/news.ts";
import { inlineCode, listed, renderPie, type Slice } from "../../text/markdown.ts";
import { counted, sentence } from "../../text/sentence.ts";
import type { Decision } from "../model/batch-ends.ts";
import type { Batch, Done, Group, PassedOver, Review } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { changeText, itemText } from "../model/names.ts";
import { allId, boxText } from "./boxes.ts";

/** Maximum length of a body, in characters. GitHub's is 65,536. */
const LONGEST = 60_000;
/** How many entries a section shows: those that need a decision, and others. The former give way last. */
type Most = readonly [undecided: number, others: number];
const HALVES = [50, 25, 12, 6, 3, 1, 0];
const MOST_ITEMS: readonly Most[] = [
  ...HALVES.map((most): Most => [50, most]),
  ...HALVES.map((most): Most => [most, 0]),
];

/** What an action says on its dashboard. */
export interface DashboardWords {
  /** What the issue shows, and who updates it. */
  introduction: string;
  /** The progress in one line. */
  headline: string;
  /** The progress, for a pie. */
  slices: readonly Slice[];
  /** Title of the pie. */
  chart: string;
  waiting: readonly Group[];
}

/** The dashboard's body without its mark: sections by what a person should do. */
export function renderDashboard(
  edit: LedgerEdit,
  ticked: readonly Decision[],
  { introduction, headline, slices, chart, waiting }: DashboardWords,
): string {
  const { reviews, done, passedOver } = edit.ledger;
  const undecided = undecidedItems(edit).map(({ id, text }) =>
    [text, ...boxes(id, ticked, "").map((line) => `  ${line}`)].join("\n"),
  );
  const newest =
    edit.undecided
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? "";
  const all = undecided.length < 2 ? [] : boxes(allId(newest), ticked, " all of these");
  const sections: [title: string, items: string[], above?: string][] = [
    ["Needs a decision", undecided, all.join("\n")],
    ["In progress", edit.active.map(progressItem)],
    ["In review", reviews.toReversed().map(reviewItem)],
    ["Waiting", waiting.map(waitingItem)],
    ["Done", done.map(doneItem)],
    ["Passed over", passedOver.map(passedOverItem)],
  ];
  const pie = renderPie(slices);
  const bodyWith = ([mostUndecided, mostOthers]: Most) =>
    [
      introduction,
      `**${headline}**`,
      ...sections
        .filter(([, items]) => items.length > 0)
        .flatMap(([title, items, above = ""]) => [
          `## ${title}`,
          above,
          listed(items, items === undecided ? mostUndecided : mostOthers).join("\n"),
        ]),
      pie === "" ? "" : `## ${chart}\n\n${pie}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  return bodyWith(MOST_ITEMS.find((most) => bodyWith(most).length <= LONGEST) ?? [0, 0]);
}

/** What needs a decision, and why. */
export function undecidedItems(edit: LedgerEdit): { id: string; text: string }[] {
  return edit.undecided.map((batch) => {
    const [head = "", ...changes] = itemText("", batch.changes).split("\n");
    const text = [`${head}. ${whyUndecided(edit, batch)}`, ...changes].join("\n");
    return { id: batch.id, text };
  });
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
    return `The job has been at work for more than ${counted(hours, "hour")}.${job} Its end is still taken if it comes; handing over again starts another job.`;
  }
  if (jobId === null) return `${sentence(`The service refused it${reason}`)} ${AFTER_REFUSAL}`;
  const times = attempt === 1 ? "once" : `${attempt} times`;
  return `${sentence(`It was handed over ${times}${reason}`)}${job}`;
}

/** Only the queue lets a person decide about a refusal. */
const AFTER_REFUSAL =
  "Change its prompt in the task file, then hand it over again. Without an `id`, the changed prompt is a new task: leave this one.";

function progressItem({ jobId, changes }: Batch): string {
  return itemText(jobId === null ? "Being sent" : `Job ${inlineCode(jobId, 80)}`, changes);
}

function reviewItem({ prLink, changes }: Review): string {
  return itemText(pullLink("Docs pull request", prLink) ?? "Docs pull request", changes);
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

export function doneItem({ result, prLink, changes, more }: Done): string {
  const link = pullLink("Docs pull request", prLink) ?? "Docs pull request";
  const others = { none: "Nothing to change", left: "Left" };
  const what =
    result === "none" || result === "left" ? others[result] : `${link} (${REVIEWED[result]})`;
  return itemText(what, changes, more);
}

function passedOverItem({ change, why }: PassedOver): string {
  return `- ${changeText(change)}: ${inlineCode(why.replaceAll("`", ""), 100)}`;
}
