/** Pages for a person who follows a link: the tracker, an issue, a pull request. */

import type { App, Call } from "../http.ts";
import type { Furniture } from "./furnish.ts";
import type { GitHubFront } from "./index.ts";
import { compare, type Pull } from "./pulls.ts";

interface Issue {
  number: number;
  title: string;
  body: string | null;
  state: string;
  user: { login: string };
  pull_request?: unknown;
}

interface Comment {
  body: string;
  user: { login: string };
}

export function pages(app: App, front: GitHubFront, { repository }: Furniture): void {
  app.get("/", async (call) => {
    const issues = await read<Issue[]>(front, call, `/repos/${repository}/issues?state=all`);
    const rows = (issues ?? []).map(({ number, title, pull_request }) => {
      const kind = pull_request === undefined ? "issues" : "pull";
      return `<li><a href="/${repository}/${kind}/${number}">#${number} ${escapeHtml(title)}</a></li>`;
    });
    return call.html(page(repository, `<ul>${rows.join("")}</ul>`));
  });

  app.get("/:owner/:repo/issues/:number", async (call) => {
    const issue = await read<Issue>(front, call, `${apiPath(call)}/issues/${number(call)}`);
    if (issue === undefined) return call.html(page("Not found", ""), 404);
    return call.html(page(heading(issue), `${said(issue)}${await comments(front, call)}`));
  });

  // Where the link to the workflow run in a comment leads; attempts have a longer path.
  for (const path of ["runs/:id", "runs/:id/attempts/:attempt"]) {
    app.get(`/:owner/:repo/actions/${path}`, (call) =>
      call.html(page(`Run ${call.req.param("id")}`, "<p>It took place on this machine.</p>")),
    );
  }

  app.get("/:owner/:repo/pull/:number", async (call) => {
    const pull = await read<Pull>(front, call, `${apiPath(call)}/pulls/${number(call)}`);
    if (pull === undefined) return call.html(page("Not found", ""), 404);
    const { files } = await compare(front, call, pull);
    const changes = files.map(
      ({ filename, patch }) =>
        `<h3>${escapeHtml(filename)}</h3><pre>${escapeHtml(patch ?? "")}</pre>`,
    );
    const branches = `<p>${escapeHtml(pull.head.ref)} → ${escapeHtml(pull.base.ref)}</p>`;
    const body = `${branches}${said(pull)}${await comments(front, call)}<h2>Files</h2>${changes.join("")}`;
    return call.html(page(heading(pull), body));
  });
}

async function comments(front: GitHubFront, call: Call): Promise<string> {
  const path = `${apiPath(call)}/issues/${number(call)}/comments`;
  return ((await read<Comment[]>(front, call, path)) ?? []).map(said).join("");
}

function apiPath(call: Call): string {
  return `/repos/${call.req.param("owner")}/${call.req.param("repo")}`;
}

function number(call: Call): string {
  return encodeURIComponent(call.req.param("number"));
}

function heading({ number, title, state }: Issue | Pull): string {
  return `#${number} ${title} (${state})`;
}

function said({ user, body }: { user: { login: string }; body: string | null }): string {
  // As on GitHub, what an HTML comment holds is not for the reader.
  const text = (body ?? "").replaceAll(/<!--.*?-->/gs, "").trim();
  return `<section><b>${escapeHtml(user.login)}</b><pre>${escapeHtml(text)}</pre></section>`;
}

async function read<Answer>(
  front: GitHubFront,
  call: Call,
  path: string,
): Promise<Answer | undefined> {
  const answer = await front.forward(call, { method: "GET", path, body: null });
  return answer.ok ? ((await answer.json()) as Answer) : undefined;
}

function page(title: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;background:#8881;padding:.75rem;border-radius:6px}</style>
<h1>${escapeHtml(title)}</h1>${body}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
