/** Finds a Chromium on this machine. As a script, for `.ci/run`, exits with 1 if there is none. */

import { existsSync } from "node:fs";
import path from "node:path";

/** Path of a Chromium or a browser of its family; undefined if there is none. */
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
  return candidates.find((file) => existsSync(file));
}

if (import.meta.main && findBrowser() === undefined) process.exitCode = 1;
