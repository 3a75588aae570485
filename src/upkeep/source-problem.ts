import type { GitHubKind } from "../github/api/refusal.ts";

/** Why a source cannot be read, though GitHub answered: the end of a sentence. */
export class SourceProblem extends Error {
  readonly kind: GitHubKind;

  /** @param message the rest of a sentence */
  constructor(kind: GitHubKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
