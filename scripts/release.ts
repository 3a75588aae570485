// Publishes a version, or goes on where an earlier run stopped: the tag, the release, and the major tag last.
//
//   node scripts/release.ts v1.2.3             does what is left to do
//   node scripts/release.ts v1.2.3 --dry-run   says what that is
//
// Releases the commit that is checked out. Reads GITHUB_API_URL, GITHUB_REPOSITORY and GH_TOKEN. Nothing has to be
// installed for it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { notesFor } from "./release/notes.ts";
import { release, type Send } from "./release/release.ts";

/** Milliseconds for one request. */
const LIMIT = 30_000;

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const [tag = ""] = positionals;
const { GITHUB_API_URL = "https://api.github.com", GITHUB_REPOSITORY, GH_TOKEN } = process.env;

const send: Send = async (method, path, body) => {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      // Without a token, only what everybody can see.
      ...(GH_TOKEN ? { authorization: `Bearer ${GH_TOKEN}` } : {}),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT),
  });
  if (method === "GET" && response.status === 404) return undefined;
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(`GitHub answered ${method} ${path} with ${response.status}: ${text}`);
};

try {
  if (!GITHUB_REPOSITORY) throw new Error("GITHUB_REPOSITORY is not set.");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const notes = notesFor(readFileSync(join(root, "CHANGELOG.md"), "utf8"), tag);
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const options = { isDryRun: values["dry-run"], say: (line: string) => console.log(line) };
  await release({ tag, commit, version, notes }, send, options);
} catch (error) {
  console.error((error as Error).message);
  console.error(
    "What was done stays done: once the cause is gone, run this again to go on from here.",
  );
  process.exitCode = 1;
}
