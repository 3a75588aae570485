/** Runs of workflows: in the margin of a page, and on a page of their own. */

import { NAMES } from "../actions/run-log.ts";
import type { WorkflowRun } from "../actions/workflow-runs.ts";
import { box, pill, type Tone, time } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { markdown } from "./markdown.ts";

/** Runs in the margin. */
const LATEST = 6;

export interface RunOptions {
  /** `owner/name` */
  repository: string;
  /** Of the emulated GitHub. */
  origin: string;
}

/** The latest runs, newest first, each a part. */
export function runsAside(runs: readonly WorkflowRun[], { repository }: RunOptions): Part[] {
  const none = html`<p class="empty">None yet. A comment or an upkeep run starts one.</p>`;
  return [
    {
      key: "runs",
      content: html`<h2>Workflow runs</h2>${runs.length === 0 && none}`,
    },
    ...runs.slice(0, LATEST).map((run) => ({
      key: `run-${run.id}`,
      label: `Workflow ${run.workflow.name}, run ${run.id}: ${stateOf(run)}`,
      content: html`<div class="card">
<div class="row"><a href="${runPath(run, repository)}">${run.workflow.name}</a>${runPill(run)}</div>
<p class="hint">${run.event.name} by ${run.event.actor} at ${time(run.createdAt)}</p>
${run.errors.slice(0, 1).map((error) => html`<p class="error">${error}</p>`)}
</div>`,
    })),
  ];
}

/** The page of a run. */
export function runParts(run: WorkflowRun, options: RunOptions): Part[] {
  const { workflow, event, log, summary, id } = run;
  const lines = log.lines.map(
    ({ kind, text }) => html`<span class="${kind}">${NAMES[kind]}${text}\n</span>`,
  );
  const none = run.conclusion === "skipped" ? "The job's condition was not met." : "Nothing yet.";
  const rows = Object.entries(run.outputs).map(
    ([name, value]) =>
      value !== "" &&
      html`<tr><th scope="row"><code>${name}</code></th><td><code>${value}</code></td></tr>`,
  );
  const content = html`<h1>${workflow.name} <span class="number">run ${id}</span></h1>
<p class="state">${runPill(run)} <code>${workflow.file}</code> on <code>${event.name}</code> by ${event.actor} at ${time(run.createdAt)}</p>
${summary !== "" && summaryBox("Summary", summary, options)}
${box("Log", html`<pre class="log" tabindex="0" aria-label="Log">${lines.length === 0 ? none : lines}</pre>`)}
${box("Outputs of the step", html`<div class="body scroll markdown-body"><table>${rows}</table></div>`)}`;
  return [{ key: "run", label: `Run ${id}: ${stateOf(run)}`, content }];
}

/** The summary of a step. @param summary Markdown */
export function summaryBox(title: string, summary: string, options: RunOptions): Html {
  return box(title, html`<div class="body markdown-body">${markdown(summary, options)}</div>`);
}

export function runPath({ id }: WorkflowRun, repository: string): string {
  return `/${repository}/actions/runs/${id}`;
}

const WORDS = { queued: "queued", in_progress: "in progress", completed: "completed" };
const TONES: Record<string, Tone> = {
  ...{ success: "good", failure: "bad", "in progress": "busy", queued: "busy" },
};

function stateOf({ status, conclusion }: WorkflowRun): string {
  return conclusion ?? WORDS[status];
}

function runPill(run: WorkflowRun): Html {
  return pill(TONES[stateOf(run)] ?? "idle", stateOf(run));
}
