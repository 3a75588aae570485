/** What a draft of documentation waits for: its code. */

import { repositoryIdIn } from "../github/changes/change-details.ts";
import type { PullEntry } from "./ledger.ts";
import type { LandReads } from "./reads.ts";
import type { LandReason } from "./reasons.ts";

/**
 * What became of the code pull request for which it is a draft, until upkeep's ledger says that it has landed; then it
 * is none any more. `elsewhere`: merged into another branch than the one that upkeep reads. `outdated`: merged at
 * another head than the one that it documents.
 */
export type CodeState = "none" | "unread" | "open" | "closed" | "elsewhere" | "outdated" | "merged";

export async function codeState(
  { codePull, changes }: PullEntry,
  reads: LandReads,
): Promise<CodeState> {
  if (codePull === null) return "none";
  const [change] = changes;
  const read = await reads.stateOf(codePull.url, repositoryIdIn(change?.key ?? ""));
  if (read.type !== "known") return "unread";
  const { state, head, base } = read.value;
  if (state !== "merged") return state;
  if (codePull.branch !== null && codePull.branch !== base) return "elsewhere";
  return change !== undefined && change.sha !== head ? "outdated" : "merged";
}

/** What the code pull request of a draft keeps it waiting for; null for nothing. */
export function beforeCode(code: CodeState): LandReason | null {
  switch (code) {
    case "open":
      return { code: "code-open" };
    case "elsewhere":
      return { code: "code-elsewhere" };
    case "outdated":
      return { code: "code-changed" };
    case "merged":
      return { code: "code-merged" };
    case "unread":
      return { code: "code-unread" };
    case "none":
    case "closed":
      return null;
  }
}
