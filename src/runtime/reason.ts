/** Reasons are codes with parameters. An action's table says what each means to people; docs/ shows the same tables. */

/** Whom or what a reason waits for; `nobody`: it is an end. */
export type Waiter =
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

/** What a reason means. @template P its parameters */
export interface ReasonEntry<P> {
  readonly waitsFor: Waiter;
  /** How long that may take before it is a person's, in milliseconds; null for as long as it takes. */
  readonly longest: number | null;
  /** Its parameters, as the documentation shows them. */
  readonly example: P;
  /** For people: a sentence, or a part of one where its table says so. */
  text(parameters: P): string;
  /** What ends it: an input, box or label that exists. */
  readonly wayOut: string;
}

/** The codes of a table, each with its parameters. */
export type ReasonOf<
  T extends Readonly<Record<string, ReasonEntry<object>>>,
  C extends keyof T = keyof T,
> = {
  [K in C]: { readonly code: K } & T[K]["example"];
}[C];

/** An entry for each code of reasons that are stored, whose types a schema gives. */
export type ReasonTable<R extends AnyReason> = {
  readonly [C in R["code"]]: ReasonEntry<Omit<Extract<R, { readonly code: C }>, "code">>;
};

/** A reason without parameters. */
export function fixed(
  waitsFor: Waiter,
  longest: number | null,
  text: string,
  wayOut: string,
): ReasonEntry<Readonly<Record<never, never>>> {
  return { waitsFor, longest, example: {}, text: () => text, wayOut };
}

export function varying<P>(
  waitsFor: Waiter,
  longest: number | null,
  example: P,
  text: (parameters: P) => string,
  wayOut: string,
): ReasonEntry<P> {
  return { waitsFor, longest, example, text, wayOut };
}

/** What is said of a reason. */
export function textOfReason<T extends Readonly<Record<string, ReasonEntry<object>>>>(
  table: T,
  reason: ReasonOf<T>,
): string {
  const entry: T[keyof T] = table[reason.code];
  return entry.text(reason);
}
