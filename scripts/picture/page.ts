// Pages that show issues, comments and summaries as GitHub does: GitHub's own CSS, and Mermaid in its two themes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { rendered } from "../../emulator/github/rendered-markdown.ts";

export type Theme = "light" | "dark";

/** What a picture shows, from top to bottom. */
export type Part = Title | Comment | Opening | Summary | Caption;

/** The head of an issue or pull request. */
interface Title {
  kind: "title";
  title: string;
  number: number;
}

interface Comment {
  kind: "comment";
  /** Login. */
  author: string;
  /** Markdown. */
  body: string;
  /** Names of the reactions, such as `eyes`. */
  reactions?: string[];
}

/** An issue's own text, with its labels. */
interface Opening {
  kind: "opening";
  author: string;
  /** Markdown. */
  body: string;
  labels: string[];
}

/** The summary of a step on the page of its workflow run. */
interface Summary {
  kind: "summary";
  /** Name of the workflow's job. */
  job: string;
  /** Markdown. */
  body: string;
}

/** Words of the picture itself, for what follows. */
interface Caption {
  kind: "caption";
  text: string;
}

const COLORS = {
  light: {
    ...{ page: "#ffffff", muted: "#59636e", line: "#d1d9e0", head: "#f6f8fa", open: "#1f883d" },
    ...{ person: "#8250df", bot: "#25292e", text: "#1f2328" },
  },
  dark: {
    ...{ page: "#0d1117", muted: "#9198a1", line: "#3d444d", head: "#151b23", open: "#238636" },
    ...{ person: "#8957e5", bot: "#656c76", text: "#f0f6fc" },
  },
};

const EMOJI: Record<string, string> = { eyes: "👀", rocket: "🚀", confused: "😕" };

/** Mermaid's names of GitHub's two themes. */
const MERMAID_THEMES = { light: "default", dark: "dark" };

/** CSS pixels over which a picture fades out that does not show the whole page. */
const FADE = 48;

/**
 * A page that tells its height, in CSS pixels, in `data-height` once everything is drawn. A
 * dashboard ends before its chart, which would be as high as all the rest.
 */
export function renderPage(parts: Part[], theme: Theme): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Picture</title>
<style>${readFileSync(find(`github-markdown-css/github-markdown-${theme}.css`), "utf8")}${css(theme)}</style>
<body>
<main class="markdown-body">
${parts.map(htmlOf).join("\n")}
</main>
<script src="${pathToFileURL(find("mermaid/dist/mermaid.min.js"))}"></script>
<script type="module">
mermaid.initialize({ startOnLoad: false, theme: "${MERMAID_THEMES[theme]}" });
await mermaid.run();
let { height } = document.querySelector("main").getBoundingClientRect();
const chart = document.querySelector(".text > h2:has(+ .diagram)");
if (chart !== null) {
  height = chart.getBoundingClientRect().top;
  const fade = document.createElement("div");
  fade.className = "fade";
  fade.style.top = (height - ${FADE}) + "px";
  document.querySelector("main").append(fade);
}
document.documentElement.dataset.height = Math.ceil(height);
</script>
`;
}

function htmlOf(part: Part): string {
  switch (part.kind) {
    case "title":
      return `<div class="title">${asText(part.title)} <span class="number">#${part.number}</span></div>`;
    case "comment":
      return `<article>${avatar(part.author)}${box(`${author(part.author)} commented`, withReactions(part))}</article>`;
    case "opening": {
      const labels = part.labels.map((label) => `<span class="tag">${asText(label)}</span>`);
      return `<p class="state"><span class="open">Open</span> ${labels.join(" ")}</p>
${box(`${author(part.author)} opened this issue`, textOf(part.body))}`;
    }
    case "summary":
      return box(`<b>${asText(part.job)} summary</b>`, textOf(part.body));
    case "caption":
      return `<p class="caption">${asText(part.text)}</p>`;
  }
}

function box(head: string, text: string): string {
  return `<section class="box"><header>${head}</header><div class="text">${text}</div></section>`;
}

/** A name as GitHub shows it: a bot's without its ending, and with a label. */
function author(login: string): string {
  const label = isBot(login) ? ' <span class="tag">bot</span>' : "";
  return `<b>${asText(login.replace("[bot]", ""))}</b>${label}`;
}

function avatar(login: string): string {
  return isBot(login)
    ? '<div class="avatar bot">⚙</div>'
    : `<div class="avatar">${asText(login.charAt(0))}</div>`;
}

function isBot(login: string): boolean {
  return login.endsWith("[bot]");
}

function withReactions({ body, reactions = [] }: Comment): string {
  if (reactions.length === 0) return textOf(body);
  const shown = reactions.map((name) => `<span class="reaction">${EMOJI[name] ?? name} 1</span>`);
  return `${textOf(body)}<p class="reactions">${shown.join(" ")}</p>`;
}

function textOf(markdown: string): string {
  return withBoxes(withDiagrams(rendered(markdown)));
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

/** GitHub's frame around what is written. */
function css(theme: Theme): string {
  const { page, muted, line, head, open, person, bot, text } = COLORS[theme];
  return `
:root { color-scheme: ${theme}; }
body { margin: 0; background: ${page}; }
main { position: relative; }
.markdown-body { padding: 8px 6px; font-size: 14px; font-family: -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif, "Noto Color Emoji"; }
.title { font-size: 24px; margin-bottom: 12px; }
.number, .box header { color: ${muted}; }
.markdown-body .state { margin-bottom: 16px; }
.open { background: ${open}; color: #fff; border-radius: 2em; padding: 5px 12px; font-weight: 500; margin-right: 8px; }
.tag { border: 1px solid ${line}; border-radius: 2em; padding: 0 7px; font-size: 12px; color: ${muted}; }
.box { border: 1px solid ${line}; border-radius: 6px; overflow: hidden; }
.box header { padding: 7px 16px; background: ${head}; border-bottom: 1px solid ${line}; }
.box header b { color: ${text}; }
.text { padding: 16px; }
.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: 0; }
article { display: flex; gap: 14px; margin-bottom: 14px; }
article:last-child { margin-bottom: 0; }
article .box { flex: 1; min-width: 0; }
.avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; background: ${person}; color: #fff; font-size: 18px; text-align: center; line-height: 40px; text-transform: uppercase; }
.avatar.bot { border-radius: 8px; background: ${bot}; }
.reaction { border: 1px solid ${line}; border-radius: 12px; padding: 2px 8px; font-size: 12px; }
.markdown-body .caption { margin: 18px 0 10px; color: ${muted}; font-weight: 600; }
.markdown-body .diagram { margin-bottom: 16px; }
.markdown-body .diagram pre { background: none; padding: 0; margin: 0; text-align: center; overflow: visible; }
.fade { position: absolute; left: 0; right: 0; height: ${FADE}px; background: linear-gradient(transparent, ${page}); }
`;
}
