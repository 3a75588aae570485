/** The guard rails: what a docs pull request may change to be merged. */

import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { PullFacts } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";

type Rules = Pick<LandInputs, "allowedPaths" | "maxFiles">;

/** Whether anything limits what a docs pull request may change. */
export function hasRails({ allowedPaths, maxFiles }: Rules): boolean {
  return !allowedPaths.isEmpty || maxFiles !== null;
}

/** What a docs pull request changes, as far as it is known. */
interface Changed {
  readonly count: number;
  /** Null if not known. */
  readonly paths: readonly string[] | null;
}

/** By its files at its head; where they were not read, by GitHub's list, which may be behind. */
function changedBy({ pull, files }: Rails): Changed {
  if (files?.type !== "listed") return { count: pull.changedFiles, paths: pull.listedPaths };
  return {
    count: files.files.length,
    paths: files.files.flatMap(({ path, previousPath }) => [path, previousPath]),
  };
}

type Rails = Pick<PullFacts, "pull" | "files">;

/** The guard rail that it exceeds, as a sentence; null for none. */
export function brokenRail(facts: Rails, rules: Rules): string | null {
  if (!hasRails(rules) || facts.files?.type === "moved") return null;
  const { count, paths } = changedBy(facts);
  const { allowedPaths, maxFiles } = rules;
  if (maxFiles !== null && count > maxFiles) {
    return `It changes ${counted(count, "file")}, more than \`max-files\` allows (${maxFiles}).`;
  }
  if (facts.files?.type === "unlisted") return UNLISTED;
  if (allowedPaths.isEmpty) return null;
  if (paths === null) return UNLISTED;
  const outside = paths.find((path) => !allowedPaths.matches(path));
  if (outside === undefined) return null;
  return `It changes ${inlineCode(outside, 100)}, which \`allowed-paths\` does not allow.`;
}

const UNLISTED = "It changes more files than GitHub lists, so the guard rails cannot be checked.";
