/** A pull request beside its thread: its state, checks and files, and what people can do with it. */

import type { Mergeability } from "../../emulator/github/merge.ts";
import { DEFAULT_PERSON, MAINTAINER } from "../site/people.ts";
import type {
  Check,
  CommitRecord,
  Deployment,
  FileRecord,
  IssueRecord,
  PullFacts,
  PullRecord,
} from "../site/records.ts";
import {
  box,
  buttonsOf,
  FORM_ERROR,
  formBox,
  personField,
  pill,
  type Tone,
  time,
  titled,
} from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";

/** The state of an issue or a pull request. */
export function statePill(issue: IssueRecord | PullRecord): Html {
  const pull = "head" in issue ? issue : undefined;
  if (typeof pull?.merged_at === "string") return pill("merged", "Merged");
  if (issue.state !== "open") return pill("idle", "Closed");
  const conflict = pull?.mergeable_state === "dirty" && html` ${pill("bad", "Conflict")}`;
  return html`${pull?.draft ? pill("idle", "Draft") : pill("good", "Open")}${conflict}`;
}

/** Of the results of checks and statuses. */
export const TONES: Record<string, Tone> = {
  success: "good",
  failure: "bad",
  error: "bad",
  timed_out: "bad",
  action_required: "bad",
  queued: "busy",
  in_progress: "busy",
  pending: "busy",
};

function toneOf({ result }: Pick<Check, "result">): Tone {
  return TONES[result] ?? "idle";
}

/** Checks and reviews in a few words, for a list. */
export function glance(facts: PullFacts): Html {
  const { checks } = facts;
  const bad = checks.filter((check) => toneOf(check) === "bad").length;
  const busy = checks.filter((check) => toneOf(check) === "busy").length;
  const count = checks.length === 1 ? "1 check" : `${checks.length} checks`;
  const words = bad > 0 ? `${bad} of ${count} failed` : busy > 0 ? `${count} running` : count;
  const tone = bad > 0 ? "bad" : busy > 0 ? "busy" : "good";
  return html`${checks.length > 0 && html` ${pill(tone, words)}`}${reviewPills(facts)}`;
}

const REVIEW_TONES: Record<string, Tone> = { APPROVED: "good", CHANGES_REQUESTED: "bad" };

/** The last verdict of each reviewer, in grey if it was for an older head. */
export function reviewPills({ reviews, pull }: PullFacts): Html {
  const verdicts = reviews.filter(({ state }) => state !== "COMMENTED");
  const last = new Map(verdicts.map((review) => [review.user.login, review]));
  const pills = [...last].map(([login, { state, commit_id }]) => {
    const tone = commit_id === pull.head.sha ? REVIEW_TONES[state] : undefined;
    const verdict = state.toLowerCase().replace("_", " ");
    return html` ${pill(tone ?? "idle", `${login}: ${verdict}`)}`;
  });
  return html`${pills}`;
}

/** What GitHub's states mean. */
const MERGING: Record<Mergeability["state"], string> = {
  clean: "It can be merged.",
  has_hooks: "It can be merged.",
  unstable: "It can be merged, although not every check is green.",
  behind: "It cannot be merged: a branch rule wants it up to date with its base.",
  blocked: "It cannot be merged: a branch rule wants a review or a check.",
  draft: "It cannot be merged: it is a draft.",
  dirty: "It cannot be merged: it is in conflict with its base.",
  unknown: "GitHub does not know yet whether it can be merged.",
};

function mergingOf({ mergeable_state = "unknown" }: PullRecord): string {
  return MERGING[mergeable_state];
}

/** Its checks and files and, while it is open, the forms to end it and to work on it. */
export function pullParts(facts: PullFacts, files: FileRecord[], repository: string): Part[] {
  const { pull, checks, deployments } = facts;
  const content = html`${checkList(checks)}${pull.state === "open" && endForm(facts, repository)}`;
  const results = checks.map(({ name, result }) => `${name} ${result}`).join(", ");
  return [
    {
      key: "checks",
      label: `Checks: ${results || "none"}.${pull.state === "open" ? ` ${mergingOf(pull)}` : ""}`,
      content: box(`Checks of ${pull.head.sha.slice(0, 7)}`, content),
    },
    ...(deployments.length === 0 ? [] : [deploymentsPart(deployments)]),
    { key: "files", content: html`${files.map(fileView)}` },
    ...(pull.state === "open"
      ? [{ key: "forms", content: pullForms(pull, files, repository) }]
      : []),
  ];
}

function checkList(checks: Check[]): Html {
  if (checks.length === 0) return html`<p class="hint body">No check has reported yet.</p>`;
  const rows = checks.map((check) => {
    const lines = check.annotations.map(
      ({ path, start_line, message }) =>
        html`<li><code>${path}:${start_line}</code> ${message}</li>`,
    );
    const result = pill(toneOf(check), check.result.replace("_", " "));
    const list = lines.length > 0 && html`<ul>${lines}</ul>`;
    return html`<li>${result} <b>${check.name}</b> <span class="hint">${check.title}</span>${list}</li>`;
  });
  return html`<ul class="rows">${rows}</ul>`;
}

/** As on GitHub: the deployments of the head, each with a button to what it links to. */
function deploymentsPart(deployments: readonly Deployment[]): Part {
  const rows = deployments.map(({ environment, state, description, url }) => {
    const link = url !== "" && html` <a class="button" href="${url}">View deployment</a>`;
    const shown = pill(toneOf({ result: state }), state.replace("_", " "));
    return html`<li>${shown} <b>${environment}</b> <span class="hint">${description}</span>${link}</li>`;
  });
  const results = deployments.map(({ environment, state }) => `${environment} ${state}`).join(", ");
  return {
    key: "deployments",
    label: `Deployments: ${results}`,
    content: box("Deployments", html`<ul class="rows">${rows}</ul>`),
  };
}

function endForm(facts: PullFacts, repository: string): Html {
  const { number } = facts.pull;
  return html`<form class="body" method="post" action="/${repository}/pull/${number}/end">
<div class="row"><span>${mergingOf(facts.pull)}${reviewPills(facts)}</span>
<span>${buttonsOf("how", { close: "Close", merge: "Merge pull request" })}</span></div>
${FORM_ERROR}</form>`;
}

/** The page of a commit. */
export function commitParts({ sha, commit, files }: CommitRecord): Part[] {
  const { message, author } = commit;
  const [title = "", ...rest] = message.split("\n");
  const text = rest.join("\n").trim();
  const head = html`<h1>${titled(title)} <span class="number">${sha.slice(0, 7)}</span></h1>
<p class="state hint">${author.name} committed at ${time(author.date)}</p>${text !== "" && html`<pre>${text}</pre>`}`;
  return [
    { key: "title", content: head },
    { key: "files", content: html`${files.map(fileView)}` },
  ];
}

function fileView({ filename, status, patch = "" }: FileRecord): Html {
  return html`<section class="box"><header><code>${filename}</code> ${status}</header>${diff(patch)}</section>`;
}

/** Lines of a change. */
export function diff(patch: string): Html {
  const lines = patch.split("\n").map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
    return html`<span class="${kind}">${line}\n</span>`;
  });
  return html`<pre class="diff">${lines}</pre>`;
}

/** Forms for what the gate's verdict on an open pull request with code depends on. */
export function gateBar(number: number, repository: string): Html {
  const buttons = buttonsOf("how", { remove: "Remove label", set: "Set label", run: "Run gate" });
  return html`<form class="row" method="post" action="/${repository}/pull/${number}/gate" aria-label="Run gate">
<label>Label <input name="label" value="skip-docs"></label>
<span>${buttons}</span>
<p class="hint">Either label button changes the pull request, which starts the gate. <b>Run gate</b> starts it without a change.</p>
${FORM_ERROR}
</form>`;
}

/** What people and checks do with an open pull request. */
function pullForms({ number }: PullRecord, files: FileRecord[], repository: string): Html {
  const to = `/${repository}/pull/${number}`;
  const names = files.map(({ filename }) => html`<option>${filename}</option>`);
  const line = (word: string) =>
    html`<label>${word} <input name="line" type="number" min="1" placeholder="1"></label>`;
  const anywhere = html`<select name="path"><option value="">all of it</option>${names}</select>`;
  const review = html`<div class="row">${personField("Review as", MAINTAINER)}<label>on ${anywhere}</label>${line("line")}</div>
<textarea name="body" rows="3" aria-label="What the review says" placeholder="What should change?"></textarea>`;
  const check = html`<label>Name of the check <input name="name" required value="Links"></label>
${line("Line")} <label>of <select name="path">${names}</select></label>
<input name="body" aria-label="What the check found" value="The link to /keys leads nowhere">
<p class="hint">The buttons report a result, as CI does. Land hands what failed on a docs pull request to the agent.</p>`;
  const push = html`<div>${personField("Push as", DEFAULT_PERSON)}</div>
<div class="field"><label>Change <select name="path">${names}</select></label></div>
<p class="hint"><b>Make a conflict</b> changes this file on the base. <b>Push to the branch</b> adds a commit to the pull request.</p>`;
  const opinions = buttonsOf("event", { REQUEST_CHANGES: "Request changes", APPROVE: "Approve" });
  const conclusions = buttonsOf("conclusion", { failure: "Failed", success: "Passed" });
  const branches = buttonsOf("to", { base: "Make a conflict", branch: "Push to the branch" });
  return html`${formBox("Review", `${to}/reviews`, review, opinions)}
<div class="forms">
${formBox("Report a check", `${to}/checks`, check, conclusions)}
${formBox("Push a commit", `${to}/commits`, push, branches)}
</div>`;
}
