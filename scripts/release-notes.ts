// Prints what CHANGELOG.md says of a version, for the release's page.
//
//   node scripts/release-notes.ts v1.2.3
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The text of a changelog under the heading of a version.
 *
 * @param tag the version's tag, such as `v1.2.3`
 * @throws when the version has no section, or an empty one
 */
export function notesFor(changelog: string, tag: string): string {
  const version = tag.replace(/^v/, "");
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((it) => it.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}]".`);
  const [, ...lines] = section.split("\n");
  // Addresses of links that the headings refer to are at the end of the file.
  const notes = lines.filter((line) => !/^\[[^\]]+\]: /.test(line));
  const text = notes.join("\n").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return text;
}

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const changelog = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
  try {
    console.log(notesFor(changelog, tag));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
