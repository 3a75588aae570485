import type { Check, DocsPull, OpenComment, Review } from "../../src/github/changes/docs-pull.ts";
import { type Entry, newEntry } from "../../src/land/ledger.ts";

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
    repository: "acme/docs",
    number: 7,
    url: "https://github.com/acme/docs/pull/7",
    state: "open",
    isDraft: false,
    author: "docs-bot",
    createdAt: timeBefore(2 * HOUR),
    endedAt: "",
    head: "head",
    branch: "docs/retries",
    base: "main",
    isConflicting: false,
    mergeState: "clean",
    hasMergeQueue: false,
    changedFiles: 1,
    deletedLines: 3,
    isEditedByOthers: false,
    firstAuthor: "agent@example.com",
    checks: [checkOf({})],
    hasAllChecks: true,
    reviews: [],
    openComments: [],
    lastWordAt: "",
    ...over,
  };
}

/** A merged change. */
export const CHANGE: Entry["changes"][number] = {
  kind: "change",
  key: "12",
  title: "Add retries",
  author: "ada",
  landedAt: "",
  repository: "acme/api",
  number: 12,
  sha: "abc",
  url: "https://github.com/acme/api/pull/12",
};

/** What land knows about it. @param age how long ago a run first saw it, in milliseconds */
export function entryOf(over: Partial<Entry> = {}, age = 0): Entry {
  const { url } = pullOf({});
  const found = { url, jobId: "job_1", changes: [], askedAt: "", codePull: "" };
  return { ...newEntry(found, NOW - age), ...over };
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
  const said = { mayWrite: true, body: "Too short.", at: timeBefore(HOUR) };
  return { id: 2, author, ...said, ...place, ...over };
}
