/** Makes a ref beside those of ledgers, as their first write does, and deletes it. */

import type { Connect } from "../github/api/connect.ts";
import type { GitHubKind } from "../github/api/explain.ts";
import { GitRef } from "../github/api/git-ref.ts";
import { TRIAL_REFS } from "../ledger/store.ts";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import { valueOrError } from "../runtime/errors.ts";
import type { GitHubFacts } from "./facts.ts";

/** What the post step needs to delete the ref of a main step that was killed. Plain data. */
export interface SavedTrial {
  repository: string;
  ref: string;
}

/** GitHub refused a request for the ref, or did not answer it. */
class Unanswered extends Error {
  /** The rest of a sentence. */
  readonly reason: string;
  readonly kind: GitHubKind;

  constructor(reason: string, kind: GitHubKind) {
    super(reason);
    this.reason = reason;
    this.kind = kind;
  }
}

/** A name that no other run draws: whatever is below it otherwise was left by a run that was killed. */
export function drawTrial(
  repository: string,
  ledgerRef: string | null,
  dependencies: Dependencies,
): SavedTrial {
  return { repository, ref: `${trialPrefix(ledgerRef)}${drawName(dependencies)}` };
}

/** Beside the ledger's own ref, below which git allows no other. */
function trialPrefix(ledgerRef: string | null): string {
  return ledgerRef === null ? TRIAL_REFS : `${ledgerRef}-doctor-trial-`;
}

/** Whether a run of doctor made a ref. */
export function isTrial(ref: string, ledgerRef: string | null): boolean {
  const prefix = trialPrefix(ledgerRef);
  return ref.startsWith(prefix) && /^[0-9a-z]+$/.test(ref.slice(prefix.length));
}

export function trialRef(
  { repository, ref }: SavedTrial,
  connect: Connect,
  dependencies: Dependencies,
): GitRef {
  return new GitRef(repository, ref, connect, dependencies, {
    unavailable: (reason, kind) => new Unanswered(reason, kind),
    repeating: "The trial ref is deleted again",
    ifRefused: "If a rule of the server refuses this ref, set `ledger-ref`",
  });
}

const FILES = { "README.md": "Made by doctor to try a write, and deleted at once.\n" };

/** @param save called with the ref before it can exist, and with null when it no longer does */
export async function tryRef(
  git: GitRef,
  trial: SavedTrial,
  save: (trial: SavedTrial | null) => void,
): Promise<GitHubFacts["trial"]> {
  try {
    // A commit of its own: a token without `workflows` may not name one that changes workflow files.
    const sha = await git.commit(null, FILES, "Try a write");
    save(trial);
    const made = await git.create(sha);
    if (made.type === "refused" && made.kind === "github-refused") {
      save(null);
      return { type: "refused", reason: made.reason };
    }
    // Without an answer, it may be there.
    const refusal = await removeRef(git);
    if (refusal !== null) return { type: "left", ref: trial.ref, reason: refusal };
    save(null);
    return made.type === "moved"
      ? { type: "made-and-deleted" }
      : { type: "unknown", reason: made.reason };
  } catch (error) {
    if (error instanceof Unanswered) return { type: "unknown", reason: error.reason };
    throw error;
  }
}

/** Deletes the ref, in a second attempt if need be. @returns why it could not be deleted; null if it is gone */
export async function removeRef(git: GitRef): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    const removed = await valueOrError(git.remove(), Unanswered);
    if (!(removed instanceof Unanswered)) return null;
    if (removed.kind === "github-refused" || attempt === 2) return removed.reason;
    await git.pause(attempt);
  }
}

/** Maximum number of refs of killed runs that a run deletes. */
const MOST_ABANDONED = 2;

/** Deletes the trial refs that killed runs left. What cannot be deleted is left to the next run. */
export async function removeAbandoned(
  refs: readonly string[],
  repository: string,
  connect: Connect,
  dependencies: Dependencies,
): Promise<void> {
  for (const ref of refs.slice(0, MOST_ABANDONED)) {
    await removeRef(trialRef({ repository, ref }, connect, dependencies));
  }
}
