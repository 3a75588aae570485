/** The lists of issues and of pull requests, and the forms that open one. */

import { AGENT } from "../../emulator/github/people.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import { suggestedTitle } from "../site/pull-acts.ts";
import type { IssueRecord, PullFacts, PullRecord } from "../site/records.ts";
import { box, buttonsOf, formBox, personField, reference, runForm, tags } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { glance, statePill } from "./pull.ts";

/** Rows of a list. */
const LATEST = 25;

export function issuesParts(issues: readonly IssueRecord[], repository: string): Part[] {
  const fields = html`<label for="title">Title</label>
<input id="title" name="title" required maxlength="256" autocomplete="off">
<label for="text">Description</label>
<textarea id="text" name="body" rows="4" maxlength="65536" placeholder="/docs what the documentation should say"></textarea>
<label><input type="checkbox" name="question"> With the label <code>question</code>, so that the assistant answers</label>`;
  const buttons = html`${personField("Open as", DEFAULT_PERSON)} <button class="primary">Open the issue</button>`;
  return [
    { key: "title", content: html`<h1>Issues</h1>` },
    listPart("issues", "All issues", issues, (issue) => row(issue, "issues", repository)),
    { key: "new", content: formBox("New issue", `/${repository}/issues`, fields, buttons) },
  ];
}

/** @param docs facts of the newest by the agent */
export function pullsParts(
  pulls: readonly PullRecord[],
  docs: readonly PullFacts[],
  repository: string,
): Part[] {
  const facts = new Map(docs.map((pullFacts) => [pullFacts.pull.number, pullFacts]));
  const pullRow = (pull: PullRecord) => {
    const known = facts.get(pull.number);
    return html`${row(known?.pull ?? pull, "pull", repository)}${known && glance(known)}`;
  };
  const isDocs = ({ user }: PullRecord) => user.login === AGENT;
  const byPeople = pulls.filter((pull) => !isDocs(pull));
  return [
    { key: "title", content: html`<h1>Pull requests</h1>` },
    { key: "bar", content: runForm(repository, "upkeep") },
    listPart("docs", "By the documentation agent", pulls.filter(isDocs), pullRow),
    listPart("code", "Changes of the code", byPeople, pullRow),
    { key: "new", content: changeForm(repository, suggestedTitle(pulls.length)) },
  ];
}

function changeForm(repository: string, suggested: string): Html {
  const fields = html`<label for="title">Title of the pull request</label>
<input id="title" name="title" maxlength="256" autocomplete="off" placeholder="${suggested}">
<p><label><input type="checkbox" name="ignored"> With the label <code>skip-docs</code>, so that gate and upkeep pass it over</label></p>
<p><label><input type="checkbox" name="docs"> With its documentation, in <code>docs/</code></label></p>
<p class="hint">The gate checks an open pull request; upkeep hands a merged one to the agent.</p>`;
  const buttons = buttonsOf("how", { open: "Open a pull request", merge: "Merge a change" });
  return formBox("Change the code", `/${repository}/changes`, fields, buttons);
}

function row(issue: IssueRecord | PullRecord, kind: string, repository: string): Html {
  const { number, title, labels } = issue;
  const link = reference(`/${repository}/${kind}/${number}`, title, number);
  return html`${statePill(issue)} ${link}${tags(labels.map(({ name }) => name))}`;
}

function listPart<Item>(
  key: string,
  title: string,
  items: readonly Item[],
  view: (item: Item) => Html,
) {
  const rows = items.slice(0, LATEST).map((item) => html`<li>${view(item)}</li>`);
  const older = items.length - LATEST;
  const more = older > 0 && html`<li class="hint">… and ${older} older ones</li>`;
  const none = items.length === 0 && html`<li class="hint">None yet.</li>`;
  const content = box(title, html`<ul class="rows">${rows}${more}${none}</ul>`);
  return { key, label: `${title}: ${items.length}`, content };
}
