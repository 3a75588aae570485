import { expect, test } from "vitest";
import { detailsOf } from "../github/changes/change-details.ts";
import type { ChangedFile, Pull } from "../github/changes/history-records.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import {
  type DocsJob,
  type GateRules,
  groupText,
  judge,
  MOST_FILES,
  type PullVerdict,
  verdictText,
} from "./verdict.ts";

function filter(text: string) {
  const parsed = parsePathFilter(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

const RULES: GateRules = {
  paths: filter("src/**"),
  docsPaths: filter("**/*.md\n**/*.mdx\ndocs/**"),
  ignoreLabels: ["skip-docs"],
  ignoreAuthors: ["dependabot[bot]", "renovate[bot]", "mintlify[bot]"],
  ifNeeded: "fail",
  docsPatterns: ["docs/**"],
};
const AGENT = { links: [], branches: ["agent/1"] };

function pull(over: Partial<Pull> = {}): Pull {
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
  return { path, previousPath: path, patch: "", additions: 1, deletions: 0 };
}

interface Known {
  pull?: Partial<Pull>;
  files?: ChangedFile[];
  jobs?: DocsJob[];
}

const CODE = [file("src/a.ts")];

/** The verdict, and what was read for it. */
async function judgedOf({ pull: over, files = CODE, jobs = [] }: Known) {
  const reads: string[] = [];
  const reading = <T>(name: string, value: T) => {
    return async () => {
      reads.push(name);
      return value;
    };
  };
  const judgedPull = pull({ fileCount: files.length, ...over });
  const tip = { ...judgedPull, sha: "b", committedAt: "" };
  const details = detailsOf({ id: 1, repository: "acme/code" }, tip, judgedPull);
  const judged = await judge(judgedPull, details, RULES, {
    files: reading("files", files),
    agent: reading("agent", AGENT),
    jobs: reading("jobs", { jobs, notes: [] }),
  });
  return { ...judged, reads };
}

const bot = (login: string) => ({ author: { login, name: "", isBot: true } });

test.for<[string, Known, string[], string]>([
  ["the files, then the docs jobs", {}, ["files", "jobs"], "no file matches `docs-paths`"],
  ["nothing, if a label decides", { pull: { labels: ["skip-docs"] } }, [], "label skip-docs"],
  ["nothing, if the author decides", { pull: bot("Renovate[bot]") }, [], "author Renovate[bot]"],
  ["nothing of one that is closed", { pull: { isOpen: false } }, [], "closed"],
  [
    "no files of too many",
    { pull: { fileCount: MOST_FILES + 1 } },
    ["jobs"],
    "more than 3000 files",
  ],
  [
    "the agent's traces for a bot's",
    { pull: bot("x[bot]") },
    ["files", "agent", "jobs"],
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

test("a job that has not failed covers, whatever failed after it", async () => {
  const jobs = [
    { jobId: "failed", prLink: null, hasFailed: true },
    { jobId: "done", prLink: "https://github.com/acme/docs/pull/7", hasFailed: false },
  ];
  const judged = await judgedOf({ jobs });
  expect(judged).toMatchObject({ verdict: "covered", job: { jobId: "done" } });
});

test.each([
  [false, "covered", "covered by a docs job (being requested)"],
  [true, "needed", "documentation needed (docs job refused)"],
])("a docs job without an ID, failed: %s", async (hasFailed, verdict, text) => {
  const result = await judgedOf({ jobs: [{ jobId: null, prLink: null, hasFailed }] });
  expect(result).toMatchObject({ verdict, job: { jobId: null } });
  expect(verdictText(result, result.reason)).toBe(text);
});

const LINK = "https://github.com/acme/docs/pull/7";
const JOB = { jobId: "job_1", prLink: LINK, hasFailed: false };

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
