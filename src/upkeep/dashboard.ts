import { renderBox } from "../ledger/boxes.ts";
import { joinSections, section } from "../ledger/dashboard-sections.ts";
import type { JudgedBatch } from "../ledger/judge-claims.ts";
import type { LedgerState, OpenChange } from "../ledger/read-ledger.ts";
import { type Batch, tickId } from "../ledger/record.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { type Coverage, coverageLine, coverageOf, coveragePie } from "./coverage.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { nameOf } from "./prompt.ts";
import type { PassedOver } from "./read-changes.ts";
import { MAX_PASSED_OVER, MAX_WAITING, type Shown } from "./shown.ts";

/** How many lines the sections show. */
const MAX_DONE = 50;
const MAX_LINES = 60;
/** Characters of the body that people read; the marker needs the rest of what GitHub takes. */
const MAX_TEXT = 22_000;
/** Of a batch that is done, how many changes are named. */
const MAX_NAMED = 10;

export interface DashboardContent {
  state: LedgerState<UpkeepChange>;
  shown: Shown;
  /** What a person has to decide on. */
  needsDecision: readonly OpenChange<UpkeepChange>[];
  /** Ids of the boxes that are ticked. */
  ticked: readonly string[];
  docsUrl: string;
}

/** The dashboard's body: sections by what a person should do, the marker left out. */
export function renderDashboard(content: DashboardContent): string {
  const { state, shown, needsDecision, ticked, docsUrl } = content;
  const decide = new Set(needsDecision.map(({ handed }) => handed.change.key));
  const coverage = coverageOf(state, shown, decide);
  const again = [...state.open.values()].filter(
    ({ batch, handed }) => batch.standing === "failed" && !decide.has(handed.change.key),
  );
  const sections = [
    section(
      "Needs a decision",
      needsDecision.map((fate) => decisionLine(fate, ticked)),
      {
        intro: "Tick a box to hand the change over again on the next run.",
        max: MAX_LINES,
      },
    ),
    section("In progress", batchesOf(state, ["running", "claimed"]).map(progressLine), {
      max: MAX_LINES,
    }),
    section("Waiting", [...again.map(againLine), ...shown.waiting.map(changeLine)], {
      max: MAX_WAITING,
      more: shown.more.count,
    }),
    section("Done", batchesOf(state, ["done"]).filter(hasChanges).reverse().map(doneLine), {
      max: MAX_DONE,
    }),
    section("Passed over", shown.passedOver.map(passedOverLine), { max: MAX_PASSED_OVER }),
  ];
  return joinSections(
    { head: headOf(coverage, docsUrl), sections, tail: chartOf(coverage) },
    MAX_TEXT,
  );
}

function headOf(coverage: Coverage, docsUrl: string): string {
  return [
    `This issue shows which merged changes are documented. [Docs Upkeep](${docsUrl}) keeps it up to date. Close it to pause upkeep, and reopen it to resume.`,
    `**${coverageLine(coverage)}**`,
  ].join("\n\n");
}

/** Comes last: GitHub draws it half a screen high, and what a person has to decide on comes first. */
function chartOf(coverage: Coverage): string {
  const pie = coveragePie(coverage);
  return pie === "" ? "" : `## Coverage of the last 30 days\n\n${pie}`;
}

function batchesOf(
  { claims }: LedgerState<UpkeepChange>,
  standings: readonly string[],
): JudgedBatch<UpkeepChange>[] {
  return claims.flatMap(({ batches }) =>
    batches.filter(({ standing }) => standings.includes(standing)),
  );
}

/** Of the newest with a pull request, the ledger may know no more than that. */
function hasChanges({ batch }: JudgedBatch<UpkeepChange>): boolean {
  return batch.handed.length > 0;
}

function decisionLine(
  { batch, handed }: OpenChange<UpkeepChange>,
  ticked: readonly string[],
): string {
  const id = tickId(batch.id, handed.change.key);
  const why =
    batch.standing === "uncertain"
      ? "the service may have received it"
      : `handed over ${handed.attempt === 1 ? "once" : `${handed.attempt} times`}`;
  const { reason } = batch.batch;
  const said = reason === "" ? "" : `: ${inlineCode(reason, 160)}`;
  return `${renderBox(id, ticked.includes(id))} ${changeText(handed.change)} — ${why}${said}`;
}

function progressLine({ batch }: JudgedBatch<UpkeepChange>): string {
  return batchLine(
    batch.jobId === null ? "being sent" : `job ${inlineCode(batch.jobId, 80)}`,
    batch,
  );
}

function againLine({ handed }: OpenChange<UpkeepChange>): string {
  return `${changeLine(handed.change)} — next: attempt ${handed.attempt + 1}`;
}

function doneLine({ batch }: JudgedBatch<UpkeepChange>): string {
  const link = batch.prLink === null ? null : safeLink(batch.prLink);
  const number = link === null ? "" : pullNumber(link);
  const pull =
    link === null
      ? "nothing to change"
      : `[docs pull request${number === "" ? "" : ` ${number}`}](${link})`;
  return batchLine(pull, batch);
}

/** A batch and its changes: one beside it, several below it. */
function batchLine(what: string, { handed }: Batch<UpkeepChange>): string {
  const [only] = handed;
  if (handed.length === 1 && only !== undefined) return `- ${what} ← ${changeText(only.change)}`;
  const named = handed.slice(0, MAX_NAMED).map(({ change }) => `  ${changeLine(change)}`);
  const more = handed.length - named.length;
  const rest = more > 0 ? [`  - … and ${more} more`] : [];
  return [`- ${what} ← ${handed.length} changes`, ...named, ...rest].join("\n");
}

function passedOverLine({ key, title, url, why }: PassedOver): string {
  const name = key.replace(/(@[0-9a-f]{7})[0-9a-f]{33}$/, "$1");
  return `- ${linked(title, url)} ${inlineCode(name, 100)} — ${inlineCode(why.replaceAll("`", ""), 100)}`;
}

function changeLine(change: UpkeepChange): string {
  return `- ${changeText(change)}`;
}

/** A title stands in code, where GitHub reads nothing into it. */
function changeText(change: UpkeepChange): string {
  return `${linked(change.title, change.url)} ${inlineCode(nameOf(change), 100)}`;
}

function linked(title: string, url: string): string {
  const text = inlineCode(title, 120) || "`(no title)`";
  const link = safeLink(url);
  return link === null ? text : `[${text}](${link})`;
}
