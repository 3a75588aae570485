// A page that shows an issue's body as GitHub does: GitHub's own CSS, and Mermaid in its two themes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import type { Theme } from "./page.ts";

/** An issue, as GitHub has it. */
export interface Issue {
  title: string;
  number: number;
  /** Login. */
  author: string;
  /** Markdown. */
  body: string;
  labels: string[];
}

const COLORS = {
  light: { page: "#ffffff", muted: "#59636e", line: "#d1d9e0", head: "#f6f8fa", open: "#1f883d" },
  dark: { page: "#0d1117", muted: "#9198a1", line: "#3d444d", head: "#151b23", open: "#238636" },
};

/** Mermaid's names of GitHub's two themes. */
const MERMAID_THEMES = { light: "default", dark: "dark" };

export function renderDashboardPage(issue: Issue, theme: Theme): string {
  const { title, number, author, body, labels } = issue;
  const tags = labels.map((label) => `<span class="tag">${asText(label)}</span>`).join(" ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${asText(title)}</title>
<style>${readFileSync(find(`github-markdown-css/github-markdown-${theme}.css`), "utf8")}${css(theme)}</style>
<body>
<main class="markdown-body">
<div class="title">${asText(title)} <span class="number">#${number}</span></div>
<p class="state"><span class="open">Open</span> ${tags}</p>
<section class="box">
<header><b>${asText(author)}</b> <span class="tag">bot</span> opened this issue</header>
<div class="text">${withBoxes(withDiagrams(rendered(body)))}</div>
</section>
</main>
<script src="${pathToFileURL(find("mermaid/dist/mermaid.min.js"))}"></script>
<script type="module">
mermaid.initialize({ startOnLoad: false, theme: "${MERMAID_THEMES[theme]}" });
await mermaid.run();
const { height } = document.querySelector("main").getBoundingClientRect();
document.documentElement.dataset.height = Math.ceil(height);
</script>
`;
}

/** GitHub draws what is in a block of Mermaid. */
function withDiagrams(html: string): string {
  return html.replaceAll(
    /<pre><code class="language-mermaid">([\s\S]*?)<\/code><\/pre>/g,
    '<div class="diagram"><pre class="mermaid">$1</pre></div>',
  );
}

/** GitHub's names for the classes of a list with boxes. */
function withBoxes(html: string): string {
  return html
    .replaceAll(/<ul>(?=\s*<li><input)/g, '<ul class="contains-task-list">')
    .replaceAll(
      /<li><input type="checkbox" disabled=""/g,
      '<li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox"',
    );
}

/** Where a file of a package is. */
function find(file: string): string {
  return createRequire(import.meta.url).resolve(file);
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function css(theme: Theme): string {
  const { page, muted, line, head, open } = COLORS[theme];
  return `
body { margin: 0; background: ${page}; }
.markdown-body { padding: 20px 24px; font-size: 14px; font-family: -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif, "Noto Color Emoji"; }
.title { font-size: 26px; margin-bottom: 8px; }
.number, .box header { color: ${muted}; }
.markdown-body .state { margin-bottom: 16px; }
.open { background: ${open}; color: #fff; border-radius: 2em; padding: 5px 12px; font-weight: 500; margin-right: 8px; }
.tag { border: 1px solid ${line}; border-radius: 2em; padding: 0 7px; font-size: 12px; color: ${muted}; }
.box { border: 1px solid ${line}; border-radius: 6px; overflow: hidden; }
.box header { padding: 7px 16px; background: ${head}; border-bottom: 1px solid ${line}; }
.text { padding: 16px; }
.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: 0; }
.markdown-body .diagram { display: flex; justify-content: center; margin-bottom: 16px; }
.markdown-body .diagram pre { background: none; padding: 0; margin: 0; width: 100%; text-align: center; overflow: visible; }
`;
}
