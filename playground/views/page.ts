/** What every page has: its place in the site, what stays, and the parts that update by themselves. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { element, type Html, html, type Part } from "./html.ts";

export interface Page {
  title: string;
  /** The path of the tab that it belongs to, below the repository's; undefined: to none. */
  tab: string | undefined;
  /** What can be done here, in a sentence or two. */
  lead: Html | undefined;
  main: Part[];
  aside: Part[];
}

/** The tabs by their paths. `/jobs` is a page of the service, not of GitHub. */
const TABS: Record<string, string> = {
  "": "Overview",
  "/issues": "Issues",
  "/pulls": "Pull requests",
  "/actions": "Workflow runs",
  "/jobs": "Agent jobs",
};

/** @param path of the page, where its updates come from */
export function renderPage(page: Page, path: string, world: LocalWorld): Html {
  const { repository } = world.github;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${repository}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/markdown.css">
<link rel="stylesheet" href="/assets/style.css">
<script type="module" src="/assets/main.js"></script>
</head>
<body class="page markdown-body" data-page="${path}">
<a class="skip" href="#content">Skip to the content</a>
<p id="connection" class="banner" role="status" hidden></p>
<header class="site">
<div class="inner"><a class="home" href="/${repository}">${repository}</a> <span class="tag">local playground</span></div>
<nav class="inner" aria-label="Pages">${tabs(page.tab, repository)}</nav>
</header>
<div class="inner layout">
<main id="content">
${page.lead && html`<p class="lead">${page.lead}</p>`}
<p class="no-script hint">This page updates by itself only with JavaScript: <a href="">load it again</a> to see what has changed.</p>
<div data-region="main">${page.main.map(element)}</div>
</main>
<aside aria-label="What runs">
<div data-region="aside">${page.aside.map(element)}</div>
</aside>
</div>
<footer><div class="inner">${addresses(world)}</div></footer>
<p id="news" class="hidden" aria-live="polite"></p>
</body>
</html>
`;
}

function tabs(current: string | undefined, repository: string): Html[] {
  return Object.entries(TABS).map(([path, name]) => {
    const href = path === "/jobs" ? path : `/${repository}${path}`;
    return html`<a href="${href}"${path === current && html` aria-current="page"`}>${name}</a>`;
  });
}

function addresses({ github, service }: LocalWorld): Html {
  const values: [string, string][] = [
    ["GitHub, emulated", github.url],
    ["its inspector", github.inspectorUrl],
    ["a GitHub token", github.token],
    ["documentation service, emulated", service.url],
    ["its inspector", service.inspectorUrl],
    ["its admin key", service.adminKey],
    ["its assistant key", service.assistantKey],
    ["its project", service.projectId],
  ];
  return html`<details id="addresses"><summary>Addresses and keys of this local world</summary>
<dl>${values.map(([name, value]) => html`<dt>${name}</dt><dd>${addressOrText(value)}</dd>`)}</dl>
</details>
<p>Everything here runs on this machine. Ctrl+C in the terminal ends it, and nothing is kept.</p>`;
}

function addressOrText(value: string): Html {
  return value.startsWith("http:")
    ? html`<a href="${value}">${value}</a>`
    : html`<code>${value}</code>`;
}
