import {
  againText,
  chartSection,
  decisionSection,
  doneText,
  jobText,
  keptBy,
} from "../ledger/dashboard/dashboard-lines.ts";
import { joinSections, moreLines, section } from "../ledger/dashboard/dashboard-sections.ts";
import type { BatchNow } from "../ledger/model/claim-now.ts";
import type { LedgerState, OpenChange } from "../ledger/model/read-ledger.ts";
import type { Batch } from "../ledger/model/record.ts";
import { inlineCode } from "../text/markdown.ts";
import { changeText, linkedTitle } from "./change-text.ts";
import { type Coverage, coverageLine, coverageOf, coveragePie } from "./coverage.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import type { PassedOver } from "./read-changes.ts";
import { MAX_PASSED_OVER, MAX_WAITING, type Shown } from "./shown.ts";

/** How many lines the sections show. */
const MAX_DONE = 50;
const MAX_LINES = 60;
/** Characters of the body that people read; the marker needs the rest of what GitHub takes. */
const MAX_TEXT = 22_000;
/** Of a batch that is done, how many changes are named. */
const MAX_NAMED = 10;

export interface UpkeepDashboard {
  state: LedgerState<UpkeepChange>;
  shown: Shown;
  /** What a person has to decide on. */
  needsDecision: readonly OpenChange<UpkeepChange>[];
  /** Ids of the boxes that are ticked. */
  ticked: readonly string[];
  docsUrl: string;
}

/** The dashboard's body: sections by what a person should do, the marker left out. */
export function renderUpkeepDashboard(content: UpkeepDashboard): string {
  const { state, shown, needsDecision, ticked, docsUrl } = content;
  const decide = new Set(needsDecision.map(({ handed }) => handed.change.key));
  const coverage = coverageOf(state, shown, decide);
  const again = [...state.open.values()].filter(
    ({ batch, handed }) => batch.stateNow === "failed" && !decide.has(handed.change.key),
  );
  const sections = [
    decisionSection(needsDecision, {
      ...{ ticked, what: "change", max: MAX_LINES, text: changeText },
    }),
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
    {
      head: headOf(coverage, docsUrl),
      sections,
      tail: chartSection("Coverage of the last 30 days", coveragePie(coverage)),
    },
    MAX_TEXT,
  );
}

function headOf(coverage: Coverage, docsUrl: string): string {
  return [
    `This issue shows which merged changes are documented. ${keptBy("Docs Upkeep", docsUrl)}`,
    `**${coverageLine(coverage)}**`,
  ].join("\n\n");
}

function batchesOf(
  { claims }: LedgerState<UpkeepChange>,
  states: readonly string[],
): BatchNow<UpkeepChange>[] {
  return claims.flatMap(({ batches }) =>
    batches.filter(({ stateNow }) => states.includes(stateNow)),
  );
}

/** Of the newest with a pull request, the ledger may know no more than that. */
function hasChanges({ batch }: BatchNow<UpkeepChange>): boolean {
  return batch.handed.length > 0;
}

function progressLine({ batch }: BatchNow<UpkeepChange>): string {
  return batchLine(jobText(batch.jobId), batch);
}

function againLine({ handed }: OpenChange<UpkeepChange>): string {
  return `${changeLine(handed.change)}${againText(handed.attempt + 1)}`;
}

function doneLine({ batch }: BatchNow<UpkeepChange>): string {
  return batchLine(doneText(batch), batch);
}

/** A batch and its changes: one beside it, several below it. */
function batchLine(what: string, { handed }: Batch<UpkeepChange>): string {
  const [only] = handed;
  if (handed.length === 1 && only !== undefined) return `- ${what} ← ${changeText(only.change)}`;
  const named = handed.slice(0, MAX_NAMED).map(({ change }) => `  ${changeLine(change)}`);
  const rest = moreLines(handed.length - named.length).map((line) => `  ${line}`);
  return [`- ${what} ← ${handed.length} changes`, ...named, ...rest].join("\n");
}

function passedOverLine({ key, title, url, why }: PassedOver): string {
  const name = key.replace(/(@[0-9a-f]{7})[0-9a-f]{33}$/, "$1");
  return `- ${linkedTitle(title, url)} ${inlineCode(name, 100)} — ${inlineCode(why.replaceAll("`", ""), 100)}`;
}

function changeLine(change: UpkeepChange): string {
  return `- ${changeText(change)}`;
}
