/** Reasons are codes with parameters. An action's table says what each means to people. */

/** Whom or what a reason waits for; `nobody`: it is an end. */
type Waiter =
  | "github"
  | "service"
  | "agent"
  | "checks"
  | "code"
  | "release"
  | "limit"
  | "reviewer"
  | "person"
  | "nobody";

export interface AnyReason {
  readonly code: string;
}

/** What a reason means. */
export interface ReasonEntry<R> {
  readonly waitsFor: Waiter;
  /** How long that may take before it is a person's, in milliseconds; null for as long as it takes. */
  readonly longest: number | null;
  /** For people, with its parameters: a sentence, or the end of one where its table says so. */
  text(reason: R): string;
  /** What ends it: an input, box or label that exists. */
  readonly wayOut: string;
}

/** One entry for each code. */
export type ReasonTable<R extends AnyReason> = {
  readonly [Code in R["code"]]: ReasonEntry<Extract<R, { readonly code: Code }>>;
};
