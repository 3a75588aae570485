/** What `npm start` needs, and what it says when something is missing. */

import { existsSync } from "node:fs";
import path from "node:path";

/** A problem that the person who started this can solve; the message says how. */
export class StartError extends Error {}

const FILES = [
  "action.yml",
  "dist/main/index.js",
  "dist/post/index.js",
  "upkeep/action.yml",
  "dist/upkeep/index.js",
  "dist/ledger-post/index.js",
];
const ROOT = path.join(import.meta.dirname, "../..");

/** @throws StartError when this checkout lacks something that a run needs. */
export function checkRequirements(): void {
  for (const file of FILES) {
    if (!existsSync(path.join(ROOT, file))) {
      throw new StartError(`${file} is missing. 'npm run build' makes dist/ from the source.`);
    }
  }
}

/** What went wrong, for the person who started this, with what to do about it. */
export function explain(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `port ${port} is taken. Choose another with --port.`;
  if (code === "ERR_MODULE_NOT_FOUND") return `${message}. Run 'npm ci' first.`;
  if (code?.startsWith("ERR_PARSE_ARGS") === true) return `${message}. Try --keep or --port N.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
