/** The files that pages load: from this folder's neighbour, and from packages. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { buildSync } from "esbuild";

export interface Asset {
  type: string;
  content: string;
}

const BROWSER = path.join(import.meta.dirname, "../browser");
const packages = createRequire(import.meta.url);

const STYLES = ["styles/page.css", "styles/parts.css"];
const READ: Record<string, () => Asset> = {
  "main.js": () => ({ type: "text/javascript", content: bundle() }),
  "style.css": () => ({ type: "text/css", content: STYLES.map(own).join("") }),
  "icon.svg": () => ({ type: "image/svg+xml", content: own("icon.svg") }),
  "markdown.css": () => fromPackage("github-markdown-css/github-markdown.css", "text/css"),
  "mermaid.js": () => fromPackage("mermaid/dist/mermaid.min.js", "text/javascript"),
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

function fromPackage(file: string, type: string): Asset {
  return { type, content: readFileSync(packages.resolve(file), "utf8") };
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
