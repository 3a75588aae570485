import type { Check, DocsPull, OpenComment, Review } from "../../src/github/docs-pull.ts";

/** When land's unit tests happen, in milliseconds since 1970. */
export const NOW = Date.UTC(2026, 10, 22, 12);

const HOUR = 60 * 60_000;

/** A time so many milliseconds before, as a ledger and GitHub hold it. */
export function timeBefore(ago: number): string {
  return new Date(NOW - ago).toISOString().replace(".000Z", "Z");
}

/** A docs pull request that could be merged. */
export function pullOf(over: Partial<DocsPull>): DocsPull {
  return {
    ...{ repository: "acme/docs", number: 7, url: "https://github.com/acme/docs/pull/7" },
    ...{ state: "open", isDraft: false, author: "docs-bot", createdAt: timeBefore(2 * HOUR) },
    ...{ endedAt: "", head: "head", branch: "docs/retries", base: "main", isConflicting: false },
    ...{ mergeState: "clean", hasMergeQueue: false, changedFiles: 1, deletedLines: 3 },
    ...{
      isEditedByOthers: false,
      firstAuthor: "agent@example.com",
      checks: [checkOf({})],
      hasAllChecks: true,
      reviews: [],
    },
    ...{ openComments: [], lastWordAt: "" },
    ...over,
  };
}

export function checkOf(over: Partial<Check>): Check {
  const state = { state: "green", conclusion: "success" } as const;
  return { id: "1", name: "build", ...state, text: "", annotations: [], ...over };
}

/** A review of the pull request's head, by somebody with write permission. */
export function reviewOf(
  author: string,
  state: Review["state"],
  over: Partial<Review> = {},
): Review {
  const given = { body: "Say more.", at: timeBefore(HOUR), head: "head", mayWrite: true };
  return { id: 1, author, state, ...given, ...over };
}

/** A comment on a line, by somebody with write permission, that nobody has resolved. */
export function commentOf(author: string, over: Partial<OpenComment> = {}): OpenComment {
  const place = { path: "docs/a.md", line: 3, hunk: "@@ -1 +1 @@\n+line" };
  return {
    id: 2,
    author,
    mayWrite: true,
    body: "Too short.",
    ...place,
    at: timeBefore(HOUR),
    ...over,
  };
}
