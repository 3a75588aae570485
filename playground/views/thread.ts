/** An issue's or a pull request's thread, and the box to write in. */

import { DEFAULT_PERSON, PEOPLE } from "../site/people.ts";
import { type FileRecord, isBot, type Post, type Thread } from "../site/records.ts";
import { bodyHash } from "../site/tasks.ts";
import { FORM_ERROR, pill, time } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";
import { markdown } from "./markdown.ts";

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

/** Title and posts, each a part. */
export function threadParts(thread: Thread, options: ThreadOptions): Part[] {
  const { issue, pull, posts, files } = thread;
  return [
    { key: "title", label: undefined, content: heading(thread) },
    ...posts.map((post) => ({
      key: `post-${post.id}`,
      label: `${post.id === "issue" ? "Description" : "Comment"} by ${post.author}: ${readOut(post)}`,
      content: postView(post, issue.number, options),
    })),
    ...(files.length === 0
      ? []
      : [{ key: "files", label: undefined, content: html`${files.map(fileView)}` }]),
    ...(pull === undefined || pull.state !== "open"
      ? []
      : [{ key: "merge", label: undefined, content: mergeForm(issue.number, options) }]),
  ];
}

/** The box for a comment, with requests to try. */
export function commentForm(number: number, { repository }: ThreadOptions): Html {
  const people = Object.entries(PEOPLE).map(
    ([login, may]) =>
      html`<option value="${login}"${login === DEFAULT_PERSON && html` selected`}>${login} (${may})</option>`,
  );
  return html`<form class="box" method="post" action="/${repository}/issues/${number}/comments">
<header><label for="comment">Add a comment</label></header>
<div class="body">
<textarea id="comment" name="body" rows="4" required maxlength="65536" aria-describedby="hint"
 placeholder="/docs what the documentation should say"></textarea>
<p id="hint" class="hint">A line that begins with <code>/docs</code> asks the agent; a line that begins with <code>emulate:</code> tells the emulated one how it goes. Try:</p>
<p class="samples">${SAMPLES.map(
    ({ name, text }) =>
      html`<button type="button" class="sample" data-fill="comment" data-text="${text}">${name}</button>`,
  )}</p>
${FORM_ERROR}
<div class="row">
<label>Write as <select name="login">${people}</select></label>
<button class="primary">Comment</button>
</div>
</div>
</form>`;
}

const SAMPLES = [
  { name: "a request", text: "/docs explain how to rotate a key without downtime" },
  { name: "a follow-up", text: "/docs also show an example" },
  {
    name: "nothing to change",
    text: "/docs check the page about keys\nemulate: outcome=no-changes",
  },
  { name: "a job that fails", text: "/docs rewrite everything\nemulate: outcome=failed" },
  { name: "no request", text: "Thanks, that reads well." },
];

function heading({ issue, pull }: Thread): Html {
  const labels = issue.labels.map(({ name }) => html` <span class="tag">${name}</span>`);
  const branches = pull && html` <code>${pull.head.ref}</code> → <code>${pull.base.ref}</code>`;
  return html`<h1>${issue.title} <span class="number">#${issue.number}</span></h1>
<p class="state">${statePill(issue.state, pull?.merged_at)}${labels}${branches}</p>`;
}

/** @param mergedAt undefined: it is no pull request */
export function statePill(state: string, mergedAt: string | null | undefined): Html {
  if (typeof mergedAt === "string") return pill("merged", "Merged");
  return state === "open" ? pill("good", "Open") : pill("idle", "Closed");
}

function postView(post: Post, number: number, { repository, origin }: ThreadOptions): Html {
  const { id, author, body, createdAt, isEdited, reactions } = post;
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
  return html`<article class="post" id="${isOpening ? "issue" : `issuecomment-${id}`}" aria-label="${isOpening ? "Description" : "Comment"} by ${author}">
<div class="avatar${isBot(author) && " bot"}" aria-hidden="true">${isBot(author) ? "⚙" : name.charAt(0)}</div>
<section class="box">
<header><b>${name}</b>${isBot(author) && html` <span class="tag">bot</span>`} ${isOpening ? "opened this" : "commented"} at ${time(createdAt)}${isEdited && " · edited"}</header>
<div class="body markdown-body"${tick}>${body.trim() === "" ? html`<p><i>No description.</i></p>` : markdown(body, { repository, origin, canTick: isOpening })}</div>
${counts.length > 0 && html`<p class="reactions">${counts}</p>`}
</section>
</article>`;
}

function readOut({ body }: Post): string {
  return body
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, READ_OUT);
}

function fileView({ filename, status, patch = "" }: FileRecord): Html {
  const lines = patch.split("\n").map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
    return html`<span class="${kind}">${line}\n</span>`;
  });
  return html`<section class="box file"><header><code>${filename}</code> ${status}</header><pre class="diff">${lines}</pre></section>`;
}

function mergeForm(number: number, { repository }: ThreadOptions): Html {
  return html`<form class="box" method="post" action="/${repository}/pull/${number}/merge"><div class="body row">
<span>This pull request can be merged.</span><button class="primary">Merge pull request</button>
${FORM_ERROR}</div></form>`;
}
