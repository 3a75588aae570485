/** An issue's or a pull request's thread, and the box to write in. */

import { DEFAULT_PERSON } from "../site/people.ts";
import { isBot, type Post, type Thread } from "../site/records.ts";
import { bodyHash } from "../site/tasks.ts";
import { formBox, personField, tags, time } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { markdown } from "./markdown.ts";
import { diff, pullParts, statePill } from "./pull.ts";

const EMOJI: Record<string, string> = {
  ...{ "+1": "👍", "-1": "👎", laugh: "😄", hooray: "🎉", confused: "😕", heart: "❤️" },
  ...{ rocket: "🚀", eyes: "👀" },
};

/** Characters of a comment that are read out when it changes. */
const READ_OUT = 120;

export interface ThreadOptions {
  /** `owner/name` */
  repository: string;
  /** Of the emulated GitHub. */
  origin: string;
}

/** Title and posts, and what a pull request has besides, each a part. */
export function threadParts(thread: Thread, options: ThreadOptions): Part[] {
  const { issue, facts, posts, files } = thread;
  return [
    { key: "title", content: heading(thread) },
    ...posts.map((post) => ({
      key: `post-${post.id}`,
      label: `${post.author} ${post.verb}: ${readOut(post)}`,
      content: postView(post, issue.number, options),
    })),
    ...(facts === undefined ? [] : pullParts(facts, files, options.repository)),
  ];
}

/** The box for a comment, with requests to try. */
export function commentForm(number: number, { repository }: ThreadOptions): Html {
  const samples = SAMPLES.map(
    ([name, text]) =>
      html`<button type="button" class="sample" data-fill="comment" data-text="${text}">${name}</button> `,
  );
  const fields = html`<textarea id="comment" name="body" rows="4" required maxlength="65536" aria-describedby="hint"
 placeholder="/docs what the documentation should say"></textarea>
<p id="hint" class="hint">A line that begins with <code>/docs</code> asks the agent; a line that begins with <code>emulate:</code> tells the emulated one how it goes. Try:</p>
<p>${samples}</p>`;
  const buttons = html`${personField("Write as", DEFAULT_PERSON)} <button class="primary">Comment</button>`;
  const title = html`<label for="comment">Add a comment</label>`;
  return formBox(title, `/${repository}/issues/${number}/comments`, fields, buttons);
}

const SAMPLES = [
  ["a request", "/docs explain how to rotate a key without downtime"],
  ["a follow-up", "/docs also show an example"],
  ["nothing to change", "/docs check the page about keys\nemulate: outcome=no-changes"],
  ["a job that fails", "/docs rewrite everything\nemulate: outcome=failed"],
  ["no request", "Thanks, that reads well."],
];

function heading({ issue, facts }: Thread): Html {
  const pull = facts?.pull;
  const branches = pull && html` <code>${pull.head.ref}</code> → <code>${pull.base.ref}</code>`;
  const named = (word: string, people: { login: string }[] = []) =>
    people.length > 0 && html` · ${word} ${people.map(({ login }) => login).join(", ")}`;
  return html`<h1>${issue.title} <span class="number">#${issue.number}</span></h1>
<p class="state">${statePill(pull ?? issue)}${tags(issue.labels.map(({ name }) => name))}${branches}<span class="hint">${named("review asked of", pull?.requested_reviewers)}${named("assigned to", issue.assignees)}</span></p>`;
}

function postView(post: Post, number: number, { repository, origin }: ThreadOptions): Html {
  const { id, author, verb, body, createdAt, isEdited, reactions, hunk } = post;
  // On GitHub, too, whoever may edit the text ticks its boxes.
  const isOpening = id === "issue";
  const tick =
    isOpening &&
    html` data-tick="/${repository}/issues/${number}/tick" data-seen="${bodyHash(body)}"`;
  const counts = Object.entries(reactions).map(
    ([name, count]) =>
      html`<span class="reaction" role="img" aria-label="${count} ${name}">${EMOJI[name] ?? name} ${count}</span>`,
  );
  const name = author.replace("[bot]", "");
  const bot = isBot(author);
  const text = isOpening && body.trim() === "" ? "*No description.*" : body;
  const shown = markdown(text, { repository, origin, canTick: isOpening });
  return html`<article class="post" id="${id}" aria-label="${isOpening ? "Description" : "Comment"} by ${author}">
<div class="avatar${bot && " bot"}" aria-hidden="true">${bot ? "⚙" : name.charAt(0)}</div>
<section class="box">
<header><b>${name}</b>${bot && tags(["bot"])} ${verb} at ${time(createdAt)}${isEdited && " · edited"}</header>
${hunk !== undefined && diff(hunk)}
${text !== "" && html`<div class="body markdown-body"${tick}>${shown}</div>`}
${counts.length > 0 && html`<p class="reactions">${counts}</p>`}
</section>
</article>`;
}

function readOut({ body }: Post): string {
  const text = body.replaceAll(/<!--[\s\S]*?-->/g, "").replaceAll(/\s+/g, " ");
  return text.trim().slice(0, READ_OUT);
}
