// Publishes a version, or goes on where an earlier run stopped: the tag, the release, and the major tag last.
//
//   node scripts/release.ts v1.2.3             does what is left to do
//   node scripts/release.ts v1.2.3 --dry-run   says what that is
//
// Releases the commit that is checked out. Reads GITHUB_API_URL, GITHUB_REPOSITORY and GH_TOKEN.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { release } from "./release/release.ts";
import { notesFor } from "./release-notes.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const [tag = ""] = positionals;

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

try {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const notes = notesFor(readFileSync(join(root, "CHANGELOG.md"), "utf8"), tag);
  const repository = {
    apiUrl: process.env.GITHUB_API_URL ?? "https://api.github.com",
    name: variable("GITHUB_REPOSITORY"),
    token: process.env.GH_TOKEN ?? "",
  };
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const wanted = { tag, commit, version, notes };
  const isDryRun = values["dry-run"];
  await release(wanted, repository, { isDryRun, say: (line) => console.log(line) });
} catch (error) {
  console.error((error as Error).message);
  console.error(
    "What was done stays done: once the cause is gone, run this again to go on from here.",
  );
  process.exitCode = 1;
}
