/**
 * `npm run picture`: the pictures of the README and docs/, one for each action, from real runs of
 * dist/ in the local world, light and dark, into docs/images/.
 *
 *     npm run picture               all of them
 *     npm run picture -- queue      one: comment, upkeep, collect, queue, assistant or jobs
 *
 * Run it when what an action writes has changed, and look at the result.
 *
 * It needs a Chromium and a font with emoji; on Debian and Ubuntu:
 *
 *     apt-get install chromium fonts-noto-color-emoji
 *
 * Another browser of its family is named by the environment variable CHROMIUM.
 */

import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { findBrowser, takeScreenshot } from "./picture/browser.ts";
import { type Part, renderPage } from "./picture/page.ts";
import { showAssistant } from "./picture/scenes/assistant.ts";
import { showCollect } from "./picture/scenes/collect.ts";
import { showComment } from "./picture/scenes/comment.ts";
import { showJobs } from "./picture/scenes/jobs.ts";
import { showQueue } from "./picture/scenes/queue.ts";
import { showUpkeep } from "./picture/scenes/upkeep.ts";

const IMAGES = path.join(import.meta.dirname, "../docs/images");
/** How wide the README shows a picture, in CSS pixels. */
const SHOWN = 700;
/** Pixels of a picture to one that is shown: sharp on most screens, and not too large. */
const DENSITY = 1.4;

/** Each action's picture, and how wide a page it is of, in CSS pixels. */
const SCENES: Record<string, { width: number; show: () => Promise<Part[]> }> = {
  comment: { width: 800, show: showComment },
  upkeep: { width: 860, show: showUpkeep },
  collect: { width: 800, show: showCollect },
  queue: { width: 860, show: showQueue },
  assistant: { width: 800, show: showAssistant },
  jobs: { width: 960, show: showJobs },
};

const browser = findBrowser();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(SCENES, name));
if (unknown.length > 0) {
  console.error(
    `No picture is called ${unknown.join(" or ")}. There are: ${Object.keys(SCENES).join(", ")}.`,
  );
  process.exitCode = 1;
} else if (browser === undefined) {
  console.error(
    "No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium fonts-noto-color-emoji; macOS: brew install --cask chromium), or name another browser of its family in the environment variable CHROMIUM.",
  );
  process.exitCode = 1;
} else {
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, { width, show }] of Object.entries(SCENES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    draw(browser, name, width, await show());
  }
}

function draw(program: string, name: string, width: number, parts: Part[]): void {
  const size = { width, scale: (SHOWN * DENSITY) / width };
  for (const theme of ["light", "dark"] as const) {
    const file = path.join(IMAGES, `${name}-${theme}.png`);
    takeScreenshot(program, renderPage(parts, theme), size, file);
    console.log(`${path.relative(process.cwd(), file)}  ${statSync(file).size} bytes`);
  }
}
