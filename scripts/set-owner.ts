// npm run set-owner NAME: writes the GitHub account that this repository is in wherever a file names the repository,
// and builds dist/, whose messages link to it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const REPOSITORY = "docs-agent-action";
/** Has the repository's name, and so the account that is replaced. */
const MANIFEST = "package.json";
/** Explains the placeholder, until there is an account. */
const EXPLANATION = /<!-- owner -->\n[\s\S]*?<!-- end -->\n\n/;
/** Names of people and organizations. Accounts that a company manages contain an underscore. */
const ACCOUNT = /^(?=.{1,39}$)[a-z\d]+(-[a-z\d]+)*(_[a-z\d]+)?$/i;

/**
 * Writes the account into every file of a checkout but those in dist/.
 *
 * @returns the paths of the files that have changed
 * @throws if no account on GitHub can have the name
 */
export function setOwner(root: string, account: string): string[] {
  if (!ACCOUNT.test(account)) {
    throw new Error(
      `"${account}" cannot be an account on GitHub: give its name alone, such as octo-org. It has letters, digits and single hyphens between them, 39 characters at most.`,
    );
  }
  const { repository } = JSON.parse(readFileSync(path.join(root, MANIFEST), "utf8"));
  const [, before = ""] = /^github:([^/]+)\//.exec(repository) ?? [];
  // Not an account whose name ends with this one, or a repository whose name begins with this one.
  const named = new RegExp(`(?<![\\w-])${before}(?=/${REPOSITORY}(?![\\w-]))`, "g");
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":!dist"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  // The manifest comes last, so that an interrupted run can be repeated.
  const files = new Set(listed.filter((file) => file !== MANIFEST && file !== "")).add(MANIFEST);
  return [...files].filter((name) => {
    const file = path.join(root, name);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const isText = !text.includes("\0");
    const changed = isText ? text.replace(named, account).replace(EXPLANATION, "") : text;
    if (changed !== text) writeFileSync(file, changed);
    return changed !== text;
  });
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
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
