import {
  againText,
  chartSection,
  decisionSection,
  doneText,
  jobText,
  keptBy,
  needsDecisionText,
} from "../ledger/dashboard/dashboard-lines.ts";
import { joinSections, section } from "../ledger/dashboard/dashboard-sections.ts";
import { renderPie } from "../ledger/dashboard/pie.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import { inlineCode } from "../text/markdown.ts";
import { taskText } from "./claim-text.ts";
import type { TaskChange } from "./task-change.ts";
import { countTasks, type TaskState, type TaskView } from "./task-states.ts";

/** How many lines the sections show. */
const MAX_LINES = 50;
const MAX_WAITING = 20;
/** Characters of the body that people read; the marker needs the rest of what GitHub takes. */
const MAX_TEXT = 12_000;

export interface QueueDashboard {
  name: string;
  state: LedgerState<TaskChange>;
  views: readonly TaskView[];
  /** Ids of the boxes that are ticked. */
  ticked: readonly string[];
  docsUrl: string;
}

/** The dashboard's body: sections by what a person should do, the marker left out. */
export function renderQueueDashboard({
  name,
  state,
  views,
  ticked,
  docsUrl,
}: QueueDashboard): string {
  const by = (wanted: TaskState): TaskView[] => views.filter((view) => view.state === wanted);
  const counts = countTasks(views);
  const done = doneLines(state);
  const sections = [
    decisionSection(
      by("needs-decision").flatMap(({ fate }) => fate ?? []),
      { ticked, what: "task", max: MAX_LINES, text: taskText },
    ),
    section("In progress", by("running").map(progressLine), { max: MAX_LINES }),
    section("Waiting", [...by("waiting")].map(waitingLine), { max: MAX_WAITING }),
    section("Done", done, { max: MAX_LINES }),
  ];
  const older = Math.max(0, counts.done - done.length);
  const last = sections.at(-1);
  if (last !== undefined) last.more += older;
  return joinSections(
    {
      head: headOf(name, counts, docsUrl),
      sections,
      tail: chartSection("Progress", pieOf(counts)),
    },
    MAX_TEXT,
  );
}

/** For example `120 of 300 tasks done, 3 running, 176 waiting, 1 needs a decision`. */
export function progressOf(counts: Record<TaskState, number>): string {
  const { waiting, running, done, "needs-decision": undecided } = counts;
  const all = waiting + running + done + undecided;
  const parts = [
    `${done} of ${all} ${all === 1 ? "task" : "tasks"} done`,
    running > 0 ? `${running} running` : "",
    waiting > 0 ? `${waiting} waiting` : "",
    needsDecisionText(undecided),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function headOf(name: string, counts: Record<TaskState, number>, docsUrl: string): string {
  return [
    `This issue shows how far the tasks of ${inlineCode(name, 200)} are. ${keptBy("Docs Queue", docsUrl)}`,
    `**${progressOf(counts)}.**`,
  ].join("\n\n");
}

function pieOf(counts: Record<TaskState, number>): string {
  return renderPie([
    { name: "Done", meaning: "good", count: counts.done },
    { name: "Running", meaning: "at work", count: counts.running },
    { name: "Waiting", meaning: "at rest", count: counts.waiting },
    { name: "Needs a decision", meaning: "wrong", count: counts["needs-decision"] },
  ]);
}

function progressLine({ change, jobId }: TaskView): string {
  return `- ${jobText(jobId)} ← ${taskText(change)}`;
}

function waitingLine({ change, fate }: TaskView): string {
  const again = fate === null ? "" : againText(fate.handed.attempt + 1);
  return `- ${taskText(change)}${again}`;
}

/** The newest first, as far back as the checkpoint has them. */
function doneLines({ claims }: LedgerState<TaskChange>): string[] {
  const done = claims
    .flatMap(({ batches }) => batches)
    .filter(({ stateNow }) => stateNow === "done")
    .reverse();
  return done.flatMap(({ batch }) =>
    batch.handed.map(({ change }) => `- ${doneText(batch)} ← ${taskText(change)}`),
  );
}
