import { describe, expect, test } from "vitest";
import { detailsOfTip } from "../github/changes/change-details.ts";
import type { ChangedFile, SinglePull } from "../github/changes/history-records.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import type { Excuse } from "./excuse.ts";
import {
  type DocsJob,
  type DraftRequest,
  type GateRules,
  judge,
  MOST_FILES,
  type PullVerdict,
  type RequestedDraft,
} from "./verdict.ts";
import { groupText, verdictText } from "./verdict-text.ts";

function filter(text: string) {
  const parsed = parsePathFilter(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

const RULES: GateRules = {
  paths: filter("src/**"),
  docsPaths: filter("docs/**\n**/*.mdx\n**/README.md"),
  ignoreLabels: ["skip-docs"],
  ignoreAuthors: ["dependabot[bot]", "renovate[bot]", "mintlify[bot]"],
  ifNeeded: "fail",
  docsPatterns: ["docs/**"],
};
const AGENT = { links: [], branches: ["agent/1"] };

function pull(over: Partial<SinglePull> = {}): SinglePull {
  return {
    number: 2,
    title: "Add retries",
    body: "",
    url: "https://github.com/acme/code/pull/2",
    author: { login: "writer", name: "", isBot: false },
    labels: [],
    branch: "work",
    isFork: false,
    head: "b",
    base: "main",
    mergedAt: null,
    mergeSha: "",
    isOpen: true,
    repositoryId: 1,
    fileCount: 1,
    ...over,
  };
}

function file(path: string): ChangedFile {
  return { path, previousPath: path, isRemoved: false, patch: "", additions: 1, deletions: 0 };
}

interface Known {
  pull?: Partial<SinglePull>;
  files?: ChangedFile[];
  jobs?: DocsJob[];
  excuse?: Excuse;
  draft?: RequestedDraft;
}

const NO_EXCUSE: Excuse = { reason: null, notes: [] };
const NO_DRAFT: RequestedDraft = { request: null, notes: [] };

const CODE = [file("src/a.ts")];

/** The verdict, and what was read for it. */
async function judgedOf(known: Known) {
  const { pull: over, files = CODE, jobs = [], excuse = NO_EXCUSE, draft = NO_DRAFT } = known;
  const reads: string[] = [];
  const reading = <T>(name: string, value: T) => {
    return async () => {
      reads.push(name);
      return value;
    };
  };
  const judgedPull = pull({ fileCount: files.length, ...over });
  const details = detailsOfTip("acme/code", judgedPull);
  const judged = await judge(judgedPull, details, RULES, {
    files: reading("files", files),
    agent: reading("agent", AGENT),
    jobs: reading("jobs", jobs),
    excuse: reading("excuse", excuse),
    draft: reading("draft", draft),
  });
  return { ...judged, reads };
}

const bot = (login: string) => ({ author: { login, name: "", isBot: true } });

test.for<[string, Known, string[], string]>([
  [
    "the files, then the docs jobs, excuses and drafts",
    {},
    ["files", "jobs", "excuse", "draft"],
    "no file matches `docs-paths`",
  ],
  [
    "no excuse and no draft of one with a docs job",
    { jobs: [{ jobId: "1", prLink: null, ended: null }] },
    ["files", "jobs"],
    "job 1",
  ],
  [
    "no draft of one that is excused",
    { excuse: { reason: "writer: a test", notes: [] } },
    ["files", "jobs", "excuse"],
    "writer: a test",
  ],
  ["nothing, if a label decides", { pull: { labels: ["skip-docs"] } }, [], "label skip-docs"],
  ["nothing, if the author decides", { pull: bot("Renovate[bot]") }, [], "author Renovate[bot]"],
  ["nothing of one that is closed", { pull: { isOpen: false } }, [], "closed"],
  [
    "the agent's traces for a bot's",
    { pull: bot("x[bot]") },
    ["files", "agent", "jobs", "excuse", "draft"],
    "no file matches `docs-paths`",
  ],
  [
    "nothing more, if the documentation is in it",
    { files: [file("docs/a.md"), ...CODE] },
    ["files"],
    "docs/a.md",
  ],
  ["nothing more of one without files", { files: [] }, ["files"], "changes no files"],
])("it reads %s", async ([, known, reads, reason]) => {
  expect(await judgedOf(known)).toMatchObject({ reads, reason });
});

test("a job that has not failed covers, even if a newer one failed", async () => {
  const jobs: DocsJob[] = [
    { jobId: "failed", prLink: null, ended: "failed" },
    { jobId: "done", prLink: "https://github.com/acme/docs/pull/7", ended: null },
  ];
  const judged = await judgedOf({ jobs });
  expect(judged).toMatchObject({ verdict: "covered", job: { jobId: "done" } });
});

describe("a draft", () => {
  const ended = (end: DocsJob["ended"]): DraftRequest => {
    return { type: "job", job: { jobId: "7", prLink: null, ended: end } };
  };

  test.each<[string, DraftRequest, string]>([
    [
      "that a run is requesting covers",
      { type: "requesting" },
      "covered by a docs job (being requested)",
    ],
    [
      "that the service refused covers nothing",
      { type: "refused" },
      "documentation needed (docs job refused)",
    ],
    ["whose job is at work or done covers", ended(null), "covered by a docs job (job 7)"],
    ["whose job failed covers nothing", ended("failed"), "documentation needed (job 7 failed)"],
    [
      "whose docs pull request was closed covers nothing",
      ended("closed"),
      "documentation needed (the docs pull request was closed without merging)",
    ],
  ])("%s", async (_, request, text) => {
    const result = await judgedOf({ draft: { request, notes: [] } });
    expect(verdictText(result, result.reason)).toBe(text);
    expect(result.job).toEqual(request.type === "job" ? request.job : null);
  });

  test("that failed is named instead of an older job that failed", async () => {
    const jobs: DocsJob[] = [{ jobId: "1", prLink: null, ended: "failed" }];
    const draft: RequestedDraft = { request: { type: "refused" }, notes: [] };
    expect(await judgedOf({ jobs, draft })).toMatchObject({ reason: "docs job refused" });
    expect(await judgedOf({ jobs })).toMatchObject({ verdict: "needed", reason: "job 1 failed" });
  });
});

test("a draft covers, even if a job failed before it, and notes are kept", async () => {
  const jobs: DocsJob[] = [{ jobId: "1", prLink: null, ended: "failed" }];
  const job = { jobId: "2", prLink: null, ended: null };
  const draft: RequestedDraft = { request: { type: "job", job }, notes: ["b"] };
  const excuse = { reason: null, notes: ["a"] };
  const result = await judgedOf({ jobs, draft, excuse });
  expect(result).toMatchObject({ verdict: "covered", job: { jobId: "2" }, notes: ["a", "b"] });
});

describe("files", () => {
  const removed = { ...file("docs/a.md"), isRemoved: true };
  const movedOut = { ...file("src/a.txt"), previousPath: "docs/a.md" };
  const movedIn = { ...file("docs/a.md"), previousPath: "src/a.txt" };

  test.each<[string, ChangedFile, string]>([
    ["that was removed", removed, "needed"],
    ["that was moved out of the documentation", movedOut, "needed"],
    ["that was moved into the documentation", movedIn, "included"],
    ["that is a page", file("src/page.mdx"), "included"],
    ["that is a README", file("README.md"), "included"],
    ["that is a README of a folder", file("src/x/README.md"), "included"],
    ["that is a changelog", file("CHANGELOG.md"), "needed"],
    ["that is a change file", file(".changeset/red-cats-jump.md"), "needed"],
    ["that instructs agents", file("AGENTS.md"), "needed"],
  ])("one %s beside code", async (_, changed, verdict) => {
    expect(await judgedOf({ files: [...CODE, changed] })).toMatchObject({ verdict });
  });

  test.each([1, MOST_FILES + 1])(
    "fewer than %i, which GitHub says there are, is an error",
    async (fileCount) => {
      const files = CODE.slice(1);
      const judging = judgedOf({ pull: { fileCount }, files });
      await expect(judging).rejects.toMatchObject({ kind: "github-unavailable" });
    },
  );

  const MANY = Array.from({ length: MOST_FILES }, (_, nth) => file(`src/${nth}.ts`));
  const OTHERS = MANY.map(({ path }) => file(path.replace("src", "lib")));

  test.each<[string, ChangedFile[], string]>([
    ["with code", MANY, "needed"],
    ["with nothing that matches `paths`", OTHERS, "needed"],
    ["with documentation", [...MANY.slice(1), file("docs/a.md")], "included"],
  ])("of more than 3,000, those listed decide: %s", async (_, files, verdict) => {
    const judged = await judgedOf({ pull: { fileCount: MOST_FILES + 1 }, files });
    expect(judged).toMatchObject({ verdict });
    if (verdict === "needed") expect(judged.reason).toBe("more than 3000 files");
  });

  test.each<[string, ChangedFile[], object]>([
    ["with code", MANY, { verdict: "needed", reason: "no file matches `docs-paths`" }],
    ["with nothing that matches `paths`", OTHERS, { verdict: "not-needed" }],
  ])("of exactly 3,000, all are listed, and decide: %s", async (_, files, expected) => {
    expect(await judgedOf({ files })).toMatchObject(expected);
  });
});

const LINK = "https://github.com/acme/docs/pull/7";
const JOB = { jobId: "job_1", prLink: LINK, ended: null } as const;

function judged(number: number, over: Partial<PullVerdict> = {}): PullVerdict {
  const url = `https://github.com/acme/code/pull/${number}`;
  return {
    verdict: "needed",
    reason: "no file matches `docs-paths`",
    job: null,
    number,
    url,
    notes: [],
    ...over,
  };
}

test("a group's summary counts those that need documentation, shows them first, and links all", () => {
  const covered = judged(1, { verdict: "covered", reason: "job job_1", job: JOB });
  const all = [judged(3, { verdict: "not-needed", reason: "label `@x`" }), covered, judged(2)];
  expect(groupText(all, RULES).split("\n")).toEqual([
    "### ❌ Docs gate: 1 of 3 pull requests needs documentation",
    "",
    "- ❌ [pull request #2](https://github.com/acme/code/pull/2): documentation needed (`no file matches docs-paths`)",
    `- ✅ [pull request #1](https://github.com/acme/code/pull/1): covered by [docs pull request #7](${LINK})`,
    "- ✅ [pull request #3](https://github.com/acme/code/pull/3): no documentation needed (`label @x`)",
  ]);
  expect(groupText([covered], RULES)).toContain("✅ Docs gate: 0 of 1 pull request need doc");
  expect(groupText([judged(2), judged(3)], { ...RULES, ifNeeded: "warn" })).toMatch(
    /^### ⚠️ Docs gate: 2 of 2 pull requests need documentation/,
  );
});
