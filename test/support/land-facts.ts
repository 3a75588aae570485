import type { BranchRules } from "../../src/github/changes/branch-rules.ts";
import type { DocsPull } from "../../src/github/changes/docs-pull.ts";
import type { Check } from "../../src/github/changes/docs-pull-checks.ts";
import type { OpenComment, Review } from "../../src/github/changes/docs-pull-words.ts";
import type { ChangedFile } from "../../src/github/changes/history-records.ts";
import type { PullFiles } from "../../src/github/changes/pull-files.ts";
import type { JudgedDocsPull } from "../../src/land/acts.ts";
import type { PullDecision } from "../../src/land/decide.ts";
import { type LandInputs, parseLandInputs } from "../../src/land/inputs.ts";
import { type LandLedger, landFormat, newEntry, type PullEntry } from "../../src/land/ledger.ts";
import type { OtherLedgers } from "../../src/land/read-sources.ts";
import type { DocsJobPoll, LandReads, PreviewBuild } from "../../src/land/reads.ts";
import type { LandReason } from "../../src/land/reasons.ts";
import type { VisibleRepositories } from "../../src/land/visibility.ts";
import { waitFor } from "../../src/land/waits.ts";
import { ABSENT, type Fact, known } from "../../src/runtime/fact.ts";
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
    title: "Describe retries",
    skipMarks: { inText: false, inCommits: false },
    labels: [],
    state: { type: "open" },
    isDraft: false,
    isLocked: false,
    author: "docs-bot",
    isByPerson: false,
    createdAt: timeBefore(2 * HOUR),
    head: "head",
    branch: "docs/retries",
    base: "main",
    baseChangedAt: null,
    lacksReviews: false,
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
    hasOpenThreads: false,
    hasAllWords: true,
    hasAllBotReviews: true,
    headsBeforeUpdates: ["head"],
    lastActivityAt: null,
    ...over,
  };
}

/** The state of one that was merged or closed just now. */
export function endedState(type: "merged" | "closed"): DocsPull["state"] {
  return { type, at: timeBefore(0) };
}

/** A merged change. */
export const CHANGE: PullEntry["changes"][number] = {
  kind: "change",
  key: "12",
  title: "Add retries",
  url: "https://github.com/acme/api/pull/12",
  repository: "acme/api",
  number: 12,
  sha: "abc",
  author: "ada",
  landedAt: "",
  reverts: null,
  isWanted: false,
};

/** What was read of it last. */
export function lastRead(head = "head"): PullEntry["lastRead"] {
  return { openedAt: timeBefore(2 * HOUR), head };
}

/** The ledger's entry for it. @param age time since a run first saw it, in milliseconds */
export function entryOf(over: Partial<PullEntry> = {}, age = 0): PullEntry {
  const { url } = pullOf({});
  const discovered = { url, jobId: "job_1", changes: [], askedAt: null, codePull: null };
  return { ...newEntry(discovered, NOW - age), repositoryId: pullOf({}).repositoryId, ...over };
}

/** The repositories of the docs pull request and of the change may be named everywhere. */
export const EVERYTHING_NAMED: VisibleRepositories = {
  onPull: ["acme/docs", "acme/api"],
  inLog: ["acme/docs", "acme/api"],
};

/** What there is to read about a docs pull request. */
export interface PullFacts {
  pull: Fact<DocsPull>;
  job: Fact<DocsJobPoll>;
  files: Fact<PullFiles>;
  /** Of the code pull request, and of one that was closed. */
  state: Awaited<ReturnType<LandReads["stateOf"]>>;
  redOnBase: Fact<readonly string[]>;
  links: Fact<readonly string[]>;
  rules: Fact<BranchRules>;
  /** The docs pull request some seconds later; null for the same. */
  settled: Fact<DocsPull> | null;
  build: Fact<PreviewBuild>;
  log: Fact<string>;
  merger: Fact<string>;
  visibility: VisibleRepositories;
}

/** What the rules of its base want. Default: nothing. */
export function rulesOf(over: Partial<BranchRules> = {}): BranchRules {
  return {
    requiredChecks: [],
    wantsRuns: false,
    hasMergeQueue: false,
    wantsResolvedThreads: false,
    wantsSignatures: false,
    wantsDeployments: false,
    ...over,
  };
}

/** Its job has ended, and names it. */
export function factsOf(over: Partial<PullFacts> = {}): PullFacts {
  return {
    pull: known(pullOf({})),
    job: known({ isActive: false, prLink: pullOf({}).url }),
    files: known(filesOf("docs/a.md")),
    state: known({ state: "merged", head: "abc", base: "main" }),
    redOnBase: known([]),
    links: known([]),
    rules: known(rulesOf()),
    settled: null,
    build: known({ state: "building" }),
    log: known("The end of the log."),
    merger: ABSENT,
    visibility: EVERYTHING_NAMED,
    ...over,
  };
}

/** Those of a docs pull request that GitHub shows like this. */
export function factsWith(over: Partial<DocsPull>, more: Partial<PullFacts> = {}): PullFacts {
  return factsOf({ pull: known(pullOf(over)), ...more });
}

/** The ledger's entry for one about which nothing has to be done but what its facts and inputs say. */
export const SETTLED = entryOf(
  { lastRead: lastRead(), agent: pullOf({}).firstAuthor, isSetUp: true },
  24 * HOUR,
);
/** The last commit is approved by somebody with write permission. */
export const APPROVED = factsWith({ reviews: [reviewOf("ada", "approved")] });
/** A check has failed. */
export const RED = factsWith({ checks: [checkOf({ state: "red" })] });

export const NO_LEDGERS: OtherLedgers = {
  missingRefs: [],
  areAny: true,
  changed: [],
  unusable: [],
};

/** Reads, and the names of those that were asked. */
export interface FakeReads extends LandReads {
  asked: string[];
}

/** The same facts about every docs pull request. @param sources the ledgers of other actions, and jobs of comments */
export function readsOf(
  facts: PullFacts,
  sources: { ledgers?: OtherLedgers; asked?: Awaited<ReturnType<LandReads["askedJobs"]>> } = {},
): FakeReads {
  const asked: string[] = [];
  const answer = <T>(name: string, value: T) => {
    return async () => {
      asked.push(name);
      return value;
    };
  };
  return {
    asked,
    now: () => NOW,
    otherLedgers: answer("otherLedgers", sources.ledgers ?? NO_LEDGERS),
    askedJobs: answer("askedJobs", sources.asked ?? { jobs: [], readAt: NOW }),
    pull: answer("pull", facts.pull),
    job: answer("job", facts.job),
    stateOf: answer("stateOf", facts.state),
    redOnBase: answer("redOnBase", facts.redOnBase),
    build: answer("build", facts.build),
    files: answer("files", facts.files),
    links: answer("links", facts.links),
    rules: answer("rules", facts.rules),
    settledPull: answer("settledPull", facts.settled ?? facts.pull),
    log: answer("log", facts.log),
    visibility: answer("visibility", facts.visibility),
    people: {
      person: async (login) => {
        asked.push("person");
        return /\[bot\]$|^(Copilot)?$/.test(login) ? ABSENT : known(login);
      },
      merger: answer("merger", facts.merger),
    },
  };
}

/** One that was read, and what is decided. */
export function judgedPull(over: Partial<JudgedDocsPull> = {}): JudgedDocsPull {
  return {
    entry: entryOf(),
    decision: waitingFor({ code: "merge-never" }),
    pull: pullOf({}),
    code: "none",
    redOnBase: [],
    visibility: EVERYTHING_NAMED,
    ...over,
  };
}

/** It has waited for this since just now. */
export function waitingFor(reason: LandReason): PullDecision {
  return waitFor(reason, null, NOW);
}

/** The files that it changes at its head. */
export function filesOf(...paths: string[]): PullFiles {
  return { type: "listed", files: paths.map(changedFile), isInBase: false };
}

export function changedFile(path: string): ChangedFile {
  const change = { patch: "", additions: 1, deletions: 1, isRemoved: false };
  return { path, previousPath: path, ...change };
}

/** A ledger with these docs pull requests, whose comments were read just now. */
export function landLedger(
  open: readonly PullEntry[] = [],
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
    isRequired: false,
    text: "",
    annotations: [],
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
    isAskedAgain: false,
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
