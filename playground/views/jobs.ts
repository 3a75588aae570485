/** Jobs of the emulated agent: prompts, progress, pull request. */

import type { LocalJob } from "../../emulator/local-world/local-service.ts";
import type { SiteReader } from "../site/reader.ts";
import { pill, plain, reference, type Tone, time, titled } from "./bits.ts";
import { type Html, html, type Part } from "./html.ts";

/** Jobs in the margin. */
const LATEST = 3;

const TONES: Record<string, Tone> = { active: "busy", completed: "good", failed: "bad" };

const MARKS: Record<string, [mark: string, word: string]> = {
  completed: ["✓", "done"],
  in_progress: ["●", "in progress"],
  pending: ["○", "to do"],
  cancelled: ["✕", "cancelled"],
};

/** The latest jobs, newest first, each a part. */
export function jobsAside(jobs: readonly LocalJob[], site: SiteReader): Part[] {
  const none = html`<p class="hint">None yet. The service shows them here once a workflow has asked.</p>`;
  const head = html`<h2><a href="/jobs">Agent jobs</a></h2>${jobs.length === 0 && none}`;
  const card = (job: LocalJob) => {
    const link = html`<a href="/jobs#job-${job.id}">${titled(job.session.title)}</a>`;
    return html`<div class="card"><div class="row">${link}${statusPill(job)}</div>
${job.record.status === "active" && todoList(job)}${pullRequest(job, site)}</div>`;
  };
  return partsOf("jobs", head, jobs.slice(-LATEST), card);
}

/** The page of all jobs. */
export function jobParts(jobs: readonly LocalJob[], site: SiteReader, repository: string): Part[] {
  const ask = html`<a href="/${repository}/issues/1">Ask on the issue</a>`;
  const merge = html`<a href="/${repository}/pulls">merge changes and run upkeep</a>`;
  const none = html`<p class="hint">The agent has no jobs yet. ${ask}, or ${merge}.</p>`;
  const head = html`<h1>Agent jobs</h1>${jobs.length === 0 && none}`;
  return partsOf("title", head, jobs, (job) => jobView(job, site));
}

function partsOf(
  key: string,
  head: Html,
  jobs: readonly LocalJob[],
  view: (job: LocalJob) => Html,
): Part[] {
  const parts = jobs.map((job) => {
    const label = `Agent job ${plain(job.session.title)}: ${job.record.status}`;
    return { key: `job-${job.id}`, label, content: view(job) };
  });
  return [{ key, content: head }, ...parts.reverse()];
}

function jobView(job: LocalJob, site: SiteReader): Html {
  const { id, record, session, turns } = job;
  const prompts = turns.map(
    ({ prompt, startedAt }, index) => html`<details id="prompt-${id}-${index}">
<summary>${index === 0 ? "Prompt" : `Follow-up ${index}`} at ${time(new Date(startedAt))}</summary>
<pre>${prompt}</pre></details>`,
  );
  return html`<section class="box" id="job-${id}" aria-label="Job: ${plain(session.title)}">
<header class="row"><h2>${titled(session.title)}</h2>${statusPill(job)}</header>
<div class="body">
${todoList(job)}${pullRequest(job, site)}
${session.messageToUser !== undefined && html`<p>“${session.messageToUser}”</p>`}
<p class="hint">Job <code>${id}</code> · model ${record.model} · branch <code>${record.source.ref ?? "none"}</code></p>
${prompts}
<details id="record-${id}"><summary>Record, as the API answers it</summary>
<pre>${JSON.stringify(record, null, 2)}</pre></details>
</div>
</section>`;
}

function todoList({ session }: LocalJob): Html {
  const todos = session.todos.map(({ content, status }) => {
    const [mark, word] = MARKS[status] ?? ["", status];
    return html`<li class="${status}"><span role="img" aria-label="${word}">${mark}</span> ${content}</li>`;
  });
  return html`<ul class="todos">${todos}</ul>`;
}

function pullRequest({ record: { prLink } }: LocalJob, site: SiteReader): Html | undefined {
  const path = prLink === null ? undefined : site.pathOf(prLink);
  if (path === undefined) return undefined;
  const number = Number(path.split("/").at(-1));
  return html`<p>${reference(path, site.titleOf(number) ?? "Pull request", number)}</p>`;
}

function statusPill({ record }: LocalJob): Html {
  return pill(TONES[record.status] ?? "idle", record.status);
}
