/**
 * The text of a changelog under the heading of a version, for the release's page.
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
