/** What a change reverts, in the words that GitHub and git have for it. */

import type { ChangedFile } from "./history-records.ts";

/** GitHub's button writes the first, `git revert` the second. */
const PULL = /^Reverts ([\w.-]+\/[\w.-]+)#(\d+)$/;
const COMMIT = /^This reverts commit ([0-9a-f]{40}|[0-9a-f]{64})(?:\.|, reversing)?$/;

/**
 * What a change reverts, as a change's key: `ID#12` or `ID@SHA`. Null for nothing, for something in another repository,
 * and for several at once.
 *
 * @param text the description of a pull request, or what a commit's message says below its title
 */
export function revertedKey(
  text: string,
  { id, repository }: { id: number; repository: string },
): string | null {
  const keys = text.split("\n").flatMap((line) => {
    const [, name = "", number] = PULL.exec(line.trim()) ?? [];
    const [, sha] = COMMIT.exec(line.trim()) ?? [];
    if (sha !== undefined) return `${id}@${sha}`;
    const isHere = name.toLowerCase() === repository.toLowerCase();
    return number !== undefined && isHere ? `${id}#${Number(number)}` : [];
  });
  const [key, ...others] = new Set(keys);
  return key === undefined || others.length > 0 ? null : key;
}

/**
 * Whether the files of a revert are among those of what it reverts. One that names a commit may revert a part of a pull
 * request only, which was rebased: then they have to be the same files, with as many lines the other way round.
 */
export function isRevertOf(
  revert: { files: readonly ChangedFile[] | null; isComplete: boolean },
  reverted: typeof revert,
  isOfCommitInPull: boolean,
): boolean {
  if (revert.files === null || reverted.files === null || !revert.isComplete) return false;
  const before = new Map(reverted.files.map((file) => [file.path, file]));
  for (const file of reverted.files) before.set(file.previousPath, file);
  const areAmong = revert.files.every((file) => before.has(file.path));
  if (revert.files.length === 0 || !areAmong || !isOfCommitInPull) {
    return revert.files.length > 0 && areAmong;
  }
  const isSame = revert.files.length === reverted.files.length && reverted.isComplete;
  return (
    isSame &&
    revert.files.every(({ path, additions, deletions }) => {
      const file = before.get(path);
      return file?.additions === deletions && file.deletions === additions;
    })
  );
}
