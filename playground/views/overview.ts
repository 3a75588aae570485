/** The first page: every action, the workflow that runs it, how to start it, and how its last run came out. */

import path from "node:path";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { actionOf, canBeRun, type Workflow } from "../actions/workflow.ts";
import type { WorkflowRun } from "../actions/workflow-runs.ts";
import { BY_COMMENT, TEAM, WITHOUT_WAITING } from "../site/acts.ts";
import { keeperOf } from "../site/reader.ts";
import type { IssueRecord } from "../site/records.ts";
import { TASKS_FILE } from "../site/tasks.ts";
import { reference, runForm } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { hasBegun, runPath, runPill, stateOf } from "./runs.ts";
import { draftPath } from "./thread.ts";
import { workflowView } from "./workflow.ts";

const REQUEST = "/docs explain how to rotate a key without downtime";
const QUESTION = "/ask how do I rotate a key?";

/** What to do with an action, by its folder. @param to the repository's page */
const STEPS: Record<string, (to: string) => Html> = {
  ".": (to) => html`<a href="${draft(to, REQUEST, BY_COMMENT)}">Write /docs on an issue</a>`,
  upkeep: (to) => html`<a href="${to}/pulls">Merge a change</a>, then run it`,
  gate: (to) => html`<a href="${to}/pulls">Open a pull request</a> with code`,
  land: (to) => html`<a href="${to}/pulls">Review a docs pull request</a>, then run it`,
  deploy: (to) => html`<a href="${to}/pulls">Open a pull request</a> with a page of documentation`,
  doctor: () => html`Run it, with mistakes if you like, and look at the summary of the run`,
  collect: (to) =>
    html`<a href="${draft(to, REQUEST, WITHOUT_WAITING)}">Write /docs</a> for the workflow that does not wait, then run it`,
  queue: (to) => html`<a href="${to}/blob/main/${TASKS_FILE}">Edit ${TASKS_FILE}</a>, or run it`,
  assistant: (to) =>
    html`<a href="${draft(to, QUESTION, TEAM)}">Write /ask on an issue</a>, or <a href="${to}/issues">open a question</a>`,
  jobs: () => html`Run it, and look at the summary of the run`,
};

/** The page of the first issue, with a comment that a workflow answers. */
function draft(to: string, text: string, workflow: string): string {
  return draftPath(`${to}/issues/1`, { text, workflow: path.basename(workflow) });
}

export function overviewParts(
  workflows: ReadonlyMap<string, Workflow>,
  runs: readonly WorkflowRun[],
  issues: readonly IssueRecord[],
  repository: string,
): Part[] {
  const to = `/${repository}`;
  const cards = [...workflows].map(([action, workflow]) => {
    const { description } = readActionMetadata(path.join(REPOSITORY_ROOT, action));
    const name =
      action === "." ? "Root action" : action.replace(/^./, (initial) => initial.toUpperCase());
    const last = runs.find((run) => actionOf(run.workflow) === action && hasBegun(run));
    const kept = issues.find((issue) => keeperOf(issue) === action);
    const link =
      last &&
      html`<a href="${runPath(last, repository)}" aria-label="Last run: ${stateOf(last)}">${runPill(last)}</a>`;
    const dashboard = kept && reference(`${to}/issues/${kept.number}`, kept.title, kept.number);
    return html`<section class="box" id="action-${action === "." ? "root" : action}" aria-label="${name}">
<header class="row"><h2>${name}</h2>${link}</header>
<div class="body"><p>${description}</p>
<p>${STEPS[action]?.(to)}.${dashboard && html` Its dashboard: ${dashboard}`}</p>
${workflowView(workflow)}
${canBeRun(workflow) && runForm(repository, action)}</div>
</section>`;
  });
  return [
    {
      key: "actions",
      content: html`<h2>Every action by itself</h2><div class="cards">${cards}</div>`,
    },
  ];
}
