/** What every page has: its place in the site, what stays, and the parts that update by themselves. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { element, type Html, html, type Part } from "./html.ts";

export type Tab = "issue" | "repository" | "dashboard" | "jobs" | "";

export interface Page {
  title: string;
  tab: Tab;
  /** What can be done here, in a sentence or two. */
  lead: Html | undefined;
  /** Forms above the parts. */
  before?: Html;
  main: Part[];
  /** Forms below the parts. */
  after?: Html;
  aside: Part[];
}

/** @param path of the page, where its updates come from */
export function renderPage(page: Page, path: string, world: LocalWorld): Html {
  const { repository } = world.github;
  return html`<!doctype html>
<html lang="en" data-theme="light">
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
<body data-page="${path}" data-theme="dark">
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<div class="inner"><a class="home" href="/">${repository}</a><span class="tag">local playground</span></div>
<nav class="inner" aria-label="Pages">${tabs(page.tab, repository)}</nav>
</header>
<p id="connection" class="banner" role="status" hidden></p>
<div class="inner layout">
<main id="content">
${page.lead && html`<p class="lead">${page.lead}</p>`}
${page.before}
<div data-region="main">${page.main.map(element)}</div>
${page.after}
</main>
<aside aria-label="What runs">
<div data-region="aside">${page.aside.map(element)}</div>
</aside>
</div>
<footer class="inner">${addresses(world)}</footer>
<p id="news" class="hidden" aria-live="polite"></p>
</body>
</html>
`;
}

function tabs(current: Tab, repository: string): Html[] {
  const all: [Tab, string, string][] = [
    ["issue", `/${repository}/issues/1`, "Ask on an issue"],
    ["repository", `/${repository}`, "Merge changes"],
    ["dashboard", "/dashboard", "Upkeep dashboard"],
    ["jobs", "/jobs", "Agent jobs"],
  ];
  return all.map(
    ([tab, path, name]) =>
      html`<a href="${path}"${tab === current && html` aria-current="page"`}>${name}</a>`,
  );
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
