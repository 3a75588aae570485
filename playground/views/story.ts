/** The first thing to try: from a merged change to its documentation with the team workflow, and the gate. */

import type { Workflow } from "../actions/workflow.ts";
import type { WorkflowRun } from "../actions/workflow-runs.ts";
import { TEAM } from "../site/acts.ts";
import type { PullFacts, PullRecord } from "../site/records.ts";
import { box, buttonsOf, FORM_ERROR, pill, reference } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { glance, reviewPills, statePill, TONES } from "./pull.ts";
import { hasBegun, runPath, runPill } from "./runs.ts";
import { workflowView } from "./workflow.ts";

/** How far the visitor has come. */
export interface Reached {
  /** The newest change of the code that was merged. */
  merged: PullRecord | undefined;
  /** The newest docs pull request. */
  docs: PullFacts | undefined;
  /** The newest pull request with code. */
  code: PullFacts | undefined;
}

/** A form that runs the team workflow. */
export function teamBar(repository: string): Html {
  const buttons = buttonsOf("how", { hand: "Run the team workflow", hour: "Let an hour pass" });
  return html`<form class="row" method="post" action="/${repository}/team" aria-label="Run the team workflow">
<span>${buttons}</span>
${FORM_ERROR}
</form>`;
}

/** A form that opens a pull request with code. */
function changeBar(repository: string, how: string, label: string): Html {
  return html`<form class="row" method="post" action="/${repository}/changes" aria-label="${label}">
<span>${buttonsOf("how", { [how]: label })}</span>
${FORM_ERROR}
</form>`;
}

export function storyPart(
  team: Pick<Workflow, "file" | "text">,
  { merged, docs, code }: Reached,
  runs: readonly WorkflowRun[],
  repository: string,
): Part {
  const run = runs.find(
    (candidate) =>
      candidate.workflow.file === TEAM &&
      candidate.event.name === "schedule" &&
      hasBegun(candidate),
  );
  const pull = ({ number, title }: PullRecord) =>
    reference(`/${repository}/pull/${number}`, title, number);
  const gate = code?.checks.find(({ name }) => name === "docs gate");
  const steps = [
    html`Merge a change of the code. ${merged && pull(merged)}${changeBar(repository, "merge", "Merge a change")}`,
    html`Let an hour pass: upkeep hands the change to the agent, which works for four seconds. ${run && html`<a href="${runPath(run, repository)}">The last run</a> ${runPill(run)}`}${teamBar(repository)}`,
    html`Let another hour pass: the docs pull request is there, and land asks for its review. ${docs && html`${pull(docs.pull)} ${statePill(docs.pull)}${glance(docs)}`}`,
    html`Review it. If you ask for changes, land sends them to the agent after another hour. ${docs && reviewPills(docs)}`,
    html`Merge it. After another hour, it is done on the dashboard, an <a href="/${repository}/issues">issue</a>.`,
    html`With <code>examples/gate.yml</code>, a change waits for its documentation: open a pull request, and see its red status. Approve it, and the agent is asked: the status turns green. ${code && pull(code.pull)} ${gate && pill(TONES[gate.result] ?? "idle", `docs gate: ${gate.result}`)}${changeBar(repository, "open", "Open a pull request")}`,
  ];
  const list = html`<ol class="story">${steps.map((step) => html`<li>${step}</li>`)}</ol>`;
  const content = html`<div class="body">${list}${workflowView(team)}</div>`;
  const title = html`<h1>Try the team workflow</h1>`;
  const story = box("From a merged change to its documentation", content);
  return { key: "story", content: html`${title}${story}` };
}
