// A small page that shows a conversation much as GitHub does: the picture's own HTML and CSS.
import { rendered } from "../../emulator/github/rendered-markdown.ts";

export interface Conversation {
  title: string;
  /** Markdown of the comment that asked, and the account that wrote it. */
  request: string;
  asker: string;
  /** Names of the reactions to the request, such as `eyes`. */
  reactions: string[];
  /** Markdown of the action's comment. */
  answer: string;
  /** Markdown of the step summary. */
  summary: string;
}

export type Theme = "light" | "dark";

const COLORS = {
  light: {
    page: "#ffffff",
    text: "#1f2328",
    muted: "#59636e",
    line: "#d1d9e0",
    head: "#f6f8fa",
    link: "#0969da",
    code: "#eff1f3",
    person: "#8250df",
    bot: "#1f2328",
  },
  dark: {
    page: "#0d1117",
    text: "#f0f6fc",
    muted: "#9198a1",
    line: "#3d444d",
    head: "#151b23",
    link: "#4493f8",
    code: "#262c36",
    person: "#8957e5",
    bot: "#656c76",
  },
};

const EMOJI: Record<string, string> = { eyes: "👀", rocket: "🚀", confused: "😕" };

export function renderPage(conversation: Conversation, theme: Theme): string {
  const { title, request, asker, reactions, answer, summary } = conversation;
  const shown = reactions.map((name) => `<span class="reaction">${EMOJI[name] ?? name} 1</span>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${asText(title)}</title>
<style>${css(theme)}</style>
<body>
<main>
<h1>${asText(title)}</h1>
${comment(asker, "", `${rendered(request)}<p class="reactions">${shown.join(" ")}</p>`)}
${comment("github-actions", "bot", rendered(answer))}
<h2>And in the workflow run</h2>
<section class="box">
<header><b>write-docs summary</b></header>
<div class="body">${rendered(summary)}</div>
</section>
</main>
<script>
const { height } = document.querySelector("main").getBoundingClientRect();
document.documentElement.dataset.height = Math.ceil(height);
</script>
`;
}

function comment(login: string, kind: "" | "bot", body: string): string {
  const label = kind === "" ? "" : ` <span class="label">${kind}</span>`;
  const avatar = `<div class="avatar ${kind}">${kind === "" ? asText(login.charAt(0)) : "⚙"}</div>`;
  return `<article>${avatar}<section class="box">
<header><b>${asText(login)}</b>${label} commented</header>
<div class="body">${body}</div>
</section></article>`;
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function css(theme: Theme): string {
  const { page, text, muted, line, head, link, code, person, bot } = COLORS[theme];
  return `
* { box-sizing: border-box; }
body {
  margin: 0; background: ${page}; color: ${text};
  font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif, "Noto Color Emoji";
}
main { padding: 20px 24px; }
h1 { margin: 0 0 16px; font-size: 22px; font-weight: 400; }
h2 { margin: 20px 0 8px; font-size: 16px; font-weight: 600; }
article { display: flex; gap: 14px; margin-bottom: 14px; }
article .box { flex: 1; }
.avatar {
  width: 40px; height: 40px; border-radius: 50%; background: ${person}; color: #fff;
  font-size: 18px; text-align: center; line-height: 40px; text-transform: uppercase;
}
.avatar.bot { border-radius: 8px; background: ${bot}; }
.box { border: 1px solid ${line}; border-radius: 6px; overflow: hidden; }
.box header { padding: 7px 16px; background: ${head}; border-bottom: 1px solid ${line}; color: ${muted}; }
.box header b { color: ${text}; font-weight: 600; }
.label { border: 1px solid ${line}; border-radius: 10px; padding: 0 6px; font-size: 12px; }
.body { padding: 14px 16px; }
.body > :first-child { margin-top: 0; }
.body > :last-child { margin-bottom: 0; }
.body h3 { margin: 0 0 12px; font-size: 17px; font-weight: 600; }
.body p { margin: 0 0 12px; }
a { color: ${link}; text-decoration: none; }
p a { text-decoration: underline; text-underline-offset: 3px; }
code {
  padding: 2px 5px; border-radius: 6px; background: ${code};
  font: 85% ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
.reaction { border: 1px solid ${line}; border-radius: 12px; padding: 2px 8px; font-size: 12px; }
`;
}
