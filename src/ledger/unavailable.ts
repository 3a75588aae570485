import type { GitHubKind } from "../github/api/explain.ts";
import type { RefMessages } from "../github/api/git-ref.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { clause } from "../text/sentence.ts";

/** The advice of a cancelled run that writes down what it sends before it sends it. */
export const ALL_RECORDED = "What was sent is recorded. The next run continues.";

/** Why a ledger could not be written if each write came too late: the rest of a sentence. */
export const OTHERS_FIRST = "other runs wrote to the ledger first";

/** GitHub refused a request for the ledger or its dashboard, or did not answer it. */
export class Unavailable extends ActionError {
  /** The rest of a sentence. */
  readonly reason: string;

  constructor(reason: string, kind: GitHubKind = "github-unavailable") {
    const problem = `The ledger could not be read or written: ${reason}.`;
    super(kind, problem, "Nothing was sent. The next run tries again.");
    this.reason = reason;
  }
}

/**
 * A failure to read or write a ledger that may pass. After a ledger that could be read, one that cannot be may come
 * from an old copy.
 *
 * @param head the ledger that was read last; `sha` is null if none was
 * @throws any other error
 */
export function passingFailure(error: unknown, head: { readonly sha: string | null }): Unavailable {
  if (error instanceof Unavailable) return error;
  if (!(error instanceof ActionError) || head.sha === null) throw error;
  return new Unavailable(clause(error.problem));
}

/**
 * The error of a run whose ledger could not be read or written. Requests that a signal interrupted say nothing about
 * GitHub.
 *
 * @param advice of a cancelled run
 */
export function errorAfter(stop: AbortSignal, error: unknown, advice: string): unknown {
  return stop.aborted && error instanceof Unavailable ? cancelledRun(advice) : error;
}

/** The messages about the ledger's ref. */
export const LEDGER_MESSAGES: RefMessages = {
  unavailable: (reason, kind) => new Unavailable(reason, kind),
  repeating: "The ledger is written again",
  ifRefused: "If a rule of the server refuses this ref, set `ledger-ref`",
};
