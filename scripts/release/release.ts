import { makeChange, type Repository, readFound } from "./github.ts";
import { planRelease, type Wanted } from "./plan.ts";

export interface ReleaseOptions {
  /** Only say what would be done. */
  isDryRun: boolean;
  /** Gets one line for each step. */
  say: (line: string) => void;
}

/**
 * Does what is left to do for a release, in order, and stops at the first failure.
 *
 * @throws ReleaseError before anything is changed; Error when GitHub refuses something or cannot be reached
 */
export async function release(
  wanted: Wanted,
  repository: Repository,
  { isDryRun, say }: ReleaseOptions,
): Promise<void> {
  for (const { text, change } of planRelease(wanted, await readFound(repository))) {
    if (change === null) {
      say(`Nothing to do: ${text}.`);
    } else if (isDryRun) {
      say(`Would do: ${text} (${change.method} ${change.path}).`);
    } else {
      await makeChange(repository, change);
      say(`Done: ${text}.`);
    }
  }
}
