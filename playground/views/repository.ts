/** The repository's page: changes to merge, workflows to run, pull requests and issues. */

import { AGENT } from "../../emulator/github/people.ts";
import type { IssueRecord, PullFacts, PullRecord } from "../site/records.ts";
import { box, FORM_ERROR, formBox, tags } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { glance, statePill } from "./pull.ts";

/** Rows of a list. */
const LATEST = 12;

const TITLES = [
  "Retry webhooks three times",
  "Add the flag --output",
  "Rotate keys without downtime",
  "Read settings from the environment",
  "Accept several files in one upload",
  "Let webhooks be paused",
];

/** What the next change could be called. */
export function suggestedTitle(changes: number): string {
  return TITLES[changes % TITLES.length] ?? "";
}

const BROKEN = html`<label class="check"><input type="checkbox" name="broken"><span>The service breaks off, so that a person has to decide</span></label>`;

const PASSING = html`<label>Before it, <select name="minutes"><option value="1">a minute</option><option value="60">an hour</option><option value="10080">a week</option></select> passes on GitHub</label>`;

/** The forms: change the code, run upkeep, run land. */
export function repositoryForms(repository: string, changes: number): Html {
  const change = html`<label for="title">Title of the pull request</label>
<input id="title" name="title" required maxlength="256" autocomplete="off" value="${suggestedTitle(changes)}">
<label class="check"><input type="checkbox" name="ignored"><span>With the label <code>skip-docs</code>, so that gate and upkeep pass it over</span></label>
<label class="check"><input type="checkbox" name="docs"><span>With its documentation, in <code>docs/</code></span></label>
<p class="hint">The gate checks an open pull request.</p>`;
  const open = html`<button name="how" value="open">Open a pull request</button>`;
  const merge = html`<button class="primary" name="how" value="merge">Merge a change</button>`;
  const upkeep = html`<p>A run hands what was merged to the agent, and ends. The next run finds out what became of it. In a repository a schedule does this; here a minute passes on GitHub each time.</p>
${BROKEN}`;
  const land = html`<p>A run takes each docs pull request a step further: what checks and reviews found goes back to the agent, and what is good is merged.</p>
<p>${PASSING}</p>`;
  const button = (words: string) => html`<button class="primary">${words}</button>`;
  return html`<h1>Merge changes and run upkeep</h1>
<div class="forms">
${formBox("1. Change the code", `/${repository}/changes`, change, html`${open} ${merge}`)}
${formBox("2. Run upkeep", `/${repository}/upkeep`, upkeep, button("Run upkeep"))}
${formBox("3. Run land", `/${repository}/land`, land, button("Run land"))}
</div>`;
}

/** A form that runs a workflow, in one row. */
export function runBar(repository: string, action: "upkeep" | "land"): Html {
  return html`<form class="bar" method="post" action="/${repository}/${action}" aria-label="Run ${action}">
<div class="row"><div>${action === "land" ? PASSING : BROKEN}</div><button class="primary">Run ${action}</button></div>
${FORM_ERROR}
</form>`;
}

/** Lists of what is there. */
export function repositoryParts(
  pulls: readonly PullRecord[],
  docs: readonly PullFacts[],
  issues: readonly IssueRecord[],
  repository: string,
): Part[] {
  const facts = new Map(docs.map((one) => [one.pull.number, one]));
  const row = (issue: IssueRecord | PullRecord) => {
    const { number, title, labels } = issue;
    const known = facts.get(number);
    const kind = "head" in issue ? "pull" : "issues";
    return html`<li>${statePill(known?.pull ?? issue)} <a href="/${repository}/${kind}/${number}">${title}</a> <span class="number">#${number}</span>${tags(labels.map(({ name }) => name))}${known && glance(known)}</li>`;
  };
  const isDocs = ({ user }: PullRecord) => user.login === AGENT;
  const lists: [key: string, title: string, items: readonly (IssueRecord | PullRecord)[]][] = [
    ["docs", "Pull requests by the documentation agent", pulls.filter(isDocs)],
    ["code", "Code changes", pulls.filter((pull) => !isDocs(pull))],
    ["issues", "Issues", issues],
  ];
  return lists.map(([key, title, items]) => {
    const older = items.length - LATEST;
    const more = older > 0 && html`<li class="empty">… and ${older} older ones</li>`;
    const none = html`<p class="empty body">None yet.</p>`;
    const rows = html`<ul class="rows">${items.slice(0, LATEST).map(row)}${more}</ul>`;
    const content = box(title, items.length === 0 ? none : rows);
    return { key, label: `${title}: ${items.length}`, content };
  });
}
