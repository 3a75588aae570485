// npm run set-owner NAME: writes the GitHub account that this repository is in wherever a file names the repository,
// and builds dist/, whose messages link to it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const REPOSITORY = "docs-agent-action";
/** Names the repository, and so the account that is replaced. */
const MANIFEST = "package.json";
/** Explains the placeholder, until there is an account. */
const EXPLANATION = /<!-- owner -->\n[\s\S]*?<!-- end -->\n\n/;
/** Of people and organizations; people in a company that manages their accounts have an underscore in theirs. */
const ACCOUNT = /^(?=.{1,39}$)[a-z\d]+(-[a-z\d]+)*(_[a-z\d]+)?$/i;

/**
 * Writes the account into every file of a checkout but those in dist/.
 *
 * @returns the paths of the files that have changed
 * @throws when no account on GitHub can have the name
 */
export function setOwner(root: string, name: string): string[] {
  if (!ACCOUNT.test(name)) {
    throw new Error(
      `"${name}" cannot be an account on GitHub: give its name alone, such as octo-org. It has letters, digits and single hyphens between them, 39 characters at most.`,
    );
  }
  const { repository } = JSON.parse(readFileSync(path.join(root, MANIFEST), "utf8"));
  const [, before = ""] = /^github:([^/]+)\//.exec(repository) ?? [];
  // Not those of an account whose name ends the same, or of a repository whose name begins the same.
  const named = new RegExp(`(?<![\\w-])${before}(?=/${REPOSITORY}(?![\\w-]))`, "g");
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":!dist"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  const changed = [...new Set(files)].filter((file) => {
    if (file === MANIFEST || !existsSync(path.join(root, file)) || file === "") return false;
    return change(path.join(root, file), (text) =>
      text.replace(named, name).replace(EXPLANATION, ""),
    );
  });
  // Last: what ends half-way can be run again.
  const isNew = change(path.join(root, MANIFEST), (text) => text.replace(named, name));
  return isNew ? [...changed, MANIFEST] : changed;
}

/** Changes a text file, unless it stays as it is. */
function change(file: string, to: (text: string) => string): boolean {
  const text = readFileSync(file, "utf8");
  const changed = text.includes("\0") ? text : to(text);
  if (changed !== text) writeFileSync(file, changed);
  return changed !== text;
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, "..");
  try {
    const changed = setOwner(root, process.argv[2] ?? "");
    console.log(`${changed.length} files changed. Building dist/, which is committed with them:`);
    const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
    // A longer name can break a line of code.
    execFileSync(process.execPath, [biome, "format", "--write", "."], { cwd: root });
    await import("./build.ts");
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
