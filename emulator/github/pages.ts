/** Pages for a person who follows a link: the tracker, an issue, a pull request. */

import type { App } from "../http/app.ts";
import { escapeHtml, page } from "../http/html.ts";
import { patchOf } from "./git/patch.ts";
import type { GitHub } from "./github.ts";
import type { Repository } from "./repository.ts";
import { filesOf } from "./routes/pulls.ts";
import { type Issue, isPull, type Pull } from "./state.ts";

export function pages(app: App, github: GitHub): void {
  app.get("/", (call) => {
    github.beforeRequest();
    return call.html(page("GitHub, emulated", github.repositories.map(tracker).join("")));
  });

  for (const kind of ["issues", "pull"]) {
    app.get(`/:owner/:repo/${kind}/:number`, (call) => {
      github.beforeRequest();
      const repository = github.find(`${call.req.param("owner")}/${call.req.param("repo")}`);
      const issue = repository.issues.get(Number(call.req.param("number")));
      if (issue === undefined) return call.html(page("Not found", ""), 404);
      const own = isPull(issue) ? "pull" : "issues";
      if (own !== kind) return call.redirect(call.req.path.replace(`/${kind}/`, `/${own}/`));
      const { number, title, state } = issue;
      return call.html(page(`#${number} ${title} (${state})`, thread(repository, issue)));
    });
  }

  // The link to the workflow run in a comment leads here; attempts have a longer path.
  for (const path of ["runs/:id", "runs/:id/attempts/:attempt"]) {
    app.get(`/:owner/:repo/actions/${path}`, (call) =>
      call.html(page(`Run ${call.req.param("id")}`, "<p>This run took place on this machine.</p>")),
    );
  }
}

/** Every issue and pull request, newest first. */
function tracker({ fullName, issues }: Repository): string {
  const rows = [...issues.values()].reverse().map((issue) => {
    const path = `${fullName}/${isPull(issue) ? "pull" : "issues"}/${issue.number}`;
    return `<li><a href="/${path}">#${issue.number} ${escapeHtml(issue.title)}</a></li>`;
  });
  return `<h2>${escapeHtml(fullName)}</h2><ul>${rows.join("")}</ul>`;
}

function thread(repository: Repository, issue: Issue): string {
  const posts = [issue, ...repository.commentsOn(issue.number)].map(post).join("");
  return isPull(issue) ? pullRequest(repository, issue, posts) : posts;
}

function pullRequest(repository: Repository, pull: Pull, posts: string): string {
  const { blobs } = repository.objects;
  const changes = filesOf(repository, pull).map(({ path, before, after }) => {
    const { patch = "" } = patchOf(blobs.get(before?.sha ?? ""), blobs.get(after?.sha ?? ""));
    return `<h3>${escapeHtml(path)}</h3><pre>${escapeHtml(patch)}</pre>`;
  });
  const branches = `<p>${escapeHtml(pull.branch)} → ${escapeHtml(pull.base)}</p>`;
  return `${branches}${posts}<h2>Files</h2>${changes.join("")}`;
}

/** A description or a comment, with its author. */
function post({ author, body }: { author: string; body: string | null }): string {
  // As on GitHub, HTML comments are not shown.
  const text = (body ?? "").replaceAll(/<!--.*?-->/gs, "").trim();
  return `<section><b>${escapeHtml(author)}</b><pre>${escapeHtml(text)}</pre></section>`;
}
