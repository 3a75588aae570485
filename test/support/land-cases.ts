/** What the words of the table in src/land/cases.md stand for. */

import type { BranchRules } from "../../src/github/changes/branch-rules.ts";
import type { DocsPull } from "../../src/github/changes/docs-pull.ts";
import type { Check } from "../../src/github/changes/docs-pull-checks.ts";
import type { Preview, PullEntry } from "../../src/land/ledger.ts";
import { circumstancesOf } from "../../src/land/merge-state.ts";
import { problemsOf } from "../../src/land/problems.ts";
import type { LandReason, LandReasonCode } from "../../src/land/reasons.ts";
import { ABSENT, known, type Unread } from "../../src/runtime/fact.ts";
import {
  CHANGE,
  changedFile,
  checkOf,
  commentOf,
  endedState,
  entryOf,
  factsOf,
  filesOf,
  landInputs,
  lastRead,
  type PullFacts,
  pullOf,
  reviewOf,
  rulesOf,
  timeBefore,
} from "./land-facts.ts";

/** A docs pull request, and what there is to read about it. */
export interface Case {
  pull: DocsPull;
  facts: PullFacts;
  entry: PullEntry;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EVERYTHING = landInputs();
const CODE = { url: "https://github.com/acme/api/pull/3", branch: "main" };
/** The one that src/land/cases.md begins with. */
export const ORDINARY: Case = {
  pull: pullOf({}),
  facts: factsOf(),
  entry: entryOf({ lastRead: lastRead(), agent: pullOf({}).firstAuthor }, 2 * HOUR),
};
const UNREAD: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "GitHub returned 502",
  isPassing: true,
  status: 502,
};

/** A word of the table makes a case from another one. */
type Word = (before: Case) => Case;

const read =
  (over: Partial<PullFacts>): Word =>
  ({ facts, ...before }) => ({ ...before, facts: { ...facts, ...over } });
const noted =
  (over: Partial<PullEntry>): Word =>
  ({ entry, ...before }) => ({ ...before, entry: { ...entry, ...over } });
/** It has waited for this so long. */
const since = (code: LandReasonCode, ago: number): Word =>
  noted({ waiting: { code, from: timeBefore(ago) } });
const pull =
  (over: Partial<DocsPull>): Word =>
  ({ pull: shown, ...before }) => ({ ...before, pull: { ...shown, ...over } });
const both =
  (first: Word, second: Word): Word =>
  (before) =>
    second(first(before));
/** A draft of documentation. */
const draftOf = (state: PullFacts["state"]): Word =>
  both(noted({ codePull: CODE }), read({ state }));
const rules = (over: Partial<BranchRules>): Word => read({ rules: known(rulesOf(over)) });
const FILE = changedFile("docs/a.md");
const BUILD = { statusId: "s1", url: "https://preview.example" };
const preview = (state: Exclude<Preview["state"], "refused">, head = "head"): Word =>
  noted({ preview: { head, state, ...BUILD } });
const checks =
  (over: Partial<Check>): Word =>
  (before) => {
    const added = checkOf({ id: "2", name: "links", ...over });
    return pull({ checks: [...before.pull.checks, added] })(before);
  };
const RED = { state: "red", conclusion: "failure" } as const;
/** The newest opinion of its author. */
const review =
  (...of: Parameters<typeof reviewOf>): Word =>
  (before) => {
    const [author] = of;
    const others = before.pull.reviews.filter((other) => other.author !== author);
    return pull({ reviews: [...others, reviewOf(...of)] })(before);
  };
const comment =
  (...of: Parameters<typeof commentOf>): Word =>
  (before) =>
    pull({ openComments: [...before.pull.openComments, commentOf(...of)] })(before);
const followUp = (ago: number, head: string): PullEntry["followUps"][number] => ({
  at: timeBefore(ago),
  about: {},
  head,
  isUncertain: false,
});
const followedUp =
  (ago: number, ofThis: boolean): Word =>
  (before) => {
    const { entry } = before;
    const problems = ofThis ? problemsOf(before.pull, entry, EVERYTHING) : [];
    const followUps = [...entry.followUps, followUp(ago, "head")];
    return noted({ followUps, sent: [...entry.sent, ...problems.map(({ id }) => id)] })(before);
  };

/** With what was read then. */
const refused =
  (act: "merge" | "close", ago: number, isOfState = true): Word =>
  (before) => {
    const circumstances = circumstancesOf(before.pull, EVERYTHING);
    const reason: LandReason = { code: `${act}-refused`, words: "GitHub says `no`" };
    return noted({ refused: { act, at: timeBefore(ago), circumstances, isOfState, reason } })(
      before,
    );
  };
/** An app with `contents: write`. */
const BOT = { isByBot: true, mayWrite: true };

/** The words of the table in src/land/cases.md. */
export const WORDS: Record<string, Word> = {
  "cannot be read for now": (before) => read({ pull: UNREAD })(before),
  "cannot be read for a day": both(since("unread-for-now", DAY), read({ pull: UNREAD })),
  "agent at work for a day": both(
    since("agent-at-work", DAY),
    read({ job: known({ isActive: true, prLink: null }) }),
  ),
  "job cannot be polled for a day": both(since("job-unread", DAY), read({ job: UNREAD })),
  "job busy for a day": since("job-busy", DAY),
  "mergeability unknown for a day": both(
    since("merge-state-unknown", DAY),
    pull({ mergeState: "unknown" }),
  ),
  "in the queue for a day": both(since("in-queue", DAY), pull({ isInMergeQueue: true })),
  "failed build for 6 hours": both(since("preview-failed", 6 * HOUR), preview("failed")),
  "no check for 6 hours": both(since("check-missing", 6 * HOUR), pull({ checks: [] })),
  "waited for its code until yesterday": noted({ idleFrom: timeBefore(DAY) }),
  "may not be read": read({ pull: { ...UNREAD, cause: "refused", isPassing: false } }),
  "on another host": read({ pull: ABSENT }),
  "opened by a person": pull({ isByPerson: true, author: "ada" }),
  "another run's": noted({
    intent: { decision: "other", at: timeBefore(0), followUp: null, circumstances: null },
  }),
  merged: pull({ state: endedState("merged") }),
  closed: pull({ state: endedState("closed") }),
  "agent at work": read({ job: known({ isActive: true, prLink: null }) }),
  "job cannot be polled": read({ job: UNREAD }),
  "job not found": read({ job: ABSENT }),
  "job forgotten": both(noted({ jobMissingSince: timeBefore(HOUR) }), read({ job: ABSENT })),
  "job names another": read({
    job: known({ isActive: false, prLink: "https://github.com/acme/docs/pull/8" }),
  }),
  "job names none": read({ job: known({ isActive: false, prLink: null }) }),
  "job accepts no follow-ups": noted({ isClosedToFollowUps: true }),
  "3 follow-ups": noted({ followUps: Array(3).fill(followUp(3 * HOUR, "older")) }),
  "follow-up 10 minutes ago": followedUp(10 * MINUTE, true),
  "follow-up an hour ago": followedUp(HOUR, true),
  "follow-up about another 10 minutes ago": followedUp(10 * MINUTE, false),
  "follow-up about another an hour ago": followedUp(HOUR, false),
  "new commit": (before) => {
    const followUps = before.entry.followUps.map((sent) => ({ ...sent, head: "older" }));
    return noted({ headAt: timeBefore(10 * MINUTE), followUps })(before);
  },
  "failed check": checks(RED),
  "failed check of the same name": checks({ ...RED, name: "build" }),
  "pending check": checks({ state: "pending", conclusion: "in_progress" }),
  "cancelled check": checks({ state: "dropped", conclusion: "cancelled" }),
  "skipped check of the same name": checks({ name: "build", conclusion: "skipped" }),
  "cancelled check that the rules want": checks({
    state: "dropped",
    conclusion: "cancelled",
    isRequired: true,
  }),
  "cancelled `build`": pull({ checks: [checkOf({ state: "dropped", conclusion: "cancelled" })] }),
  "skipped `build`": pull({ checks: [checkOf({ conclusion: "skipped" })] }),
  "job that needs an approval": checks({ state: "held", conclusion: "waiting" }),
  "job with `action_required`": checks({ state: "held", conclusion: "action_required" }),
  "app's check with `action_required`": checks({
    state: "held",
    conclusion: "action_required",
    isJob: false,
  }),
  "run that needs an approval": pull({ unfinishedRuns: { held: 1, pending: 0 } }),
  "run that has not begun": pull({ unfinishedRuns: { held: 0, pending: 1 } }),
  "more than 100 runs": pull({ unfinishedRuns: null }),
  "no check": pull({ checks: [] }),
  "more than 1,000 checks": pull({ checksRead: "some" }),
  "checks that the token cannot read": pull({ checks: [], checksRead: "none" }),
  "no preview yet": (before) => before,
  "failed build": preview("failed"),
  "failed build of an earlier commit": preview("failed", "older"),
  "build under way": preview("building"),
  "built preview": preview("built"),
  "built preview of an earlier commit": preview("built", "older"),
  "preview refused": noted({ preview: { head: "head", state: "refused", words: "No plan." } }),
  approved: review("ada", "approved"),
  "approved, and asked for another review": review("ada", "approved", { isAskedAgain: true }),
  "approved after that": review("bo", "approved", { at: timeBefore(MINUTE) }),
  "rules want another review": pull({ lacksReviews: true }),
  "base changed half an hour ago": pull({ baseChangedAt: timeBefore(HOUR / 2) }),
  "base changed before it was found": pull({ baseChangedAt: timeBefore(3 * HOUR) }),
  "approved by the same": review("ada", "approved"),
  "approved by a stranger": review("eve", "approved", { mayWrite: false }),
  "approved by its author": review("docs-bot", "approved"),
  "earlier commit approved": review("ada", "approved", { head: "older" }),
  "changes requested": review("ada", "changes_requested"),
  "changes requested by another": review("bo", "changes_requested"),
  "changes requested by a stranger": review("eve", "changes_requested", { mayWrite: false }),
  "changes requested by its author": review("docs-bot", "changes_requested"),
  // GitHub gives only opinions, and a comment is none.
  "commented by the same": (before) => before,
  "approved by another": review("bo", "approved"),
  "approved by a bot": review("reviewer[bot]", "approved", BOT),
  "changes requested by a bot": review("reviewer[bot]", "changes_requested", BOT),
  "changes requested between people": review("ada", "changes_requested", { body: "/aside Wait." }),
  dismissed: review("ada", "dismissed"),
  "open comment": comment("ada"),
  "open comment after that": comment("bo", { at: timeBefore(MINUTE) }),
  "open comment by a bot": comment("reviewer[bot]", BOT),
  "open comment between people": comment("ada", { body: "/aside Shall we keep this?" }),
  "more comments than can be read": pull({ hasAllWords: false }),
  "more reviews by bots than can be read": pull({ hasAllBotReviews: false }),
  "open comment by a stranger": comment("eve", { mayWrite: false }),
  "open comment by its author": comment("docs-bot"),
  conflict: pull({ isConflicting: true, mergeState: "dirty" }),
  "conflict not known": pull({ isConflicting: null }),
  "mergeability unknown": pull({ mergeState: "unknown" }),
  "person pushed": pull({ isEditedByOthers: true }),
  "file in CODEOWNERS": both(
    pull({ listedPaths: ["docs/CODEOWNERS"] }),
    read({ files: known(filesOf("docs/CODEOWNERS")) }),
  ),
  "symbolic link": read({ files: known(filesOf("docs/a.md")), links: known(["docs/a.md"]) }),
  "files whose kind cannot be read": read({ links: UNREAD }),
  "file deleted": read({
    files: known({ type: "listed", files: [{ ...FILE, isRemoved: true }], isInBase: false }),
  }),
  "file renamed": read({
    files: known({
      type: "listed",
      files: [{ ...FILE, previousPath: "docs/b.md" }],
      isInBase: false,
    }),
  }),
  "6 files": both(
    pull({ changedFiles: 6 }),
    read({ files: known(filesOf(..."abcdef".split("").map((name) => `docs/${name}.md`))) }),
  ),
  "file in src": both(
    pull({ listedPaths: ["docs/a.md", "src/a.ts"] }),
    read({ files: known(filesOf("docs/a.md", "src/a.ts")) }),
  ),
  "file in src at its head": read({ files: known(filesOf("docs/a.md", "src/a.ts")) }),
  "too many files": both(
    pull({ listedPaths: null }),
    read({ files: known({ type: "unlisted", files: [] }) }),
  ),
  "files of another head": read({ files: known({ type: "moved" }) }),
  "files that cannot be read": read({ files: UNREAD }),
  "commits in its base": read({ files: known({ type: "listed", files: [], isInBase: true }) }),
  "in a renamed repository": pull({ url: "https://github.com/acme/handbook/pull/7" }),
  draft: pull({ isDraft: true }),
  "documents an open pull request": draftOf(known({ state: "open", head: "abc", base: "main" })),
  "documents one that cannot be read": draftOf(UNREAD),
  "documents a merged pull request": draftOf(known({ state: "merged", head: "abc", base: "main" })),
  "documents one that was merged into another branch": draftOf(
    known({ state: "merged", head: "abc", base: "stack" }),
  ),
  "documents one that was merged into another branch, for 14 days": both(
    since("code-elsewhere", 14 * DAY),
    draftOf(known({ state: "merged", head: "abc", base: "stack" })),
  ),
  "documents one that upkeep has recorded": read({
    state: known({ state: "merged", head: "abc", base: "main" }),
  }),
  "documents one that was merged at another commit": both(
    draftOf(known({ state: "merged", head: "def", base: "main" })),
    noted({ changes: [CHANGE] }),
  ),
  "documents a closed pull request": draftOf(known({ state: "closed", head: "abc", base: "main" })),
  "behind its base": pull({ mergeState: "behind" }),
  "blocked by a rule": pull({ mergeState: "blocked" }),
  "merge queue": pull({ hasMergeQueue: true }),
  "in the queue": pull({ isInMergeQueue: true }),
  "put into the queue before": noted({ queued: "head" }),
  "another token": pull({ reader: "docs-bot" }),
  "rules want `links`": rules({ requiredChecks: ["links"] }),
  "rules want `build`": rules({ requiredChecks: ["build"] }),
  "rules want resolved threads": rules({ wantsResolvedThreads: true }),
  "rules want signatures": rules({ wantsSignatures: true }),
  "rules want deployments": rules({ wantsDeployments: true }),
  "queue by a rule": rules({ hasMergeQueue: true }),
  "queue by a rule that wants `build`": rules({
    hasMergeQueue: true,
    requiredChecks: ["build"],
    wantsRuns: true,
  }),
  "rules that cannot be read for now": read({ rules: UNREAD }),
  "rules that GitHub does not have": read({
    rules: { ...UNREAD, cause: "refused", isPassing: false, status: 404 },
  }),
  "thread that is not resolved": pull({ hasOpenThreads: true }),
  "failed check that the rules want": checks({ ...RED, isRequired: true }),
  "known some seconds later": (before) =>
    read({ settled: known(pull({ mergeState: "clean" })(before).pull) })(before),
  "label `docs-hold`": pull({ labels: ["Docs-Hold"] }),
  "`[skip ci]` in its description": pull({ skipMarks: { inText: true, inCommits: false } }),
  "`[skip ci]` in a commit": pull({ skipMarks: { inText: false, inCommits: true } }),
  "update asked for before": noted({ updated: [{ head: "head", headAt: timeBefore(MINUTE) }] }),
  "first seen now": noted({ headAt: timeBefore(0) }),
  "updated since by land": (before) => {
    const updated = [{ head: "older", headAt: timeBefore(2 * HOUR) }];
    const after = pull({ headsBeforeUpdates: ["head", "older"] })(before);
    return noted({ updated, headAt: timeBefore(10 * MINUTE) })(after);
  },
  "updated since by a person": (before) => {
    const after = pull({ headsBeforeUpdates: ["head", "older"] })(before);
    return noted({ headAt: timeBefore(10 * MINUTE) })(after);
  },
  "20 days old": (before) => {
    const at = timeBefore(20 * DAY);
    return noted({ foundAt: at, headAt: at })(pull({ createdAt: at })(before));
  },
  "comment yesterday": pull({ lastActivityAt: timeBefore(DAY) }),
  "commit yesterday": noted({ headAt: timeBefore(DAY) }),
  "reopened since then": noted({ isReopened: true, idleFrom: timeBefore(DAY) }),
  "red on its base, too": read({ redOnBase: known(["links"]) }),
  "checks of its base that cannot be read": read({ redOnBase: UNREAD }),
  "run again since then": (before) => {
    const checks = before.pull.checks.map((check) => ({ ...check, id: `${check.id} again` }));
    return pull({ checks })(before);
  },
  reminded: noted({ isReminded: true }),
  "takes no comments": both(noted({ isClosedToComments: true }), pull({ isLocked: true })),
  "GitHub refused the merge": refused("merge", HOUR),
  "GitHub refused the merge two days ago": refused("merge", 2 * DAY),
  "GitHub refused to close it": refused("close", HOUR),
  "GitHub refused the token the merge": refused("merge", HOUR, false),
  "GitHub refused the token the merge two days ago": refused("merge", 2 * DAY, false),
  "GitHub refused the token to close it two days ago": refused("close", 2 * DAY, false),
  "comment since then": pull({ lastActivityAt: timeBefore(MINUTE) }),
};
