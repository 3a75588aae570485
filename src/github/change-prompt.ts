import { type ChangeDetails, placeOf } from "./change-details.ts";
import type { ChangedFile } from "./history-records.ts";
import { clean, renderContext } from "./prompt-context.ts";

/** Maximum number of files per change. */
const MAX_FILES = 100;

/** The instruction, unless the workflow gives one. */
const BUILT_IN_PROMPT =
  "Bring the documentation up to date with the changes below, which were merged into the code. Change only what they make incorrect or incomplete. If nothing in the documentation needs a change, change nothing.";

/** The same, for a pull request that is not merged yet. */
export const DRAFT_PROMPT =
  "Prepare the documentation for the pull request below, which is approved, but not merged into the code yet. Change only what it makes incorrect or incomplete. If nothing in the documentation needs a change, change nothing.";

/**
 * The prompt for a batch: the instruction, and each change, quoted and with a fair share of the room. A note names
 * the changes that were cut.
 *
 * @param includeDiff whether the changed lines follow, as far as there is room
 */
export function promptFor(
  instruction: string | null,
  changes: readonly ChangeDetails[],
  includeDiff: boolean,
): string {
  const sections = changes.map((details, index) => ({
    title: `Change ${index + 1}: ${placeOf(details.change)}`,
    author: details.change.author,
    text: textOf(details, includeDiff),
  }));
  return `${instruction ?? BUILT_IN_PROMPT}\n\n${renderContext(sections)}`;
}

/** The facts come first, because the end is cut first. */
function textOf(details: ChangeDetails, includeDiff: boolean): string {
  const { labels, body, files, hasMoreFiles } = details;
  const { title, url, sha, landedAt } = details.change;
  const facts = [
    title,
    url,
    labels.length === 0 ? "" : `Labels: ${labels.join(", ")}`,
    `${landedAt === "" ? "Head" : "Merge"} commit: ${sha}`,
  ];
  const parts = [
    facts.filter((fact) => fact !== "").join("\n"),
    files === null ? "" : `Files:\n${fileLines(files, hasMoreFiles)}`,
    body.trim() === "" ? "" : `Description:\n${body}`,
    includeDiff && files !== null ? diffsOf(files) : "",
  ];
  return parts
    .map(clean)
    .filter((part) => part !== "")
    .join("\n\n");
}

function fileLines(files: readonly ChangedFile[], hasMore: boolean): string {
  const lines = files
    .slice(0, MAX_FILES)
    .map(({ path, additions, deletions }) => `${path} (+${additions} -${deletions})`);
  const more = files.length - lines.length;
  if (more > 0 || hasMore) lines.push(more > 0 ? `… and ${more} more` : "… and more");
  return lines.join("\n");
}

function diffsOf(files: readonly ChangedFile[]): string {
  return files
    .filter(({ patch }) => patch !== undefined)
    .map(({ path, patch }) => `Diff of ${path}:\n${patch}`)
    .join("\n\n");
}
