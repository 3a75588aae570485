import { renderBox } from "../ledger/boxes.ts";
import { joinSections, section } from "../ledger/dashboard-sections.ts";
import { renderPie } from "../ledger/pie.ts";
import type { LedgerState, OpenChange } from "../ledger/read-ledger.ts";
import { tickId } from "../ledger/record.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { taskText } from "./claim-text.ts";
import type { TaskChange } from "./task-change.ts";
import { countTasks, type TaskState, type TaskView } from "./task-states.ts";

/** How many lines the sections show. */
const MAX_LINES = 50;
const MAX_WAITING = 20;
/** Characters of the body that people read; the marker needs the rest of what GitHub takes. */
const MAX_TEXT = 12_000;

export interface DashboardContent {
  name: string;
  state: LedgerState<TaskChange>;
  views: readonly TaskView[];
  /** Ids of the boxes that are ticked. */
  ticked: readonly string[];
  docsUrl: string;
}

/** The dashboard's body: sections by what a person should do, the marker left out. */
export function renderDashboard({ name, state, views, ticked, docsUrl }: DashboardContent): string {
  const by = (wanted: TaskState): TaskView[] => views.filter((view) => view.state === wanted);
  const counts = countTasks(views);
  const done = doneLines(state);
  const sections = [
    section(
      "Needs a decision",
      by("needs-decision").flatMap(({ fate }) =>
        fate === null ? [] : [decisionLine(fate, ticked)],
      ),
      { intro: "Tick a box to hand the task over again on the next run.", max: MAX_LINES },
    ),
    section("In progress", by("running").map(progressLine), { max: MAX_LINES }),
    section("Waiting", [...by("waiting")].map(waitingLine), { max: MAX_WAITING }),
    section("Done", done, { max: MAX_LINES }),
  ];
  const older = Math.max(0, counts.done - done.length);
  const last = sections.at(-1);
  if (last !== undefined) last.more += older;
  return joinSections(
    { head: headOf(name, counts, docsUrl), sections, tail: chartOf(counts) },
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
    undecided > 0 ? `${undecided} ${undecided === 1 ? "needs" : "need"} a decision` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function headOf(name: string, counts: Record<TaskState, number>, docsUrl: string): string {
  return [
    `This issue shows the progress of the tasks in ${inlineCode(name, 200)}. [Docs Queue](${docsUrl}) keeps it up to date. Close it to pause the queue, and reopen it to resume.`,
    `**${progressOf(counts)}.**`,
  ].join("\n\n");
}

/** Comes last: GitHub draws it half a screen high, and what a person has to decide on comes first. */
function chartOf(counts: Record<TaskState, number>): string {
  const pie = renderPie([
    { name: "Done", meaning: "good", count: counts.done },
    { name: "Running", meaning: "at work", count: counts.running },
    { name: "Waiting", meaning: "at rest", count: counts.waiting },
    { name: "Needs a decision", meaning: "wrong", count: counts["needs-decision"] },
  ]);
  return pie === "" ? "" : `## Progress\n\n${pie}`;
}

function decisionLine(
  { batch, handed }: OpenChange<TaskChange>,
  ticked: readonly string[],
): string {
  const id = tickId(batch.id, handed.change.key);
  const { reason, jobId } = batch.batch;
  const why =
    batch.standing === "uncertain"
      ? "the service may have received it"
      : jobId === null
        ? "the service refused it"
        : `handed over ${handed.attempt === 1 ? "once" : `${handed.attempt} times`}`;
  const said = reason === "" ? "" : `: ${inlineCode(reason, 160)}`;
  return `${renderBox(id, ticked.includes(id))} ${taskText(handed.change)} — ${why}${said}`;
}

function progressLine({ change, jobId }: TaskView): string {
  const what = jobId === null ? "being sent" : `job ${inlineCode(jobId, 80)}`;
  return `- ${what} ← ${taskText(change)}`;
}

function waitingLine({ change, fate }: TaskView): string {
  const again = fate === null ? "" : ` — next: attempt ${fate.handed.attempt + 1}`;
  return `- ${taskText(change)}${again}`;
}

/** The newest first, as far back as the checkpoint has them. */
function doneLines({ claims }: LedgerState<TaskChange>): string[] {
  const done = claims
    .flatMap(({ batches }) => batches)
    .filter(({ standing }) => standing === "done")
    .reverse();
  return done.flatMap(({ batch: { prLink, handed } }) => {
    const link = prLink === null ? null : safeLink(prLink);
    const number = link === null ? "" : pullNumber(link);
    const pull =
      link === null
        ? "nothing to change"
        : `[docs pull request${number === "" ? "" : ` ${number}`}](${link})`;
    return handed.map(({ change }) => `- ${pull} ← ${taskText(change)}`);
  });
}
