/** The guard rails: what a docs pull request may change to be merged. */

import type { LandInputs } from "../inputs/land.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { PullFacts } from "./facts.ts";

type Rules = Pick<LandInputs, "allowedPaths" | "maxFiles" | "maxDeletedLines">;

/** Whether anything limits what a docs pull request may change. */
export function hasRails({ allowedPaths, maxFiles, maxDeletedLines }: Rules): boolean {
  return !allowedPaths.isEmpty || maxFiles !== null || maxDeletedLines !== null;
}

/** The guard rail that it exceeds at its head, as a sentence; null for none. */
export function brokenRail({ pull, files }: PullFacts, rules: Rules): string | null {
  if (files === null || files.type === "moved") return null;
  const { allowedPaths, maxFiles, maxDeletedLines } = rules;
  const count = files.type === "listed" ? files.files.length : pull.changedFiles;
  if (maxFiles !== null && count > maxFiles) {
    return `It changes ${counted(count, "file")}, more than \`max-files\` allows (${maxFiles}).`;
  }
  if (files.type === "unlisted") return UNLISTED;
  const deleted = files.files.reduce((sum, { deletions }) => sum + deletions, 0);
  if (maxDeletedLines !== null && deleted > maxDeletedLines) {
    return `It deletes ${counted(deleted, "line")}, more than \`max-deleted-lines\` allows (${maxDeletedLines}).`;
  }
  if (allowedPaths.isEmpty) return null;
  const paths = files.files.flatMap(({ path, previousPath }) => [path, previousPath]);
  const outside = paths.find((path) => !allowedPaths.matches(path));
  if (outside === undefined) return null;
  return `It changes ${inlineCode(outside, 100)}, which \`allowed-paths\` does not allow.`;
}

const UNLISTED = "It changes more files than GitHub lists, so the guard rails cannot be checked.";
