import { ancestors } from "../../emulator/github/git/graph.ts";
import type { Repository } from "../../emulator/github/repository.ts";

/** The first-parent commits of a branch, newest first. @param head default: the tip of the default branch */
export function lineOf(repository: Repository, head = repository.tip()): string[] {
  const line: string[] = [];
  for (let sha: string | undefined = head; sha !== undefined; ) {
    line.push(sha);
    sha = repository.find(sha)?.parents[0];
  }
  return line;
}

/** The key of a change: a commit has its SHA in it, a pull request its number. */
export function keyIn({ id }: Repository, of: string | { number: number }): string {
  return typeof of === "string" ? `${id}@${of}` : `${id}#${of.number}`;
}

/**
 * The commits of the branch that no run has handled, neither on their own nor with the merge that brought them in.
 *
 * @param head a commit of the branch; later commits are ignored
 * @param handled keys of the changes that were handled
 * @param isBehind the list of pull requests is outdated, so nothing shows which of them a local merge brought in,
 *   and the merge counts for all of them
 */
export function missingOf(
  repository: Repository,
  head: string,
  handled: readonly string[],
  isBehind = false,
): string[] {
  const known = [...handled, ...titled(repository, head, handled)];
  const key = (of: string | { number: number }) => keyIn(repository, of);
  const owner = new Map<string, string>();
  const all = ancestors(repository.find, head);
  for (const pull of repository.pulls) {
    // Part of a pull request, after a force-push, counts as single commits if no run saw all of it.
    if (!all.has(pull.landed.at(-1) ?? "") && !known.includes(key(pull))) continue;
    for (const sha of [...pull.commits, ...pull.landed]) owner.set(sha, key(pull));
  }
  const merged = mergedByHandled(repository, handled);
  const seen = new Set<string>();
  return lineOf(repository, head)
    .reverse()
    .flatMap((sha) => {
      const brought = [...ancestors(repository.find, sha).keys()].filter(
        (commit) => !seen.has(commit),
      );
      for (const commit of brought) seen.add(commit);
      const isMerge = isMergeIn(repository, sha);
      // A local merge has nothing of its own, even if another one brought it in after it was read.
      const needed = brought.filter(
        (commit) => !isMergeIn(repository, commit) || owner.has(commit),
      );
      return needed.filter((commit) => {
        const pull = owner.get(commit);
        const isKnown = known.includes(key(commit)) || (pull !== undefined && known.includes(pull));
        const carrier = owner.get(sha) ?? key(sha);
        const isOwn = pull !== undefined && !(isBehind && isMerge);
        return !isKnown && (isOwn || !(known.includes(carrier) || merged.has(commit)));
      });
    });
}

function isMergeIn(repository: Repository, sha: string): boolean {
  return (repository.find(sha)?.parents.length ?? 0) > 1;
}

/** The commits that handled merges brought in, also if another merge has them now and its branch goes another way. */
function mergedByHandled(repository: Repository, handled: readonly string[]): Set<string> {
  const merges = [...repository.objects.commits.values()].filter(
    ({ sha }) => isMergeIn(repository, sha) && handled.includes(keyIn(repository, sha)),
  );
  const brought = merges.flatMap(({ sha, parents: [first = ""] }) => {
    const before = ancestors(repository.find, first);
    return [...ancestors(repository.find, sha).keys()].filter((commit) => !before.has(commit));
  });
  return new Set(brought);
}

/**
 * Rewritten commits whose title names a pull request that was handled: on the line, or beside it since a merge has them
 * there.
 */
function titled(repository: Repository, head: string, handled: readonly string[]): string[] {
  return [...ancestors(repository.find, head)].flatMap(([sha, { message }]) => {
    const [, number] = /^.*\(#(\d+)\)$/m.exec(message) ?? [];
    const isHandled = handled.includes(keyIn(repository, { number: Number(number) }));
    return isHandled ? [keyIn(repository, sha)] : [];
  });
}
