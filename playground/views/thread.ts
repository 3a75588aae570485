/** An issue's or a pull request's thread, and the box to write in. */

import path from "node:path";
import { ANSWERING } from "../site/acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import { isBot, type Post, type Thread } from "../site/records.ts";
import { bodyHash, taskPlaces } from "../site/tasks.ts";
import {
  choice,
  FORM_ERROR,
  formBox,
  personField,
  reactionCounts,
  tags,
  time,
  titled,
} from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { type MarkdownOptions, markdown, plainText } from "./markdown.ts";
import { diff, pullParts, statePill } from "./pull.ts";

/** Characters of a comment that are read out when it changes. */
const READ_OUT = 120;

/** Title and posts, and the parts of a pull request. */
export function threadParts(thread: Thread, options: MarkdownOptions): Part[] {
  const { issue, facts, posts, files } = thread;
  return [
    { key: "title", content: heading(thread) },
    ...posts.map((post) => ({
      key: `post-${post.id}`,
      label: `${post.author} ${post.verb}: ${plainText(post.body).slice(0, READ_OUT)}`,
      content: postView(post, issue.number, options),
    })),
    ...(facts === undefined ? [] : pullParts(facts, files, options.repository)),
  ];
}

/** What the comment box begins with, from the page's URL. */
export interface Draft {
  text: string;
  /** Name of the file of the workflow that answers; any other value is the team workflow. */
  workflow: string;
}

/** Path and query of an issue's page, whose comment box begins with a draft. */
export function draftPath(issue: string, { text, workflow }: Draft): string {
  const query = new URLSearchParams({ comment: text, workflow });
  return `${issue}?${query}#comment`;
}

/** The comment box, with requests to try. */
export function commentForm(number: number, { repository }: MarkdownOptions, draft: Draft): Html {
  const samples = SAMPLES.map(([name, sample]) => {
    const address = `?comment=${encodeURIComponent(sample ?? "")}#comment`;
    return html`<a class="tag" href="${address}" data-fill="comment" data-text="${sample}">${name}</a> `;
  });
  const fields = html`<textarea id="comment" name="body" rows="4" required maxlength="65536" aria-describedby="hint"
 placeholder="/docs what the documentation should say">\n${draft.text}</textarea>
<p id="hint" class="hint">A line that begins with <code>/docs</code> asks the agent, <code>/ask</code> the assistant. A line that begins with <code>emulate:</code> steers the emulated agent. Try:</p>
<p>${samples}</p>`;
  const files = ANSWERING.map((file) => path.basename(file));
  const names = Object.fromEntries(files.map((file) => [file, file]));
  const workflow = choice("Workflow", "workflow", names, draft.workflow);
  const person = personField("Write as", DEFAULT_PERSON);
  const buttons = html`${person} ${workflow} <button class="primary">Comment</button>`;
  const title = html`<label for="comment">Add a comment</label>`;
  return formBox(title, `/${repository}/issues/${number}/comments`, fields, buttons);
}

const SAMPLES = [
  ["a request", "/docs explain how to rotate a key without downtime"],
  ["a follow-up", "/docs also show an example"],
  ["nothing to change", "/docs check the page about keys\nemulate: outcome=no-changes"],
  ["a job that fails", "/docs rewrite everything\nemulate: outcome=failed"],
  ["a question", "/ask how do I rotate a key?"],
  ["no request", "Thanks, that reads well."],
];

function heading({ issue, facts }: Thread): Html {
  const pull = facts?.pull;
  const branches = pull && html` <code>${pull.head.ref}</code> → <code>${pull.base.ref}</code>`;
  const named = (word: string, people: { login: string }[] = []) =>
    people.length > 0 && html` · ${word} ${people.map(({ login }) => login).join(", ")}`;
  const labels = tags(issue.labels.map(({ name }) => name));
  const people = html`${named("review asked of", pull?.requested_reviewers)}${named("assigned to", issue.assignees)}`;
  return html`<h1>${titled(issue.title)} <span class="number">#${issue.number}</span></h1>
<p class="state">${statePill(pull ?? issue)}${labels}${branches}<span class="hint">${people}</span></p>`;
}

function postView(post: Post, number: number, options: MarkdownOptions): Html {
  const { id, author, verb, body, createdAt, editor, reactions, hunk } = post;
  // As on GitHub, those who may edit the text can tick its boxes.
  const isOpening = id === "issue";
  const name = author.replace("[bot]", "");
  const bot = isBot(author);
  const text = isOpening && body.trim() === "" ? "*No description.*" : body;
  const counts = Object.keys(reactions).length > 0 && html`<p>${reactionCounts(reactions)}</p>`;
  const shown = html`${markdown(text, { ...options, canTick: isOpening })}${counts}`;
  const to = `/${options.repository}/issues/${number}/tick`;
  const edited = editor !== undefined && ` · edited by ${editor}`;
  const seen = html`<input type="hidden" name="seen" value="${bodyHash(body)}">`;
  const save = html`<button class="no-script">Save the boxes</button>`;
  const content =
    isOpening && taskPlaces(body).length > 0
      ? html`<form class="body" method="post" action="${to}" data-tick>${FORM_ERROR}${seen}${shown}${save}</form>`
      : html`<div class="body">${shown}</div>`;
  return html`<article class="post" id="${id}" aria-label="${isOpening ? "Description" : "Comment"} by ${author}">
<div class="avatar${!bot && " merged"}" aria-hidden="true">${bot ? "⚙" : name.charAt(0)}</div>
<section class="box">
<header><b>${name}</b>${bot && tags(["bot"])} ${verb} at ${time(createdAt)}${edited}</header>
${hunk !== undefined && diff(hunk)}
${shown.markup !== "" && content}
</section>
</article>`;
}
