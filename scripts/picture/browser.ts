/** A Chromium on this machine, and screenshots by it. */

import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Bytes of a page with all that its scripts made. */
const MAX_PAGE = 64 * 1024 * 1024;

/**
 * Writes a screenshot of a page into a file, as high as the page is.
 *
 * @param width of the page, in CSS pixels
 * @param scale pixels of the picture to one of the page
 */
export function takeScreenshot(
  browser: string,
  html: string,
  { width, scale }: { width: number; scale: number },
  file: string,
): void {
  const work = mkdtempSync(path.join(os.tmpdir(), "docs-agent-picture-"));
  try {
    const page = path.join(work, "page.html");
    writeFileSync(page, html);
    const run = (...flags: string[]) =>
      execFileSync(
        browser,
        [
          ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
          ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
          ...["--hide-scrollbars", `--force-device-scale-factor=${scale}`],
          // The page's scripts may take this long, in milliseconds of the browser's own clock.
          "--virtual-time-budget=20000",
          `--user-data-dir=${path.join(work, "profile")}`,
          ...flags,
          pathToFileURL(page).href,
        ],
        {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
          timeout: 60_000,
          maxBuffer: MAX_PAGE,
        },
      );
    const [, height] =
      /data-height="(\d+)"/.exec(run(`--window-size=${width},2000`, "--dump-dom")) ?? [];
    if (height === undefined) throw new Error("The browser did not report the height of the page.");
    run(`--window-size=${width},${height}`, `--screenshot=${file}`);
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The program of a Chromium or a browser of its family; undefined: none was found. */
export function findBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => path.join(folder, name))),
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ];
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
