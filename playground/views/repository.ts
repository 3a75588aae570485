/** The repository's page: changes to merge, upkeep to run, pull requests and issues. */

import { AGENT } from "../../emulator/github/people.ts";
import type { IssueRecord, PullRecord } from "../site/records.ts";
import { FORM_ERROR } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { statePill } from "./thread.ts";

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

/** The forms: merge a change, run upkeep. */
export function repositoryForms(repository: string, changes: number): Html {
  return html`<h1>Merge changes and run upkeep</h1>
<div class="forms">
<form class="box" method="post" action="/${repository}/changes">
<header><h2>1. Merge a change</h2></header>
<div class="body">
<label for="title">Title of the pull request</label>
<input id="title" name="title" required maxlength="256" autocomplete="off" value="${suggestedTitle(changes)}">
<label class="check"><input type="checkbox" name="ignored"><span>With the label <code>skip-docs</code>, so that upkeep passes it over</span></label>
${FORM_ERROR}
<div class="row end"><button class="primary">Merge a change</button></div>
</div>
</form>
${upkeepForm(repository)}
</div>`;
}

/** The form that runs upkeep. */
function upkeepForm(repository: string): Html {
  return html`<form class="box" method="post" action="/${repository}/upkeep">
<header><h2>2. Run upkeep</h2></header>
<div class="body">
<p>${UPKEEP}</p>
${BROKEN}
${FORM_ERROR}
<div class="row end"><button class="primary">Run upkeep</button></div>
</div>
</form>`;
}

/** The same in one row, for the dashboard. */
export function upkeepBar(repository: string): Html {
  return html`<form class="bar" method="post" action="/${repository}/upkeep" aria-label="Run upkeep">
<div class="row"><div>${BROKEN}</div><button class="primary">Run upkeep</button></div>
${FORM_ERROR}
</form>`;
}

const UPKEEP =
  "A run hands what was merged to the agent, and ends. The next run finds out what became of it. In a repository a schedule does this; here a minute passes on GitHub each time.";

const BROKEN = html`<label class="check"><input type="checkbox" name="broken"><span>The service breaks off, so that a person has to decide</span></label>`;

/** Lists of what is there. */
export function repositoryParts(
  pulls: readonly PullRecord[],
  issues: readonly IssueRecord[],
  repository: string,
): Part[] {
  const isDocs = ({ user }: PullRecord) => user.login === AGENT;
  return [
    list(
      "code",
      "Code changes",
      pulls.filter((pull) => !isDocs(pull)),
      "pull",
      repository,
    ),
    list(
      "docs",
      "Pull requests by the documentation agent",
      pulls.filter(isDocs),
      "pull",
      repository,
    ),
    list("issues", "Issues", issues, "issues", repository),
  ];
}

function list(
  key: string,
  title: string,
  items: readonly (IssueRecord | PullRecord)[],
  kind: "pull" | "issues",
  repository: string,
): Part {
  const rows = items.slice(0, LATEST).map(({ number, title, state, labels, ...rest }) => {
    const mergedAt = "merged_at" in rest ? rest.merged_at : undefined;
    const tags = labels.map(({ name }) => html` <span class="tag">${name}</span>`);
    return html`<li>${statePill(state, mergedAt)} <a href="/${repository}/${kind}/${number}">${title}</a> <span class="number">#${number}</span>${tags}</li>`;
  });
  const more =
    items.length > LATEST && html`<li class="empty">… and ${items.length - LATEST} older ones</li>`;
  const content =
    rows.length === 0
      ? html`<p class="empty body">None yet.</p>`
      : html`<ul class="rows">${rows}${more}</ul>`;
  return {
    key,
    label: `${title}: ${items.length}`,
    content: html`<section class="box"><header><h2>${title}</h2></header>${content}</section>`,
  };
}
