import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  checkOf,
  commentOf,
  entryOf,
  NOW,
  pullOf,
  reviewOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { parseLandInputs } from "../inputs/land.ts";
import { decide, type Facts } from "./decide.ts";
import type { Entry, Preview } from "./ledger.ts";
import { problemsOf } from "./problems.ts";

/** The table of docs/land.md says what happens in every case; its words are these. */
const PAGE = path.join(import.meta.dirname, "../../docs/land.md");

interface Case {
  facts: Facts & { paths: string[] | null };
  entry: Entry;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EVERYTHING = { checks: "follow-up", reviews: "follow-up", conflicts: "follow-up" } as const;

function ordinary(): Case {
  const pull = pullOf({});
  const { url } = pull;
  const job = { state: "ended" as const, prLink: url };
  return {
    facts: { pull, job, paths: ["docs/a.md"], codePull: null },
    entry: entryOf({ head: pull.head }, 2 * HOUR),
  };
}

type Change = (it: Case) => void;
/** Changes fields of a part of a case. */
const inPart =
  <T extends object>(partOf: (it: Case) => T) =>
  (over: Partial<T>): Change =>
  (it) =>
    void Object.assign(partOf(it), over);
const pull = inPart(({ facts }) => facts.pull);
const job = inPart(({ facts }) => facts.job);
const known = inPart(({ facts }) => facts as Facts);
const noted = inPart(({ entry }) => entry);
const PREVIEW = { head: "head", statusId: "s1", url: "https://preview.example", log: "" };
const preview = (over: Partial<Preview>) =>
  noted({ preview: { ...PREVIEW, state: "built", ...over } });
const checks =
  (state: "red" | "pending"): Change =>
  ({ facts }) =>
    void facts.pull.checks.push(checkOf({ id: state, name: state, state }));
const review =
  (...given: Parameters<typeof reviewOf>): Change =>
  ({ facts }) =>
    void facts.pull.reviews.push(reviewOf(...given));
const comment =
  (...given: Parameters<typeof commentOf>): Change =>
  ({ facts }) =>
    void facts.pull.openComments.push(commentOf(...given));
const followUp = (ago: number, head: string) => ({
  at: timeBefore(ago),
  about: "",
  head,
  isUncertain: false,
});
const told =
  (ago: number, ofThis: boolean): Change =>
  ({ facts, entry }) => {
    entry.followUps.push(followUp(ago, "head"));
    if (ofThis)
      entry.sent.push(...problemsOf(facts.pull, entry.preview, EVERYTHING).map(({ id }) => id));
  };

const WORDS: Record<string, Change> = {
  merged: pull({ state: "merged" }),
  closed: pull({ state: "closed" }),
  "agent at work": job({ state: "active" }),
  "job cannot be polled": job({ state: "unread", prLink: null }),
  "job forgotten": job({ state: "unknown", prLink: null }),
  "job names another": job({ prLink: "https://github.com/acme/docs/pull/8" }),
  "job names none": job({ prLink: null }),
  "job takes no follow-ups": noted({ isClosedToFollowUps: true }),
  "3 follow-ups": noted({ followUps: Array(3).fill(followUp(3 * HOUR, "older")) }),
  "told of it 10 minutes ago": told(10 * MINUTE, true),
  "told of it an hour ago": told(HOUR, true),
  "told of another 10 minutes ago": told(10 * MINUTE, false),
  "told of another an hour ago": told(HOUR, false),
  "new commit": ({ entry }) => {
    entry.headAt = timeBefore(MINUTE);
    entry.followUps = entry.followUps.map((it) => ({ ...it, head: "older" }));
  },
  "failed check": checks("red"),
  "failed check of the same name": pull({ checks: [checkOf({}), checkOf({ state: "red" })] }),
  "pending check": checks("pending"),
  "no check": pull({ checks: [] }),
  "more than 100 checks": pull({ hasAllChecks: false }),
  "no preview yet": () => {},
  "failed build": preview({ state: "failed", log: "broken" }),
  "failed build of an earlier commit": preview({ state: "failed", head: "older" }),
  "build under way": preview({ state: "building" }),
  "built preview": preview({}),
  "built preview of an earlier commit": preview({ head: "older" }),
  "preview refused": preview({ state: "refused" }),
  approved: review("ada", "approved"),
  "approved by the same": review("ada", "approved"),
  "approved by a stranger": review("eve", "approved", { mayWrite: false }),
  "approved by its author": review("docs-bot", "approved"),
  "earlier commit approved": review("ada", "approved", { head: "older" }),
  "changes requested": review("ada", "changes_requested"),
  "changes requested by another": review("bo", "changes_requested"),
  "changes requested by a stranger": review("eve", "changes_requested", { mayWrite: false }),
  "changes requested by its author": review("docs-bot", "changes_requested"),
  "commented by the same": review("ada", "commented"),
  dismissed: review("ada", "dismissed"),
  "open comment": comment("ada"),
  "open comment by a stranger": comment("eve", { mayWrite: false }),
  "open comment by its author": comment("docs-bot"),
  conflict: pull({ isConflicting: true, mergeState: "dirty" }),
  "conflict not known": pull({ isConflicting: null }),
  "mergeability unknown": pull({ mergeState: "unknown" }),
  "person pushed": noted({ isEditedByOthers: true }),
  "6 files": pull({ changedFiles: 6 }),
  "60 deleted lines": pull({ deletedLines: 60 }),
  "file in src": ({ facts }) => void facts.paths?.push("src/a.ts"),
  "too many files": known({ paths: null }),
  draft: pull({ isDraft: true }),
  "documents an open pull request": known({ codePull: "open" }),
  "documents one that cannot be read": known({ codePull: "unread" }),
  "documents a merged pull request": known({ codePull: "merged" }),
  "documents a closed pull request": known({ codePull: "closed" }),
  "behind its base": pull({ mergeState: "behind" }),
  "blocked by a rule": pull({ mergeState: "blocked" }),
  "merge queue": pull({ hasMergeQueue: true }),
  "20 days old": ({ facts, entry }) => {
    facts.pull.createdAt = timeBefore(20 * DAY);
    entry.foundAt = timeBefore(20 * DAY);
    entry.headAt = entry.foundAt;
  },
  "comment yesterday": pull({ lastWordAt: timeBefore(DAY) }),
  "commit yesterday": noted({ headAt: timeBefore(DAY) }),
  reminded: noted({ isReminded: true }),
};

const [, TABLE = ""] =
  /<!-- cases -->\n([\s\S]*?)<!-- end of cases -->/.exec(readFileSync(PAGE, "utf8")) ?? [];
const ROWS = TABLE.trim()
  .split("\n")
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, words = ""]) => !words.startsWith("**"))
  .map(([, words = "", inputs = "", step = "", why = ""]) => {
    return { words, inputs, step: step.replaceAll("`", ""), why };
  });

function rulesOf(cell: string) {
  const given: Record<string, string> = {
    "api-key": "mint_key",
    "project-id": "docs",
    "github-token": "ghs_token",
    merge: "checks",
    "allowed-paths": "docs/**",
  };
  for (const [, name = "", value = ""] of cell.matchAll(/`([\w-]+):([^`]*)`/g))
    given[name] = value.trim();
  return parseLandInputs((name) => given[name] ?? "", contextOf("schedule"));
}

test.each(ROWS)("$words ($inputs): $step $why", ({ words, inputs, step, why }) => {
  const it = ordinary();
  for (const word of words === "" ? [] : words.split("; ")) {
    expect(WORDS).toHaveProperty([word]);
    WORDS[word]?.(it);
  }
  const found = decide(it.facts, it.entry, rulesOf(inputs), NOW);
  expect(`${found.type}${found.isReminder ? " + reminder" : ""}`).toBe(step);
  expect(found.why).toBe(why);
});

test("the table has every word that there is", () => {
  const used = new Set(ROWS.flatMap(({ words }) => words.split("; ")));
  expect(Object.keys(WORDS).filter((word) => !used.has(word))).toEqual([]);
});
