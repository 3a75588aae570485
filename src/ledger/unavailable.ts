import type { RefMessages } from "../github/api/git-ref.ts";
import type { GitHubKind } from "../github/api/refusal.ts";
import { ActionError } from "../runtime/errors.ts";

/** GitHub refused a request for the ledger or its dashboard, or did not answer it. */
export class Unavailable extends ActionError {
  /** The rest of a sentence. */
  readonly reason: string;

  constructor(reason: string, kind: GitHubKind = "github-unavailable") {
    const what = `The ledger could not be read or written: ${reason}.`;
    super(kind, what, "Nothing was sent. The next run tries again.");
    this.reason = reason;
  }
}

/** The messages about the ledger's ref. */
export const LEDGER_MESSAGES: RefMessages = {
  unavailable: (reason, kind) => new Unavailable(reason, kind),
  repeating: "The ledger is written again",
  ifRefused: "If a rule of the server refuses this ref, set `ledger-ref`",
};
