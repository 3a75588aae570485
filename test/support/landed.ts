import { ancestors } from "../../emulator/github/git/graph.ts";
import type { Repository } from "../../emulator/github/repository.ts";

/** The first-parent commits of the branch, newest first. */
export function lineOf(repository: Repository): string[] {
  const line: string[] = [];
  for (let sha: string | undefined = repository.tip(); sha !== undefined; ) {
    line.push(sha);
    sha = repository.find(sha)?.parents[0];
  }
  return line;
}

/** How a change is named: a commit by its SHA, a pull request by its number. */
export function keyIn({ fullName }: Repository, of: string | { number: number }): string {
  return typeof of === "string" ? `${fullName}@${of}` : `${fullName}#${of.number}`;
}

/**
 * What of the branch no run has dealt with, neither by itself nor with what brought it in.
 *
 * @param handed keys of what was dealt with
 */
export function missingOf(repository: Repository, handed: readonly string[]): string[] {
  const key = (of: string | { number: number }) => keyIn(repository, of);
  const owner = new Map<string, string>();
  const all = ancestors(repository.find, repository.tip());
  for (const pull of repository.pulls) {
    // Half a pull request, which a force-push left, counts by itself where no run saw it whole.
    if (!all.has(pull.landed.at(-1) ?? "") && !handed.includes(key(pull))) continue;
    for (const sha of [...pull.commits, ...pull.landed]) owner.set(sha, key(pull));
  }
  const seen = new Set<string>();
  return lineOf(repository)
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
        return !isHanded && (pull !== undefined || !handed.includes(carrier));
      });
    });
}
