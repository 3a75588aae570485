/** What the gate does with a fact without which it has no verdict. */

import { type GitHubKind, kindOfUnread } from "../github/api/explain.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";

/** The advice of a run that was cancelled, or that GitHub failed. */
export const JUDGE_AGAIN = "Run the job again.";

/** @throws ActionError if it is not known */
export function requireValue<T>(fact: Fact<T>): T {
  switch (fact.type) {
    case "known":
      return fact.value;
    case "absent":
      throw notRead("github-refused", "it was not found");
    case "unread":
      throw notRead(kindOfUnread(fact), fact.reason);
  }
}

function notRead(kind: GitHubKind, reason: string): ActionError {
  return new ActionError(kind, `The pull request could not be read: ${reason}.`, JUDGE_AGAIN);
}
