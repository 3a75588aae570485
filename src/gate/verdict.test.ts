import { describe, expect, test } from "vitest";
import { unread } from "../../test/support/facts.ts";
import {
  CODE,
  EXCUSED,
  file,
  judgedOf,
  type KnownOfPull,
} from "../../test/support/gate-verdicts.ts";
import { type GateNote, plainReason, type VerdictReason } from "./reasons.ts";
import type { DocsJob, PullDraft } from "./verdict.ts";
import { verdictText } from "./verdict-text.ts";

const bot = (login: string) => ({ author: { login, name: "", isBot: true } });

test.for<[string, KnownOfPull, string[], VerdictReason]>([
  [
    "the files, then the docs jobs, excuses and drafts",
    {},
    ["files", "jobs", "excuse", "draft"],
    { code: "no-docs" },
  ],
  [
    "no excuse and no draft of one with a docs job",
    { jobs: [{ jobId: "1", prLink: null, ended: null }] },
    ["files", "jobs"],
    { code: "job" },
  ],
  [
    "no draft of one that is excused",
    { excuse: EXCUSED },
    ["files", "jobs", "excuse"],
    { code: "excuse", login: "writer", words: "a test" },
  ],
  [
    "nothing, if a label decides",
    { pull: { labels: ["skip-docs"] } },
    [],
    { code: "label", label: "skip-docs" },
  ],
  [
    "nothing, if the author decides",
    { pull: bot("Renovate[bot]") },
    [],
    { code: "author", author: "Renovate[bot]" },
  ],
  ["nothing of one that is closed", { pull: { isOpen: false } }, [], { code: "closed" }],
  [
    "the agent's traces for a bot's",
    { pull: bot("x[bot]") },
    ["files", "agent", "jobs", "excuse", "draft"],
    { code: "no-docs" },
  ],
  [
    "nothing more, if the documentation is in it",
    { files: [file("docs/a.md"), ...CODE] },
    ["files"],
    { code: "docs", path: "docs/a.md" },
  ],
  ["nothing more of one without files", { files: [] }, ["files"], { code: "no-files" }],
])("it reads %s", async ([, known, reads, reason]) => {
  expect(await judgedOf(known)).toMatchObject({ reads, reason });
});

const NEEDED = { verdict: "needed", reason: { code: "no-docs" } } as const;

describe("a fact that could not be read", () => {
  const JOB: DocsJob = { jobId: "1", prLink: null, ended: null };
  const SERVER = unread("unanswered", { status: 500 });
  const NO_RIGHT = unread("refused", { reason: "GitHub returned 403", status: 403 });

  test.each<[string, KnownOfPull, object]>([
    ["the agent's traces", { pull: bot("x[bot]"), unread: { agent: SERVER } }, NEEDED],
    ["the files, beside a job", { jobs: [JOB], unread: { files: SERVER } }, { verdict: "covered" }],
    [
      "the files, beside an excuse",
      { excuse: EXCUSED, unread: { files: SERVER } },
      { verdict: "excused" },
    ],
    [
      "the files of a diff that is too large, beside a job",
      { jobs: [JOB], unread: { files: unread("refused", { status: 422 }) } },
      { verdict: "covered" },
    ],
  ])("does not keep the verdict from being known: %s", async (_, answers, expected) => {
    expect(await judgedOf(answers)).toMatchObject(expected);
  });

  test.each<[string, KnownOfPull, string, RegExp]>([
    ["the files", { unread: { files: SERVER } }, "github-unavailable", /does not list the files/],
    [
      "the files, by a right",
      { unread: { files: NO_RIGHT } },
      "github-refused",
      /read: GitHub returned 403\. /,
    ],
    ["the comments", { unread: { jobs: SERVER } }, "github-unavailable", /could not be read/],
    ["an excuse", { unread: { excuse: unread("limited") } }, "github-unavailable", /be read/],
    ["the reviews", { unread: { draft: NO_RIGHT } }, "github-refused", /could not be read/],
  ])("is an error, and no verdict: %s", async (_, answers, kind, problem) => {
    const judging = judgedOf(answers);
    await expect(judging).rejects.toMatchObject({ kind });
    await expect(judging).rejects.toThrow(problem);
  });
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
  const ended = (end: DocsJob["ended"]): PullDraft => {
    return { type: "job", job: { jobId: "7", prLink: null, ended: end } };
  };

  test.each<[string, PullDraft, string]>([
    [
      "that a run is requesting covers",
      { type: "requesting" },
      "covered by a docs job that is being requested",
    ],
    [
      "that the service refused covers nothing",
      { type: "refused" },
      "documentation needed (the service refused its docs job)",
    ],
    ["whose job is at work or done covers", ended(null), "covered by a docs job"],
    [
      "whose job failed covers nothing",
      ended("failed"),
      "documentation needed (its docs job failed)",
    ],
    [
      "whose job is unknown covers nothing",
      ended("unknown"),
      "documentation needed (the service does not know its docs job)",
    ],
    [
      "whose docs pull request was closed covers nothing",
      ended("closed"),
      "documentation needed (its docs pull request was closed without merging)",
    ],
  ])("%s", async (_, draft, text) => {
    const result = await judgedOf({ draft });
    expect(verdictText(result, plainReason(result.reason))).toBe(text);
    expect(result.job).toEqual(draft.type === "job" ? draft.job : null);
  });

  test("that failed is named instead of an older job that failed", async () => {
    const jobs: DocsJob[] = [{ jobId: "1", prLink: null, ended: "failed" }];
    const draft: PullDraft = { type: "refused" };
    expect(await judgedOf({ jobs, draft })).toMatchObject({ reason: { code: "request-refused" } });
    const reason = { code: "job-failed" };
    expect(await judgedOf({ jobs })).toMatchObject({ verdict: "needed", reason });
  });
});

test("a draft covers, even if a job failed before it", async () => {
  const jobs: DocsJob[] = [{ jobId: "1", prLink: null, ended: "failed" }];
  const job = { jobId: "2", prLink: null, ended: null };
  const result = await judgedOf({ jobs, draft: { type: "job", job } });
  expect(result).toMatchObject({ verdict: "covered", job: { jobId: "2" }, notes: [] });
});

test("notes say which excuses do not count, and why there is no draft", async () => {
  const why: GateNote = { code: "objection", login: "octocat" };
  const excuse = { by: null, denials: ["a", "b"] };
  expect(await judgedOf({ excuse, draft: { type: "none", why } })).toMatchObject({
    ...NEEDED,
    notes: [{ code: "excuse-denied", denial: "a" }, { code: "excuse-denied", denial: "b" }, why],
  });
});
