/** The guard rails: what a docs pull request may change to be merged. */

import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { PullFacts } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";

type Rules = Pick<LandInputs, "allowedPaths" | "maxFiles" | "maxDeletedLines">;

/** Whether anything limits what a docs pull request may change. */
export function hasRails({ allowedPaths, maxFiles, maxDeletedLines }: Rules): boolean {
  return !allowedPaths.isEmpty || maxFiles !== null || maxDeletedLines !== null;
}

/** What a docs pull request changes, as far as it is known. */
interface Changed {
  readonly count: number;
  /** Null if not known. */
  readonly deleted: number | null;
  readonly paths: readonly string[] | null;
}

/** By its files at its head; where they were not read, by GitHub's list, which may be behind. */
function changedBy({ pull, files }: Rails): Changed {
  const { changedFiles: count, deletedLines: deleted, listedPaths: paths } = pull;
  if (files === null) return { count, deleted, paths };
  if (files.type !== "listed") return { count, deleted: null, paths: null };
  return {
    count: files.files.length,
    deleted: files.files.reduce((sum, { deletions }) => sum + deletions, 0),
    paths: files.files.flatMap(({ path, previousPath }) => [path, previousPath]),
  };
}

type Rails = Pick<PullFacts, "pull" | "files">;

/** The guard rail that it exceeds, as a sentence; null for none. */
export function brokenRail(facts: Rails, rules: Rules): string | null {
  if (!hasRails(rules) || facts.files?.type === "moved") return null;
  const { count, deleted, paths } = changedBy(facts);
  const { allowedPaths, maxFiles, maxDeletedLines } = rules;
  if (maxFiles !== null && count > maxFiles) {
    return `It changes ${counted(count, "file")}, more than \`max-files\` allows (${maxFiles}).`;
  }
  if (deleted === null) return UNLISTED;
  if (maxDeletedLines !== null && deleted > maxDeletedLines) {
    return `It deletes ${counted(deleted, "line")}, more than \`max-deleted-lines\` allows (${maxDeletedLines}).`;
  }
  if (allowedPaths.isEmpty) return null;
  if (paths === null) return UNLISTED;
  const outside = paths.find((path) => !allowedPaths.matches(path));
  if (outside === undefined) return null;
  return `It changes ${inlineCode(outside, 100)}, which \`allowed-paths\` does not allow.`;
}

const UNLISTED = "It changes more files than GitHub lists, so the guard rails cannot be checked.";
