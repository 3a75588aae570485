/** GitHub answers reads from copies of its database that are behind, and each kind of read by itself. */

/** Kinds of reads. */
export const READ_KINDS = [
  "refs",
  "issues",
  "comments",
  "reviews",
  "checks",
  "files",
  "objects",
  "graphql",
  "other",
] as const;

export type ReadKind = (typeof READ_KINDS)[number];

/** Age of the copy that answers a kind of read, in milliseconds. Default: 0. */
export type Lag = Partial<Record<ReadKind, number>>;

/** By the path below the repository; the first match counts. */
const KINDS: [path: RegExp, kind: ReadKind][] = [
  [/^\/pulls\/\d+\/files$/, "files"],
  [/^\/pulls\/(\d+\/(reviews|comments)|comments)(\/|$)/, "reviews"],
  [/^\/issues\/(\d+\/comments|comments)(\/|$)/, "comments"],
  [/^\/(issues|pulls|commits\/[^/]+\/pulls)(\/|$)/, "issues"],
  [
    /^\/(check-runs|check-suites|statuses|commits\/.+\/(check-runs|check-suites|status(es)?))(\/|$)/,
    "checks",
  ],
  [/^\/(git\/(ref|refs|matching-refs)|branches)(\/|$)/, "refs"],
  [/^\/(git|commits|compare|contents)(\/|$)/, "objects"],
];

/** @param path below the repository */
export function readKindOf(path: string): ReadKind {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? "other";
}

/** The same age for every kind of read in the REST API. */
export function lagOfAll(milliseconds: number): Lag {
  const kinds = READ_KINDS.filter((kind) => kind !== "graphql");
  return Object.fromEntries(kinds.map((kind) => [kind, milliseconds]));
}
