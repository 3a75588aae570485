import { describe, expect, test } from "vitest";
import { filesOf, verdictRows } from "../../test/support/gate-setup.ts";
import type { ChangedFile, Pull } from "../github/history-records.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import {
  byVerdict,
  type Facts,
  type GateRules,
  judge,
  MOST_FILES,
  type Verdict,
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
};
const AGENT = { links: [], branches: ["agent/1"] };

function pull(over: Partial<Pull> = {}): Pull {
  return {
    ...{ number: 2, title: "Add retries", body: "", url: "https://github.com/acme/code/pull/2" },
    ...{ author: { login: "writer", name: "", isBot: false }, labels: [], branch: "work" },
    ...{ isFork: false, head: "b", base: "main", mergedAt: null, mergeSha: "", updatedAt: "" },
    ...{ isOpen: true, repositoryId: 1, fileCount: 1, ...over },
  };
}

function file(from: string, to = from): ChangedFile {
  const renamed = from === to ? {} : { previousPath: from };
  return { path: to, additions: 1, deletions: 0, ...renamed };
}

const CODE = [file("src/a.ts")];

describe("the table of verdicts in docs/gate.md", () => {
  test.for(verdictRows().map((row) => [row.text, row] as const))("%s", ([, row]) => {
    const files = filesOf(row);
    const isAgents = row.author === "the agent";
    const login = isAgents ? "docs-agent[bot]" : row.author;
    const facts: Facts = {
      pull: pull({
        ...{ author: { login, name: "", isBot: login.endsWith("[bot]") } },
        ...{ labels: row.label === "" ? [] : [row.label], fileCount: files.length },
        branch: isAgents ? "agent/2" : "work",
      }),
      files: files.length > MOST_FILES ? undefined : files.map(({ from, to }) => file(from, to)),
      agent: AGENT,
      jobs: row.job === "" ? [] : [{ jobId: "j", prLink: null, hasFailed: row.job === "failed" }],
    };
    expect(judge(facts, RULES)).toMatchObject({ type: "judged", verdict: row.verdict });
  });
});

test.for<[string, Facts, object]>([
  ["the files first", { pull: pull() }, { type: "read", what: "files" }],
  [
    "no files, if a label decides",
    { pull: pull({ labels: ["skip-docs"] }) },
    { why: "label skip-docs" },
  ],
  [
    "no files, if the author decides",
    { pull: pull({ author: { login: "Renovate[bot]", name: "", isBot: true } }) },
    { verdict: "not-needed" },
  ],
  [
    "nothing of a pull request that is closed",
    { pull: pull({ isOpen: false }) },
    { why: "closed" },
  ],
  ["no files of too many", { pull: pull({ fileCount: MOST_FILES + 1 }) }, { what: "jobs" }],
  ["the docs jobs of a person's", { pull: pull(), files: CODE }, { what: "jobs" }],
  [
    "the agent's traces of a bot's",
    { pull: pull({ author: { login: "x[bot]", name: "", isBot: true } }), files: CODE },
    { what: "agent" },
  ],
  [
    "nothing more, if the documentation is in it",
    { pull: pull(), files: [file("docs/a.md"), ...CODE] },
    { why: "docs/a.md" },
  ],
  [
    "nothing of one without files",
    { pull: pull({ fileCount: 0 }), files: [] },
    { why: "changes no files" },
  ],
])("it asks for %s", ([, facts, expected]) => {
  expect(judge(facts, RULES)).toMatchObject(expected);
});

test("more files than GitHub names count as needed, and it says so", () => {
  const facts = { pull: pull({ fileCount: MOST_FILES + 1 }), jobs: [] };
  expect(judge(facts, RULES)).toMatchObject({ verdict: "needed", why: "more than 3000 files" });
});

test("a job that has not failed covers, whatever failed after it", () => {
  const jobs = [
    { jobId: "failed", prLink: null, hasFailed: true },
    { jobId: "done", prLink: "https://github.com/acme/docs/pull/7", hasFailed: false },
  ];
  const judged = judge({ pull: pull(), files: CODE, jobs }, RULES);
  expect(judged).toMatchObject({ verdict: "covered", job: { jobId: "done" } });
});

test("of several pull requests, the one that asks for most comes first", () => {
  const all = (["included", "needed", "not-needed", "covered"] as Verdict[]).map((verdict) => {
    return { type: "judged", verdict, why: "", job: null } as const;
  });
  const order = byVerdict(all).map(({ verdict }) => verdict);
  expect(order).toEqual(["needed", "covered", "included", "not-needed"]);
});
