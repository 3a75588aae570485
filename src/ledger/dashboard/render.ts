import { pullLink } from "../../github/news.ts";
import { inlineCode, listed, renderPie, type Slice } from "../../text/markdown.ts";
import { counted, sentence } from "../../text/sentence.ts";
import type { Decision } from "../model/batch-ends.ts";
import type { Batch, Done, Group, PassedOver, Review, Source } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { changeText, itemText, rangeId } from "../model/names.ts";
import { allId, boxText } from "./boxes.ts";

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
  const undecided = undecidedItems(edit);
  const running = batches.filter((it) => edit.holdsUp(it));
  const sections: [title: string, items: string[], above?: string][] = [
    [
      "Needs a decision",
      undecided.map((it) => decisionItem(it, ticked)),
      allBoxes(undecided, ticked),
    ],
    ["In progress", running.map(progressItem)],
    ["In review", reviews.toReversed().map(reviewItem)],
    ["Waiting", waiting.map(waitingItem)],
    ["Done", done.map(doneItem)],
    ["Passed over", passedOver.map(passedOverItem)],
  ];
  const pie = renderPie(slices);
  const bodyWith = (most: number) =>
    [
      introduction,
      `**${headline}**`,
      ...sections
        .filter(([, items]) => items.length > 0)
        .flatMap(([title, items, above = ""]) => [
          `## ${title}`,
          above,
          listed(items, most).join("\n"),
        ]),
      pie === "" ? "" : `## ${chart}\n\n${pie}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  for (let most = MOST_ITEMS; ; most = Math.floor(most / 2)) {
    const text = bodyWith(most);
    if (text.length <= LONGEST || most === 0) return text;
  }
}

/** What needs a decision. */
interface Undecided {
  /** Of a batch, or of commits that are too many. */
  id: string;
  /** When the batch was handed over, or where the commits begin. */
  at: string;
  isBatch: boolean;
  /** What it is, and why it needs a decision. */
  text: string;
}

export function undecidedItems(edit: LedgerEdit): Undecided[] {
  return [
    ...edit.undecided.map((batch) => {
      const [head = "", ...changes] = itemText("", batch.changes).split("\n");
      const text = [`${head}. ${whyUndecided(edit, batch)}`, ...changes].join("\n");
      return { id: batch.id, at: batch.at, isBatch: true, text };
    }),
    ...edit.ledger.sources
      .filter(({ tooMany }) => tooMany !== null)
      .map((source) => ({
        ...{ id: rangeId(source), at: source.date, isBatch: false, text: rangeText(source) },
      })),
  ];
}

function decisionItem({ id, text, isBatch }: Undecided, ticked: readonly Decision[]): string {
  const leave = `${boxText({ id, what: "leave" }, ticked)} Leave these commits, and go on with what lands after them`;
  const own = isBatch ? boxes(id, ticked, "") : [leave];
  return [text, ...own.map((line) => `  ${line}`)].join("\n");
}

function allBoxes(undecided: readonly Undecided[], ticked: readonly Decision[]): string {
  const times = undecided.filter(({ isBatch }) => isBatch).map(({ at }) => at);
  const newest = times.toSorted().at(-1);
  const isOne = newest === undefined || undecided.length < 2;
  return isOne ? "" : boxes(allId(newest), ticked, " all of these").join("\n");
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
