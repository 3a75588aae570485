import type { Repository } from "../../emulator/github/repository.ts";
import { lineOf } from "./landed.ts";

type Method = "merge" | "squash" | "rebase";

/** Something that happens to a repository. */
export type RepositoryEvent =
  | { kind: "push"; author: string }
  | { kind: "land"; method: Method; commits: number; by: string; label?: boolean }
  | { kind: "open" }
  | { kind: "merge open"; method: Method }
  | { kind: "close open" }
  | { kind: "pull"; back: number }
  | { kind: "drop"; commits: number }
  | { kind: "rewrite"; commits: number }
  | { kind: "forget"; back: number }
  | { kind: "rename branch" };

/**
 * Applies an event to a repository.
 *
 * @param tips earlier tips of the branch, newest first
 */
export function applyRepositoryEvent(
  repository: Repository,
  event: RepositoryEvent,
  tips: readonly string[],
): void {
  const open = repository.pulls.find(
    ({ state, author }) => state === "open" && author !== "docs-agent[bot]",
  );
  switch (event.kind) {
    case "push":
      repository.push({ author: event.author });
      return;
    case "land": {
      const commits = Array.from({ length: event.commits }, () => ({}));
      const labels = event.label ? ["skip-docs"] : [];
      repository.merge(repository.openPull({ commits, labels }), event.method, event.by);
      return;
    }
    case "open":
      repository.openPull({ commits: [{}, {}] });
      return;
    case "merge open":
      if (open !== undefined) repository.merge(open, event.method);
      return;
    case "close open":
      if (open !== undefined) repository.close(open);
      return;
    case "pull": {
      // A local commit on an earlier tip, followed by `git pull`.
      const earlier = tips[event.back] ?? repository.tip();
      if (earlier === repository.tip() || !lineOf(repository).includes(earlier)) return;
      repository.forcePush(repository.commit([repository.commit(earlier), repository.tip()]));
      return;
    }
    case "drop":
      repository.forcePush(back(repository, event.commits));
      return;
    case "rewrite":
      rewrite(repository, back(repository, event.commits));
      return;
    case "forget": {
      const sha = tips[event.back] ?? "";
      if (!lineOf(repository).includes(sha)) repository.gone.add(sha);
      return;
    }
    case "rename branch": {
      const { defaultBranch } = repository;
      repository.renameBranch(defaultBranch, defaultBranch === "main" ? "trunk" : "main");
    }
  }
}

/** Rebases the branch. Merges are left alone, because a rebase would not recreate them. */
function rewrite(repository: Repository, from: string): void {
  const line = lineOf(repository);
  const isPlain = line
    .slice(0, line.indexOf(from))
    .every((sha) => repository.find(sha)?.parents.length === 1);
  if (isPlain) repository.rewrite(from, repository.commit(from));
}

/** The commit that is `commits` before the tip. */
function back(repository: Repository, commits: number): string {
  let sha = repository.tip();
  for (let nth = 0; nth < commits; nth += 1) sha = repository.find(sha)?.parents[0] ?? sha;
  return sha;
}
