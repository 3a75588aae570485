import type { DocsPull, DocsPullState } from "../../src/github/changes/docs-pull.ts";
import type { Check } from "../../src/github/changes/docs-pull-checks.ts";
import type { OpenComment, Review } from "../../src/github/changes/docs-pull-words.ts";
import type { PullFiles } from "../../src/github/changes/pull-files.ts";
import type { PullFacts } from "../../src/land/facts.ts";
import { landFormat } from "../../src/land/format.ts";
import { type LandInputs, parseLandInputs } from "../../src/land/inputs.ts";
import { type Entry, type LandLedger, newEntry } from "../../src/land/ledger.ts";
import { contextOf } from "./run-context.ts";

/** The current time in land's unit tests, in milliseconds since 1970. */
export const NOW = Date.UTC(2026, 10, 22, 12);

const HOUR = 60 * 60_000;

/** The time `ago` milliseconds before {@link NOW}, in the format of the ledger and of GitHub. */
export function timeBefore(ago: number): string {
  return new Date(NOW - ago).toISOString().replace(".000Z", "Z");
}

/** A docs pull request that can be merged. */
export function pullOf(over: Partial<DocsPull>): DocsPull {
  return {
    repository: "acme/docs",
    repositoryId: 1,
    number: 7,
    id: "PR_7",
    reader: "github-actions",
    url: "https://github.com/acme/docs/pull/7",
    state: { type: "open" },
    isDraft: false,
    isLocked: false,
    author: "docs-bot",
    isByPerson: false,
    createdAt: timeBefore(2 * HOUR),
    head: "head",
    branch: "docs/retries",
    base: "main",
    isConflicting: false,
    mergeState: "clean",
    hasMergeQueue: false,
    isInMergeQueue: false,
    changedFiles: 1,
    listedPaths: ["docs/a.md"],
    isEditedByOthers: false,
    firstAuthor: "agent@example.com",
    checks: [checkOf({})],
    checksRead: "all",
    unfinishedRuns: { held: 0, pending: 0 },
    reviews: [],
    openComments: [],
    hasAllWords: true,
    hasAllBotReviews: true,
    headsBeforeUpdates: ["head"],
    lastActivityAt: null,
    ...over,
  };
}

/** The state of one that was merged or closed just now. */
export function endedState(type: "merged" | "closed"): DocsPullState {
  return { type, at: timeBefore(0) };
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

/** What was read of it last. */
export function lastRead(head = "head"): Entry["lastRead"] {
  return { openedAt: timeBefore(2 * HOUR), head };
}

/** The ledger's entry for it. @param age time since a run first saw it, in milliseconds */
export function entryOf(over: Partial<Entry> = {}, age = 0): Entry {
  const { url } = pullOf({});
  const discovered = { url, jobId: "job_1", changes: [], askedAt: null, codePull: null };
  return { ...newEntry(discovered, NOW - age), repositoryId: pullOf({}).repositoryId, ...over };
}

/** The repositories of the docs pull request and of the change may be named everywhere. */
const EVERYTHING_SEEN = { onPull: ["acme/docs", "acme/api"], inLog: ["acme/docs", "acme/api"] };

/** What a run reads about it: its job has ended, and names it. */
export function factsOf(over: Partial<PullFacts> = {}): PullFacts {
  const pull = over.pull ?? pullOf({});
  return {
    pull,
    job: { state: "ended", prLink: pull.url },
    files: filesOf("docs/a.md"),
    codePull: null,
    buildLog: null,
    sight: EVERYTHING_SEEN,
    ...over,
  };
}

/** The files that it changes at its head. */
export function filesOf(...paths: string[]): PullFiles {
  const change = { patch: "", additions: 1, deletions: 1, isRemoved: false };
  const files = paths.map((path) => ({ path, previousPath: path, ...change }));
  return { type: "listed", files, isInBase: false };
}

/** A ledger with these docs pull requests, whose comments were read just now. */
export function landLedger(
  open: readonly Entry[] = [],
  over: Partial<LandLedger> = {},
): LandLedger {
  return { ...landFormat("project").begin, commentsFrom: timeBefore(0), open, ...over };
}

/** Land's inputs; all others have their defaults. */
export function landInputs(inputs: Readonly<Record<string, string>> = {}): LandInputs {
  const required: Record<string, string> = {
    "api-key": "mint_key",
    "project-id": "docs",
    "github-token": "ghs_token",
  };
  const read = (name: string) => inputs[name] ?? required[name] ?? "";
  return parseLandInputs(read, contextOf("schedule"));
}

export function checkOf(over: Partial<Check>): Check {
  return {
    id: "1",
    name: "build",
    state: "green",
    conclusion: "success",
    isJob: true,
    text: "",
    annotations: [],
    log: "",
    ...over,
  };
}

/** A review of the pull request's head, by somebody with write permission. */
export function reviewOf(
  author: string | null,
  state: Review["state"],
  over: Partial<Review> = {},
): Review {
  return {
    id: "1",
    author,
    isByBot: false,
    state,
    body: "Say more.",
    at: timeBefore(HOUR),
    head: "head",
    mayWrite: true,
    ...over,
  };
}

/** An unresolved comment on a line, by somebody with write permission. */
export function commentOf(author: string, over: Partial<OpenComment> = {}): OpenComment {
  return {
    id: "2",
    author,
    isByBot: false,
    mayWrite: true,
    body: "Too short.",
    at: timeBefore(HOUR),
    path: "docs/a.md",
    line: 3,
    hunk: "@@ -1 +1 @@\n+line",
    ...over,
  };
}
