/** Runs of workflows: in the margin of a page, in a list, and on a page of their own. */

import type { EndedStep } from "../actions/job.ts";
import { NAMES } from "../actions/run-log.ts";
import type { EventSubject, WorkflowEvent } from "../actions/workflow.ts";
import type { WorkflowRun } from "../actions/workflow-runs.ts";
import { box, pill, plain, reactionCounts, reference, type Tone, time, titled } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { type MarkdownOptions, markdown } from "./markdown.ts";
import { workflowView } from "./workflow.ts";

/** Runs in the margin. */
const LATEST = 6;

/** Length of an output from which it is closed, in characters. */
const LONG_OUTPUT = 1000;

/** The latest runs whose job began, newest first, each a part. */
export function runsAside(runs: readonly WorkflowRun[], { repository }: MarkdownOptions): Part[] {
  const none = html`<p class="hint">None yet. A comment, a change or a button starts one.</p>`;
  const begun = runs.filter(hasBegun);
  const head = html`<h2><a href="/${repository}/actions">Workflow runs</a></h2>${begun.length === 0 && none}`;
  return [
    { key: "runs", content: head },
    ...begun.slice(0, LATEST).map((run) => ({
      key: `run-${run.id}`,
      label: heard(run),
      content: html`<div class="card">${glanceAt(run, repository)}</div>`,
    })),
  ];
}

/** The page of all runs. */
export function runsParts(runs: readonly WorkflowRun[], repository: string): Part[] {
  const rows = runs.map((run) => html`<li>${glanceAt(run, repository)}</li>`);
  const none = rows.length === 0 && html`<li class="hint">None yet.</li>`;
  const content = html`<h1>Workflow runs</h1><ul class="box rows">${rows}${none}</ul>`;
  return [{ key: "list", content }];
}

function glanceAt(run: WorkflowRun, repository: string): Html {
  return html`<div class="row"><a href="${runPath(run, repository)}">${run.workflow.name}</a>${runPill(run)}</div>
<p class="hint">${triggerOf(run, repository)}, ${time(run.createdAt)}</p>
${run.errors.slice(0, 1).map((error) => html`<p class="error">${titled(error)}</p>`)}`;
}

/** The page of a run. @param reactions to the comment that started it */
export function runParts(
  run: WorkflowRun,
  options: MarkdownOptions,
  reactions: Record<string, number>,
): Part[] {
  const { workflow, log, summary } = run;
  const lines = log.lines.map(
    ({ kind, text }) => html`<span class="${kind}">${NAMES[kind]}${text}\n</span>`,
  );
  const none = hasBegun(run) ? "Nothing yet." : "The job's condition was not met.";
  const outputs = run.steps.map((step) => outputsBox(step, run.steps.length === 1, options));
  const content = html`<h1>${workflow.name}</h1>
<p class="state">${runPill(run)} ${triggerOf(run, options.repository)} ${reactionCounts(reactions)}
<span class="hint">${time(run.createdAt)} · run ${run.id}</span></p>
${workflowView(workflow)}
${summary !== "" && summaryBox("Summary", summary, options)}
${outputs}
${box("Log", html`<pre class="log" tabindex="0" aria-label="Log">${lines.length === 0 ? none : lines}</pre>`)}`;
  return [{ key: "run", label: heard(run), content }];
}

function outputsBox({ name, outputs }: EndedStep, isOnly: boolean, options: MarkdownOptions): Html {
  const given = Object.entries(outputs).filter(([, value]) => value !== "");
  const rows = given.map(
    ([output, value]) =>
      html`<tr><th scope="row"><code>${output}</code></th><td>${outputValue(`${name}-${output}`, value, options)}</td></tr>`,
  );
  const table = html`<div class="body"><table class="outputs">${rows}</table></div>`;
  return box(isOnly ? "Outputs of the step" : `Outputs of ${name}`, table);
}

/** A link to the emulated GitHub becomes one to its page here, and a long value opens with a click. */
function outputValue(id: string, value: string, { origin }: MarkdownOptions): Html {
  if (value.length > LONG_OUTPUT) {
    const summary = html`<summary>${value.length} characters</summary>`;
    return html`<details id="output-${id}">${summary}<code>${value}</code></details>`;
  }
  const isLink = value.startsWith(`${origin}/`);
  return isLink
    ? html`<a href="${value.slice(origin.length)}">${value}</a>`
    : html`<code>${value}</code>`;
}

/** The summary of a step. @param summary Markdown */
export function summaryBox(title: string, summary: string, options: MarkdownOptions): Html {
  return box(title, html`<div class="body">${markdown(summary, options)}</div>`);
}

const VERBS: Record<string, string> = {
  issue_comment: "commented on",
  pull_request_review: "reviewed",
  pull_request_review_comment: "commented on a line of",
  synchronize: "pushed to",
};

/** Who or what started a run, as text. */
function triggerOf({ event }: WorkflowRun, repository: string): Html {
  const { name, actor, payload } = event;
  if (name === "schedule") return html`On schedule`;
  if (payload.workflow_run !== undefined) return html`After ${payload.workflow_run.name}`;
  if (name === "workflow_dispatch") return html`Started by ${actor}`;
  const { action = "" } = payload;
  const verb = VERBS[name] ?? VERBS[action] ?? action;
  const subject = subjectOf(event);
  if (subject === undefined) return html`${actor} pushed to main`;
  const kind = "pull_request" in payload ? "pull" : "issues";
  const anchor = /#\w+-?\w+$/.exec(payload.comment?.html_url ?? "")?.[0] ?? "";
  const { number, title } = subject;
  return html`${actor} ${verb} ${reference(`/${repository}/${kind}/${number}${anchor}`, title, number)}`;
}

/** The issue or pull request that an event is about. */
function subjectOf({ payload }: WorkflowEvent): EventSubject | undefined {
  return payload.issue ?? payload.pull_request;
}

/** A run for screen readers. */
function heard(run: WorkflowRun): string {
  const subject = subjectOf(run.event);
  const on = subject === undefined ? "" : ` on ${plain(subject.title)}`;
  return `${run.workflow.name}${on}: ${stateOf(run)}`;
}

/** Whether a job began; the others did not meet the condition. */
export function hasBegun({ status, log }: WorkflowRun): boolean {
  return status !== "completed" || log.lines.length > 0;
}

export function runPath({ id }: WorkflowRun, repository: string): string {
  return `/${repository}/actions/runs/${id}`;
}

const TONES: Record<string, Tone> = {
  success: "good",
  failure: "bad",
  "in progress": "busy",
  queued: "busy",
};

export function stateOf({ status, conclusion }: WorkflowRun): string {
  return conclusion ?? status.replace("_", " ");
}

export function runPill(run: WorkflowRun): Html {
  return pill(TONES[stateOf(run)] ?? "idle", stateOf(run));
}
