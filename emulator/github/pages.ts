/** Pages for a person who follows a link: the tracker, an issue, a pull request. */

import type { App, Call } from "../http/app.ts";
import { escapeHtml, page } from "../http/html.ts";
import type { GitHubProxy } from "./proxy.ts";
import { compare, type Pull } from "./pulls.ts";

interface Issue {
  number: number;
  title: string;
  body: string | null;
  state: string;
  user: { login: string };
}

/** A row of the tracker. */
type Listed = Pick<Issue, "number" | "title">;

interface Comment {
  body: string;
  user: { login: string };
}

export function pages(app: App, proxy: GitHubProxy, repository: string): void {
  app.get("/", async (call) => call.html(await trackerPage(proxy, call, repository)));

  app.get("/:owner/:repo/issues/:number", async (call) => {
    const issue = await proxy.read<Issue>(call, `${apiPath(call)}/issues/${number(call)}`);
    if (issue === undefined) return call.redirect(call.req.path.replace("/issues/", "/pull/"));
    return call.html(page(heading(issue), `${post(issue)}${await comments(proxy, call)}`));
  });

  // The link to the workflow run in a comment leads here; attempts have a longer path.
  for (const path of ["runs/:id", "runs/:id/attempts/:attempt"]) {
    app.get(`/:owner/:repo/actions/${path}`, (call) =>
      call.html(page(`Run ${call.req.param("id")}`, "<p>This run took place on this machine.</p>")),
    );
  }

  app.get("/:owner/:repo/pull/:number", async (call) => {
    const pull = await proxy.read<Pull>(call, `${apiPath(call)}/pulls/${number(call)}`);
    if (pull === undefined) return call.html(page("Not found", ""), 404);
    return call.html(await pullPage(proxy, call, pull));
  });
}

/** Every issue and pull request, newest first. */
async function trackerPage(proxy: GitHubProxy, call: Call, repository: string): Promise<string> {
  const read = (kind: "issues" | "pulls") =>
    proxy.read<Listed[]>(call, `/repos/${repository}/${kind}?state=all&per_page=100`);
  const issues = (await read("issues")) ?? [];
  const pulls = (await read("pulls")) ?? [];
  const rows = [
    ...issues.map((issue) => ({ ...issue, path: "issues" })),
    ...pulls.map((pull) => ({ ...pull, path: "pull" })),
  ]
    .toSorted((one, other) => other.number - one.number)
    .map(
      ({ number, title, path }) =>
        `<li><a href="/${repository}/${path}/${number}">#${number} ${escapeHtml(title)}</a></li>`,
    );
  return page(repository, `<ul>${rows.join("")}</ul>`);
}

async function pullPage(proxy: GitHubProxy, call: Call, pull: Pull): Promise<string> {
  const { files } = await compare(proxy, call, pull);
  const changes = files.map(
    ({ filename, patch }) =>
      `<h3>${escapeHtml(filename)}</h3><pre>${escapeHtml(patch ?? "")}</pre>`,
  );
  const branches = `<p>${escapeHtml(pull.head.ref)} → ${escapeHtml(pull.base.ref)}</p>`;
  const thread = `${post(pull)}${await comments(proxy, call)}`;
  return page(heading(pull), `${branches}${thread}<h2>Files</h2>${changes.join("")}`);
}

async function comments(proxy: GitHubProxy, call: Call): Promise<string> {
  const path = `${apiPath(call)}/issues/${number(call)}/comments`;
  return ((await proxy.read<Comment[]>(call, path)) ?? []).map(post).join("");
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

/** A description or a comment, with its author. */
function post({ user, body }: { user: { login: string }; body: string | null }): string {
  // As on GitHub, HTML comments are not shown.
  const text = (body ?? "").replaceAll(/<!--.*?-->/gs, "").trim();
  return `<section><b>${escapeHtml(user.login)}</b><pre>${escapeHtml(text)}</pre></section>`;
}
