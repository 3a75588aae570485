import { ancestors } from "../../emulator/github/git/graph.ts";
import type { Repository } from "../../emulator/github/repository.ts";

/** The first-parent commits of a branch, newest first. @param head default: of the default branch */
export function lineOf(repository: Repository, head = repository.tip()): string[] {
  const line: string[] = [];
  for (let sha: string | undefined = head; sha !== undefined; ) {
    line.push(sha);
    sha = repository.find(sha)?.parents[0];
  }
  return line;
}

/** How a change is named: a commit by its SHA, a pull request by its number. */
export function keyIn({ id }: Repository, of: string | { number: number }): string {
  return typeof of === "string" ? `${id}@${of}` : `${id}#${of.number}`;
}

/**
 * What of the branch no run has dealt with, neither by itself nor with what brought it in.
 *
 * @param head a commit of the branch: what came later is left out
 * @param told keys of what was dealt with
 * @param isBehind while the list of pull requests is behind, nobody can tell which of them a merge on a
 *   machine brought in: it stands for all of them
 */
export function missingOf(
  repository: Repository,
  head: string,
  told: readonly string[],
  isBehind = false,
): string[] {
  const handed = [...told, ...titled(repository, head, told)];
  const key = (of: string | { number: number }) => keyIn(repository, of);
  const owner = new Map<string, string>();
  const all = ancestors(repository.find, head);
  for (const pull of repository.pulls) {
    // Half a pull request, which a force-push left, counts by itself where no run saw it whole.
    if (!all.has(pull.landed.at(-1) ?? "") && !handed.includes(key(pull))) continue;
    for (const sha of [...pull.commits, ...pull.landed]) owner.set(sha, key(pull));
  }
  const seen = new Set<string>();
  return lineOf(repository, head)
    .reverse()
    .flatMap((sha) => {
      const brought = [...ancestors(repository.find, sha).keys()].filter((one) => !seen.has(one));
      for (const one of brought) seen.add(one);
      const isMerge = (repository.find(sha)?.parents.length ?? 0) > 1;
      // A merge on somebody's machine stands for what it brought in, where that is not there by itself.
      const needed = isMerge && !owner.has(sha) ? brought.filter((one) => one !== sha) : brought;
      return needed.filter((one) => {
        const pull = owner.get(one);
        const isHanded = handed.includes(key(one)) || (pull !== undefined && handed.includes(pull));
        const carrier = owner.get(sha) ?? key(sha);
        const isOwn = pull !== undefined && !(isBehind && isMerge);
        return !isHanded && (isOwn || !handed.includes(carrier));
      });
    });
}

/** Commits made anew by whose titles it is known that they are a pull request that was dealt with. */
function titled(repository: Repository, head: string, told: readonly string[]): string[] {
  return lineOf(repository, head).flatMap((sha) => {
    const [, number] = /^.*\(#(\d+)\)$/m.exec(repository.find(sha)?.message ?? "") ?? [];
    const isTold = told.includes(keyIn(repository, { number: Number(number) }));
    return isTold ? [keyIn(repository, sha)] : [];
  });
}
