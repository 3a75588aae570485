/**
 * `npm run picture`: the pictures of the README and docs/, one for each action, from real runs of
 * dist/ in the local world, as the playground shows them, light and dark, into docs/images/.
 *
 *     npm run picture               all of them
 *     npm run picture -- queue      those whose name in picture/scenes.ts contains a text
 *
 * Run it after a change of what an action writes, and look at the result.
 *
 * It needs a Chromium, and a font with emoji (on Debian and Ubuntu: fonts-noto-color-emoji).
 */

import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { asset } from "../playground/http/assets.ts";
import { Html, html } from "../playground/views/html.ts";
import { findBrowser } from "./picture/browser.ts";
import { SCENES } from "./picture/scenes.ts";

const IMAGES = path.join(import.meta.dirname, "../docs/images");
/** How wide the README shows a picture, in CSS pixels. */
const SHOWN = 700;
/** Pixels of a picture to one that is shown: sharp on most screens, and not too large. */
const DENSITY = 1.4;
/** A dashboard ends before its chart, which would be as high as all the rest, and fades out. */
const STYLE = `
main { position: relative; padding: 8px 6px; overflow: hidden; }
.page .post .avatar { display: block; }
main > :last-child .box { margin-bottom: 0; }
main.cut::after {
  content: ""; position: absolute; inset: auto 0 0; height: 48px;
  background: linear-gradient(transparent, var(--bgColor-default));
}
`;

const executablePath = findBrowser();
if (executablePath === undefined) {
  console.error(
    "No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium fonts-noto-color-emoji; macOS: brew install --cask chromium), or name another browser of its family in the environment variable CHROMIUM.",
  );
  process.exit(1);
}
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, { width, show }] of Object.entries(SCENES)) {
  if (name.includes(process.argv[2] ?? "")) await draw(browser, name, width, await show());
}
await browser.close();

async function draw(browser: Browser, name: string, width: number, parts: Html[]): Promise<void> {
  const shown = parts.map((part) => html`<div>${part}</div>`);
  const { markup } = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${name}</title>
<link rel="stylesheet" href="/assets/markdown.css"><link rel="stylesheet" href="/assets/style.css">
<style>${new Html(STYLE)}</style>
<script type="module" src="/assets/main.js"></script>
<body class="page markdown-body"><main data-region>${shown}</main></body></html>`;
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 2000 },
      deviceScaleFactor: (SHOWN * DENSITY) / width,
    });
    const page = await context.newPage();
    await page.route("**", async (route) => {
      const file = asset(path.basename(new URL(route.request().url()).pathname));
      const { type, content } = file ?? { type: "text/html", content: markup };
      await route.fulfill({ contentType: type, body: content });
    });
    await page.goto("http://picture.test/", { waitUntil: "networkidle" });
    const main = page.locator("main");
    await main.evaluate((element) => {
      const chart = element.querySelector("h2:has(+ .mermaid)");
      if (chart === null) return;
      const height = chart.getBoundingClientRect().top - element.getBoundingClientRect().top;
      element.setAttribute("style", `height: ${height}px; box-sizing: border-box`);
      element.classList.add("cut");
    });
    const file = path.join(IMAGES, `${name}-${colorScheme}.png`);
    const { length } = await main.screenshot({ path: file });
    console.log(`${path.relative(process.cwd(), file)}  ${length} bytes`);
    await context.close();
  }
}
