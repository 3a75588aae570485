/** The files that pages load: from this folder's neighbour, and from packages. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";

export interface Asset {
  type: string;
  content: string;
}

const BROWSER = path.join(import.meta.dirname, "../browser");

const STYLES = ["styles/page.css", "styles/parts.css"];
const READ: Record<string, () => Asset> = {
  "main.js": () => ({ type: "text/javascript", content: bundle() }),
  "style.css": () => ({ type: "text/css", content: STYLES.map(own).join("") }),
  "icon.svg": () => ({ type: "image/svg+xml", content: own("icon.svg") }),
  "markdown.css": () => ({
    type: "text/css",
    content: textOf(import.meta.resolve("github-markdown-css/github-markdown.css")),
  }),
  "mermaid.js": () => ({
    type: "text/javascript",
    content: textOf(import.meta.resolve("mermaid/dist/mermaid.min.js")),
  }),
};

const known = new Map<string, Asset>();

/** An asset by its name; undefined if there is none. */
export function asset(name: string): Asset | undefined {
  const content = known.get(name) ?? (Object.hasOwn(READ, name) ? READ[name]?.() : undefined);
  if (content !== undefined) known.set(name, content);
  return content;
}

function own(file: string): string {
  return readFileSync(path.join(BROWSER, file), "utf8");
}

/** The text of a package's file. */
function textOf(url: string): string {
  return readFileSync(new URL(url), "utf8");
}

/** The browser's script as JavaScript, in one file. */
function bundle(): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(BROWSER, "main.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
