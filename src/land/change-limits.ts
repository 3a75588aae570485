/** What a docs pull request may change to be merged. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandReason } from "./reasons.ts";

/** Whether anything limits what a docs pull request may change. */
export function hasChangeLimits({ allowedPaths, maxFiles }: LandInputs): boolean {
  return !allowedPaths.isEmpty || maxFiles !== null;
}

/** Whether GitHub's list, which may be behind, says enough until its files are read at its head. */
export function isListEnough({ listedPaths }: DocsPull, { allowedPaths }: LandInputs): boolean {
  return allowedPaths.isEmpty || listedPaths !== null;
}

/**
 * The limit that it exceeds; null for none.
 *
 * @param files at its head; null if they were not read, so that GitHub's list decides
 */
export function changeLimits(
  pull: DocsPull,
  files: PullFiles | null,
  rules: LandInputs,
): LandReason | null {
  if (!hasChangeLimits(rules) || files?.type === "moved") return null;
  const { count, paths } = changedBy(pull, files);
  const { allowedPaths, maxFiles: most } = rules;
  if (most !== null && count > most) return { code: "too-many-files", count, most };
  if (files?.type === "unlisted") return { code: "files-unlisted" };
  if (allowedPaths.isEmpty) return null;
  if (paths === null) return { code: "files-unlisted" };
  const path = paths.find((changed) => !allowedPaths.matches(changed));
  if (path !== undefined) return { code: "path-not-allowed", path };
  const unnamed = paths.find(
    (changed) => OF_REPOSITORY.test(changed) && !allowedPaths.names(changed),
  );
  return unnamed === undefined ? null : { code: "path-not-named", path: unnamed };
}

/** Files that decide over others: only their full names allow them. */
const OF_REPOSITORY = /(?:^|\/)(?:codeowners|\.gitattributes|\.gitmodules)$|^\.github\//i;

/** What is deleted or renamed is gone from where others link to; null if nothing is. */
export function removalIn(files: PullFiles): LandReason | null {
  if (files.type !== "listed") return null;
  const gone = files.files.find(
    ({ isRemoved, path, previousPath }) => isRemoved || path !== previousPath,
  );
  return gone === undefined ? null : { code: "removal", path: gone.previousPath };
}

/** The paths of files that are there, and that `allowed-paths` does not name in full. */
export function unnamedPaths(files: PullFiles, { allowedPaths }: LandInputs): string[] {
  if (files.type !== "listed" || allowedPaths.isEmpty) return [];
  const present = files.files.filter(({ isRemoved }) => !isRemoved).map(({ path }) => path);
  return present.filter((path) => !allowedPaths.names(path));
}

/** What it changes, as far as it is known; `paths` is null if not known. */
function changedBy({ changedFiles, listedPaths }: DocsPull, files: PullFiles | null) {
  if (files?.type !== "listed") return { count: changedFiles, paths: listedPaths };
  return {
    count: files.files.length,
    paths: files.files.flatMap(({ path, previousPath }) => [path, previousPath]),
  };
}
