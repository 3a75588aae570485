import { expect, test } from "vitest";
import {
  change,
  EMPTY,
  group,
  HOUR,
  LINK,
  MINUTE,
  NOW,
  polled,
  RULES,
  review,
  revision,
  running,
  runningBatch,
  task,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import type { PullState } from "../../github/changes/history.ts";
import { expireIntents, intend, recordSent, takePoll } from "./batches.ts";
import { applyDecision, takeReview } from "./decisions.ts";
import { intendDraft } from "./drafts.ts";
import { isNews } from "./file.ts";
import { activeBatches, needsDecision, undecidedBatches } from "./revision.ts";

test("an intent takes its changes from what waits, and a withdrawal puts them back in front", () => {
  let it = revision({ ...EMPTY, waiting: [1, 2, 3].map((nth) => group(nth)) });
  it = intend(it, [{ id: "b", changes: [change(1), change(2)], attempt: 1, followUp: null }]);
  expect(waiting(it)).toEqual([[["1#3"], 0]]);
  expect(it.ledger.starts).toHaveLength(1);
  it = recordSent(it, "b", { type: "withdrawn" });
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 0],
    [["1#3"], 0],
  ]);
  expect(it.ledger.starts).toEqual([]);
  expect(it.ledger.batches).toEqual([]);
});

test("a job that is known replaces a doubt, and no doubt a job that is known", () => {
  let it = revision(EMPTY);
  it = intend(it, [{ id: "b", changes: [change(1)], attempt: 1, followUp: null }]);
  it = recordSent(it, "b", { type: "uncertain", reason: "lost" });
  expect(it.ledger.batches).toMatchObject([{ state: "uncertain", reason: "lost" }]);
  it = recordSent(it, "b", { type: "accepted", jobId: "job", isFollowUp: false });
  expect(it.ledger.batches).toMatchObject([{ state: "running", job: { id: "job" } }]);
  it = recordSent(it, "b", { type: "uncertain", reason: "lost" });
  it = recordSent(it, "b", { type: "withdrawn" });
  expect(it.ledger.batches).toMatchObject([{ state: "running", job: { id: "job" } }]);
});

const DRAFTED = { ...change(1), sha: "head", landedAt: "" };
const ACCEPTED = { type: "accepted", jobId: "job", isFollowUp: false } as const;

test("a draft that was withdrawn leaves nothing, and one that is unclear stays", () => {
  let it = revision(EMPTY);
  it = intendDraft(it, "d", DRAFTED);
  expect(it.ledger.starts).toHaveLength(1);
  it = recordSent(it, "d", { type: "withdrawn" });
  expect(it.ledger).toMatchObject({ drafts: [], starts: [] });
  it = intendDraft(it, "e", DRAFTED);
  let later = expireIntents(revision(it.ledger, { now: NOW + 11 * MINUTE }), () => true);
  expect(later.ledger.drafts).toMatchObject([{ state: "uncertain" }]);
  later = recordSent(later, "e", ACCEPTED);
  expect(later.ledger.drafts).toMatchObject([{ state: "running", job: { id: "job" } }]);
});

test.each([null, "javascript:alert(1)"])(
  "done without a pull request to show is an end (%s)",
  (prLink) => {
    let it = revision(running());
    it = takePoll(it, "b", polled("done", prLink));
    expect(it.ledger).toMatchObject({ batches: [], reviews: [] });
    expect(it.ledger.done).toMatchObject([{ result: "none", prLink: null }]);
    expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
    expect(it.history).toMatchObject([{ batch: "b", state: "done", jobId: "job" }]);
  },
);

test("with a pull request it is in review until that is merged or closed", () => {
  let it = revision(running());
  it = takePoll(it, "b", polled("done", LINK));
  expect(it.ledger).toMatchObject({ done: [], reviews: [{ prLink: LINK, jobId: "job" }] });
  expect(it.ledger.agent.links).toEqual([LINK]);
  it = takeReview(it, LINK, "open");
  expect(it.ledger.reviews).toHaveLength(1);
  let closed = revision(it.ledger);
  closed = takeReview(closed, LINK, "closed");
  expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2 } });
  it = takeReview(it, LINK, "merged");
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "merged", prLink: LINK }] });
  expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
});

test("a follow-up whose docs pull request was merged while its job was running gives its changes back", () => {
  let it = revision({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  it = takeReview(it, LINK, "merged");
  it = takePoll(it, "b", polled("done", LINK));
  expect(waiting(it)).toEqual([[["1#1"], 1]]);
});

test("a docs pull request that cannot be read is given up after five runs", () => {
  let it = revision(running());
  it = takePoll(it, "b", polled("done", LINK));
  for (let run = 1; run < 5; run++) it = takeReview(it, LINK, "unread");
  expect(it.ledger.reviews).toMatchObject([{ unread: 4 }]);
  it = takeReview(it, LINK, "unread");
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "unread" }] });
});

test("merged pull requests are told what became of them, commits and tasks are not", () => {
  const changes = [change(1), { ...change(2), number: null }, task("a.md")];
  const ledger = { ...EMPTY, batches: [runningBatch("b", changes, { id: "job" })] };
  let it = revision(ledger, { rules: { ...RULES, comments: true } });
  it = takePoll(it, "b", polled("done", LINK));
  expect(it.ledger.untold).toEqual([{ change: change(1), prLink: LINK, job: "job" }]);
  let quiet = revision(ledger);
  quiet = takePoll(quiet, "b", polled("done", LINK));
  expect(quiet.ledger.untold).toEqual([]);
});

test("the agent's pull requests and branches are remembered, also of a job that failed", () => {
  let it = revision(running());
  it = takePoll(it, "b", { ...polled("failed", LINK), branch: "docs-agent/1" });
  expect(it.ledger.agent).toEqual({ links: [LINK], branches: ["docs-agent/1"] });
});

test("a failed batch is handed over again as two halves, and the last time each change by itself", () => {
  let it = revision(running(4));
  it = takePoll(it, "b", polled("failed"));
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 1],
    [["1#3", "1#4"], 1],
  ]);
  let last = revision(running(2, { attempt: 2 }));
  last = takePoll(last, "b", polled("failed"));
  expect(waiting(last)).toEqual([
    [["1#1"], 2],
    [["1#2"], 2],
  ]);
});

test.each([1, 2, 3, 5])(
  "with at most %i attempts, changes that fail go out so often each, the last time alone",
  (maxAttempts) => {
    const rules = { ...RULES, maxAttempts };
    for (const count of [1, 2, 7]) {
      const changes = Array.from({ length: count }, (_, nth) => change(nth));
      let it = revision({ ...EMPTY, waiting: [{ ...group(0), changes }] }, { rules });
      const times = new Map<string, number>();
      for (let [first] = it.ledger.waiting; first !== undefined; [first] = it.ledger.waiting) {
        const id = `b${it.events.length}`;
        it = intend(it, [
          { id, changes: first.changes, attempt: first.attempts + 1, followUp: null },
        ]);
        it = recordSent(it, id, { type: "accepted", jobId: id, isFollowUp: false });
        for (const { key } of first.changes) times.set(key, (times.get(key) ?? 0) + 1);
        it = takePoll(it, id, polled("failed"));
      }
      expect([...times.values()]).toEqual(changes.map(() => maxAttempts));
      const alone = maxAttempts === 1 ? [count] : changes.map(() => 1);
      expect(it.ledger.batches.map(({ changes }) => changes.length)).toEqual(alone);
      it = revision(it.ledger, { rules });
      expect(it.ledger.batches.every((batch) => needsDecision(it, batch))).toBe(true);
    }
  },
);

test("a job that the service does not know counts as running for ten minutes, then in one run more", () => {
  const ledger = running();
  let young = revision(ledger, { now: NOW + 9 * MINUTE });
  young = takePoll(young, "b", polled("unknown"));
  expect(isNews(young, ledger)).toBe(false);
  let first = revision(ledger, { now: NOW + 11 * MINUTE });
  first = takePoll(first, "b", polled("unknown"));
  expect(first.ledger.batches).toMatchObject([{ state: "running", job: { unknownRuns: 1 } }]);
  let seen = revision(first.ledger, { now: NOW + 12 * MINUTE });
  seen = takePoll(seen, "b", polled("running"));
  expect(seen.ledger.batches).toMatchObject([{ job: { unknownRuns: 0 } }]);
  let second = revision(first.ledger, { now: NOW + 12 * MINUTE });
  second = takePoll(second, "b", polled("unknown"));
  expect(second.ledger.batches).toEqual([]);
  expect(waiting(second)).toEqual([
    [["1#1"], 1],
    [["1#2"], 1],
  ]);
});

test("a job at work past the deadline needs a decision, holds nobody up, and its late end is taken", () => {
  let it = revision(running(), { now: NOW + 25 * HOUR });
  it = takePoll(it, "b", polled("running"));
  const [batch] = it.ledger.batches;
  if (batch === undefined) throw new Error("no batch");
  expect([undecidedBatches(it), activeBatches(it)]).toEqual([[batch], []]);
  it = takePoll(it, "b", polled("done"));
  expect(it.ledger).toMatchObject({ batches: [], done: [{ result: "none" }] });
});

test("a follow-up's changes join those that its docs pull request documents", () => {
  let it = revision({ ...running(2, { isFollowUp: true }), reviews: [review()] });
  const pull = { state: "open", lastCommitAt: "" } as const;
  it = takePoll(it, "b", { ...polled("done", LINK), pull });
  const keys = it.ledger.reviews.flatMap(({ changes }) => changes.map(({ key }) => key));
  expect(keys).toEqual(["1#9", "1#1", "1#2"]);
});

test.each<[name: string, state: PullState["state"], lastCommitAt: string, isTooLate: boolean]>([
  ["closed before", "closed", "2026-11-22T11:59:59Z", true],
  ["closed after a commit", "closed", "2026-11-22T12:00:00Z", false],
  ["still open", "open", "2026-11-22T11:00:00Z", false],
  ["of which nobody knows the commit", "merged", "", false],
  ["that cannot be read", "unread", "", false],
])(
  "a docs pull request %s decides whether a follow-up was too late",
  (_, state, lastCommitAt, isLate) => {
    let it = revision({ ...running(1, { isFollowUp: true }), reviews: [review()] });
    it = takePoll(it, "b", { ...polled("done", LINK), pull: { state, lastCommitAt } });
    expect(waiting(it)).toEqual(isLate ? [[["1#1"], 1]] : []);
  },
);

test("a job that failed on a follow-up, or was decided on while it was at work, gets no further one", () => {
  const ledger = { ...running(1, { isFollowUp: true }), reviews: [review()] };
  let failed = revision(ledger);
  failed = takePoll(failed, "b", polled("failed"));
  expect(failed.ledger.reviews).toMatchObject([{ isClosedToBatches: true }]);
  for (const choice of ["again", "leave"] as const) {
    let it = revision(ledger, { now: NOW + 25 * HOUR });
    it = applyDecision(it, { id: "b", choice });
    expect(it.ledger).toMatchObject({ batches: [], reviews: [{ isClosedToBatches: true }] });
  }
});

test("a decision counts once, and only where one is needed", () => {
  const ledger = running(2, { attempt: 3 });
  let it = revision(ledger);
  it = applyDecision(it, { id: "b", choice: "again" });
  expect(isNews(it, ledger)).toBe(false);
  it = takePoll(it, "b", polled("failed"));
  let left = revision(it.ledger);
  left = applyDecision(left, { id: "b", choice: "leave" });
  expect(left.ledger).toMatchObject({ batches: [], waiting: [], done: [{ result: "left" }] });
  expect(left.history).toMatchObject([{ state: "left" }]);
  it = applyDecision(it, { id: "b", choice: "again" });
  it = applyDecision(it, { id: "b", choice: "again" });
  expect(waiting(it)).toEqual([[["1#1", "1#2"], 3]]);
});
