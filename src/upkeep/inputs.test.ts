import { describe, expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { parseUpkeepInputs } from "./inputs.ts";

const CONTEXT = contextOf("schedule");

function parse(inputs: Record<string, string> = {}) {
  const all: Record<string, string> = {
    "api-key": "mint_key",
    "project-id": "docs",
    "github-token": "ghs_x",
    ...inputs,
  };
  return parseUpkeepInputs((name) => all[name] ?? "", CONTEXT);
}

test("what is not given has its default", () => {
  expect(parse()).toMatchObject({
    prompt: null,
    since: { kind: "default" },
    paths: { isEmpty: true },
    ignoreLabels: [],
    ignoreAuthors: [],
    onlyLabels: [],
    maxChanges: 20,
    maxAttempts: 3,
    maxJobsPerDay: 24,
    openPullRequest: "continue",
    wait: false,
    comment: false,
    dryRun: false,
    includeDiff: false,
    dashboard: null,
    timeout: 30 * 60_000,
    pace: { initial: 3000, max: 15_000 },
    name: "",
    ledgerRef: null,
    after: "merge",
    releaseTag: null,
    jobDeadline: 86_400_000,
    repositories: [{ repository: "octo/docs", branch: null }],
  });
});

test("lists are read a line at a time, without empty ones", () => {
  const inputs = parse({
    repositories: "acme/code\r\n\n  acme/web@release/2.x  \n",
    paths: " src/** \n\n!**/*.md",
    "ignore-labels": "one\r\ntwo words",
  });
  expect(inputs.repositories).toEqual([
    { repository: "acme/code", branch: null },
    { repository: "acme/web", branch: "release/2.x" },
  ]);
  expect(["src/a.ts", "src/a.md", "a.ts"].map(inputs.paths.matches)).toEqual([true, false, false]);
  expect(inputs.ignoreLabels).toEqual(["one", "two words"]);
});

test("a name, a ref and releases are read", () => {
  const ledger = { name: "api-docs", "ledger-ref": "refs/heads/docs-ledger" };
  const released = { after: "release", "release-tag": "v*", "job-deadline-hours": "0.5" };
  expect(parse({ ...ledger, ...released })).toMatchObject({
    name: "api-docs",
    ledgerRef: "refs/heads/docs-ledger",
    after: "release",
    releaseTag: "v*",
    jobDeadline: 1_800_000,
  });
});

describe("what is wrong is named, with what is allowed", () => {
  test.each([
    ["repositories", "acme", "one owner/name or owner/name@branch per line"],
    ["repositories", "acme/code@a b", "one owner/name or owner/name@branch per line"],
    ["repositories", "../..", "one owner/name or owner/name@branch per line"],
    ["repositories", "acme/..", "one owner/name or owner/name@branch per line"],
    ["repositories", "acme/code@..", "one owner/name or owner/name@branch per line"],
    ["repositories", "acme/code@a/../b", "one owner/name or owner/name@branch per line"],
    ["repositories", "acme/code\nAcme/Code", "list each branch once"],
    ["open-pull-request", "wait", "continue"],
    ["name", "api docs", "letters, digits, ., - and _"],
    ["name", "../main", "letters, digits, ., - and _"],
    ["name", "a.lock", "letters, digits, ., - and _"],
    ["ledger-ref", "docs-ledger", "the full name of a ref"],
    ["ledger-ref", "refs/docs", "the full name of a ref"],
    ["ledger-ref", "refs/heads/../x", "the full name of a ref"],
    ["after", "tag", "merge, release"],
    ["release-tag", "v[", "a pattern for tags"],
    ["release-tag", "v*", "only together with after: release"],
    ["max-changes", "31", "a whole number from 1 to 30"],
    ["dashboard", "#12", "a whole number of 1 or more"],
    ["paths", "src/[", "paths: not GitHub's filter patterns"],
    ["since", "last week", 'since: "last week" is not allowed'],
  ])("%s: %j", (name, value, words) => {
    expect(() => parse({ [name]: value })).toThrow(words);
  });

  test("all invalid inputs in one message", () => {
    const wrong = {
      repositories: "acme",
      "max-changes": "0",
      wait: "maybe",
      paths: "src/[\n/docs/**",
      since: "last week",
    };
    expect(() => parse(wrong)).toThrow(
      /^5 inputs are invalid:[\s\S]*paths:.*src\/\[.*docs[\s\S]*repositories:[\s\S]*since:[\s\S]*max-changes:[\s\S]*wait:/,
    );
  });

  test("a tag in `since` for several repositories, along with other problems", () => {
    const wrong = { repositories: "acme/code\nacme/web", since: "v1", "max-changes": "0" };
    expect(() => parse(wrong)).toThrow(/since:.*more than one repository[\s\S]*max-changes:/);
  });
});

describe("since", () => {
  const since = (text: string) => parse({ since: text }).since;
  const TWO = { repositories: "acme/code\nacme/web" };

  test.each([
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2026-05-01T08:30", "2026-05-01T08:30:00.000Z"],
    ["2026-05-01T08:30Z", "2026-05-01T08:30:00.000Z"],
    ["2026-05-01T08:30+02:00", "2026-05-01T06:30:00.000Z"],
    ["2026-05-01T08:30:15Z", "2026-05-01T08:30:15.000Z"],
    ["2026-05-01T08:30:15.5Z", "2026-05-01T08:30:15.500Z"],
    [" 2026-05-01T08:30:15+02:00 ", "2026-05-01T06:30:15.000Z"],
    ["2026-05-01T08:30:15-02:30", "2026-05-01T11:00:15.000Z"],
  ])("can be the time %s", (text, at) => {
    expect(parse({ since: text, ...TWO }).since).toEqual({ kind: "time", at });
  });

  test.each(["v1.2.3", "0a1b2c3", "release/2026-05", "2026-05-01-rc1", "20260501", "été"])(
    "can be the commit or tag %s, of one repository",
    (ref) => {
      expect(since(ref)).toEqual({ kind: "ref", ref });
      expect(() => parse({ since: ref, ...TWO })).toThrow("more than one repository");
    },
  );

  test.each([
    ["2026-05-01T25:00", "a date or time"],
    ["2026-05-01T08:00+99:00", "a date or time"],
    ["last week", "a commit or a tag"],
    ["v1..v2", "a commit or a tag"],
    ["-v", "a commit or a tag"],
    ["v1^", "a commit or a tag"],
    ["a\u0000b", "a commit or a tag"],
    ["x".repeat(300), "a commit or a tag"],
  ])("is not %j", (text, problem) => {
    expect(() => since(text)).toThrow(problem);
  });
});

test("outside of a repository, there is no default for the repositories", () => {
  const outside = { ...CONTEXT, repository: null };
  expect(() => parseUpkeepInputs(() => "", outside)).toThrow(
    "repositories: is needed, because GITHUB_REPOSITORY is not set: write one owner/name per line.",
  );
});
