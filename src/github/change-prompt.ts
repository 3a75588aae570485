import { type ChangeDetails, placeOf } from "./change-details.ts";
import type { ChangedFile } from "./history-records.ts";
import { byline, clean, INTRODUCTION, quoteWithin } from "./prompt-context.ts";

/** Maximum size of the changes in a prompt, in bytes of UTF-8. */
const MAX_BYTES = 32 * 1024;
/** How many of these bytes are reserved for the action's own text. */
const OWN_WORDS = 2 * 1024;
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
  const texts = changes.map((change) => textOf(change, includeDiff));
  const headings = changes.map(
    ({ change }, index) => `## Change ${index + 1}: ${placeOf(change)}${byline(change.author)}\n\n`,
  );
  const own = headings.reduce((sum, heading) => sum + byteLength(heading) + 4, OWN_WORDS);
  const room = shares(texts.map(quotedLength), Math.max(0, MAX_BYTES - own));
  const left: string[] = [];
  const quoted = texts.map((text, index) => {
    const part = quoteWithin(text, room[index] ?? 0);
    const change = changes[index];
    if (part.leftOut > 0 && change !== undefined) {
      left.push(`${part.leftOut} bytes of ${placeOf(change.change)}`);
    }
    return `${headings[index]}${part.text}`;
  });
  const note = left.length === 0 ? "" : `\n\nLeft out for length: ${left.join(", ")}.`;
  return `${instruction ?? BUILT_IN_PROMPT}\n\n---\n\n${INTRODUCTION}\n\n${quoted.join("\n\n")}${note}`;
}

/**
 * Divides the room fairly: if a change needs less than an equal share, the others get the rest.
 *
 * @returns for each need what it gets, never more than the need, together never more than the room
 */
function shares(needs: readonly number[], room: number): number[] {
  const granted = needs.map(() => 0);
  let open = needs.map((_, index) => index);
  let left = room;
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const small = open.filter((index) => (needs[index] ?? 0) <= share);
    const served = small.length > 0 ? small : open;
    for (const index of served) {
      granted[index] = Math.min(needs[index] ?? 0, share);
      left -= granted[index] ?? 0;
    }
    if (small.length === 0) break;
    open = open.filter((index) => !small.includes(index));
  }
  return granted;
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

/** The size of a text when every line is quoted. */
function quotedLength(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + byteLength(line) + 3, 0);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
