import { expect, test } from "vitest";
import {
  batch,
  change,
  EMPTY,
  edit,
  group,
  HOUR,
  LINK,
  MINUTE,
  NOW,
  polled,
  RULES,
  review,
  running,
  task,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import {
  decide,
  intend,
  intendDraft,
  type PullRequest,
  recordSent,
  takePoll,
  takeReview,
} from "./batches.ts";

test("an intent takes its changes from what waits, and a withdrawal puts them back in front", () => {
  const it = edit({ ...EMPTY, waiting: [1, 2, 3].map((nth) => group(nth)) });
  intend(it, [{ id: "b", changes: [change(1), change(2)], attempt: 1 }]);
  expect(waiting(it)).toEqual([[["1#3"], 0]]);
  expect(it.ledger.starts).toHaveLength(1);
  recordSent(it, "b", { type: "withdrawn" });
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 0],
    [["1#3"], 0],
  ]);
  expect(it.ledger.starts).toEqual([]);
  expect(it.ledger.batches).toEqual([]);
});

test("a job that is known replaces a doubt, and no doubt a job that is known", () => {
  const it = edit(EMPTY);
  intend(it, [{ id: "b", changes: [change(1)], attempt: 1 }]);
  recordSent(it, "b", { type: "uncertain", why: "lost" });
  expect(it.ledger.batches).toMatchObject([{ state: "uncertain", why: "lost" }]);
  recordSent(it, "b", { type: "accepted", jobId: "job", isFollowUp: false });
  expect(it.ledger.batches).toMatchObject([{ state: "running", jobId: "job", why: "" }]);
  recordSent(it, "b", { type: "uncertain", why: "lost" });
  recordSent(it, "b", { type: "withdrawn" });
  expect(it.ledger.batches).toMatchObject([{ state: "running", jobId: "job" }]);
});

const DRAFTED = { ...change(1), sha: "head", landedAt: "" };
const ACCEPTED = { type: "accepted", jobId: "job", isFollowUp: false } as const;

test("a draft that was withdrawn leaves nothing, and one that is unclear stays", () => {
  const it = edit(EMPTY);
  intendDraft(it, "d", DRAFTED);
  expect(it.ledger.starts).toHaveLength(1);
  recordSent(it, "d", { type: "withdrawn" });
  expect(it.ledger).toMatchObject({ drafts: [], starts: [] });
  intendDraft(it, "e", DRAFTED);
  const later = edit(it.ledger, { now: NOW + 11 * MINUTE });
  expect(later.ledger.drafts).toMatchObject([{ state: "uncertain" }]);
  recordSent(later, "e", ACCEPTED);
  expect(later.ledger.drafts).toMatchObject([{ state: "running", jobId: "job", why: "" }]);
});

test.each([null, "javascript:alert(1)"])(
  "done without a pull request to show is an end (%s)",
  (prLink) => {
    const it = edit(running());
    takePoll(it, "b", polled("done", prLink));
    expect(it.ledger).toMatchObject({ batches: [], reviews: [] });
    expect(it.ledger.done).toMatchObject([{ result: "none", prLink: null }]);
    expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
    expect(it.history).toMatchObject([{ batch: "b", state: "done", jobId: "job" }]);
  },
);

test("with a pull request it is in review until that is merged or closed", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done", LINK));
  expect(it.ledger).toMatchObject({ done: [], reviews: [{ prLink: LINK, jobId: "job" }] });
  expect(it.ledger.agent.links).toEqual([LINK]);
  takeReview(it, LINK, "open");
  expect(it.ledger.reviews).toHaveLength(1);
  const closed = edit(it.ledger);
  takeReview(closed, LINK, "closed");
  expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2 } });
  takeReview(it, LINK, "merged");
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "merged", prLink: LINK }] });
  expect(it.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0 } });
});

test("a follow-up whose docs pull request was merged while its job was running gives its changes back", () => {
  const it = edit({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  takeReview(it, LINK, "merged");
  takePoll(it, "b", polled("done", LINK));
  expect(waiting(it)).toEqual([[["1#1"], 1]]);
});

test("a docs pull request that cannot be read is given up after five runs", () => {
  const it = edit(running());
  takePoll(it, "b", polled("done", LINK));
  for (let run = 1; run < 5; run++) takeReview(it, LINK, "unread");
  expect(it.ledger.reviews).toMatchObject([{ unread: 4 }]);
  takeReview(it, LINK, "unread");
  expect(it.ledger).toMatchObject({ reviews: [], done: [{ result: "unread" }] });
});

test("merged pull requests are told what became of them, commits and tasks are not", () => {
  const changes = [change(1), { ...change(2), number: null }, task("a.md")];
  const ledger = { ...EMPTY, batches: [batch("b", changes, { jobId: "job" })] };
  const it = edit(ledger, { rules: { ...RULES, comments: true } });
  takePoll(it, "b", polled("done", LINK));
  expect(it.ledger.untold).toEqual([{ change: change(1), prLink: LINK, job: "job" }]);
  const quiet = edit(ledger);
  takePoll(quiet, "b", polled("done", LINK));
  expect(quiet.ledger.untold).toEqual([]);
});

test("the agent's pull requests and branches are remembered, also of a job that failed", () => {
  const it = edit(running());
  takePoll(it, "b", { ...polled("failed", LINK), branch: "docs-agent/1" });
  expect(it.ledger.agent).toEqual({ links: [LINK], branches: ["docs-agent/1"] });
});

test("a failed batch is handed over again as two halves, and the last time each change by itself", () => {
  const it = edit(running(4));
  takePoll(it, "b", polled("failed"));
  expect(waiting(it)).toEqual([
    [["1#1", "1#2"], 1],
    [["1#3", "1#4"], 1],
  ]);
  const last = edit(running(2, { attempt: 2 }));
  takePoll(last, "b", polled("failed"));
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
      let it = edit({ ...EMPTY, waiting: [{ ...group(0), changes }] }, { rules });
      const times = new Map<string, number>();
      for (let [first] = it.ledger.waiting; first !== undefined; [first] = it.ledger.waiting) {
        const id = `b${it.events.length}`;
        intend(it, [{ id, changes: first.changes, attempt: first.attempts + 1 }]);
        recordSent(it, id, { type: "accepted", jobId: id, isFollowUp: false });
        for (const { key } of first.changes) times.set(key, (times.get(key) ?? 0) + 1);
        takePoll(it, id, polled("failed"));
      }
      expect([...times.values()]).toEqual(changes.map(() => maxAttempts));
      const alone = maxAttempts === 1 ? [count] : changes.map(() => 1);
      expect(it.ledger.batches.map((one) => one.changes.length)).toEqual(alone);
      it = edit(it.ledger, { rules });
      expect(it.ledger.batches.every((one) => it.needsDecision(one))).toBe(true);
    }
  },
);

test("a job that the service does not know counts as running for ten minutes, then in one run more", () => {
  const ledger = running();
  const young = edit(ledger, { now: NOW + 9 * MINUTE });
  takePoll(young, "b", polled("unknown"));
  expect(young.isChanged).toBe(false);
  const first = edit(ledger, { now: NOW + 11 * MINUTE });
  takePoll(first, "b", polled("unknown"));
  expect(first.ledger.batches).toMatchObject([{ state: "running", unknown: 1 }]);
  const seen = edit(first.ledger, { now: NOW + 12 * MINUTE });
  takePoll(seen, "b", polled("running"));
  expect(seen.ledger.batches).toMatchObject([{ unknown: 0 }]);
  const second = edit(first.ledger, { now: NOW + 12 * MINUTE });
  takePoll(second, "b", polled("unknown"));
  expect(second.ledger.batches).toEqual([]);
  expect(waiting(second)).toEqual([
    [["1#1"], 1],
    [["1#2"], 1],
  ]);
});

test("a job at work past the deadline needs a decision, holds nobody up, and its late end is taken", () => {
  const it = edit(running(), { now: NOW + 25 * HOUR });
  takePoll(it, "b", polled("running"));
  const [batch] = it.ledger.batches;
  if (batch === undefined) throw new Error("no batch");
  expect([it.undecided, it.active]).toEqual([[batch], []]);
  takePoll(it, "b", polled("done"));
  expect(it.ledger).toMatchObject({ batches: [], done: [{ result: "none" }] });
});

test("a follow-up's changes join those that its docs pull request documents", () => {
  const it = edit({ ...running(2, { isFollowUp: true }), reviews: [review()] });
  const pull = { state: "open", lastCommitAt: "" } as const;
  takePoll(it, "b", { ...polled("done", LINK), pull });
  const keys = it.ledger.reviews.flatMap(({ changes }) => changes.map(({ key }) => key));
  expect(keys).toEqual(["1#9", "1#1", "1#2"]);
});

test.each<[what: string, state: PullRequest["state"], lastCommitAt: string, isTooLate: boolean]>([
  ["closed before", "closed", "2026-11-22T11:59:59Z", true],
  ["closed after a commit", "closed", "2026-11-22T12:00:00Z", false],
  ["still open", "open", "2026-11-22T11:00:00Z", false],
  ["of which nobody knows the commit", "merged", "", false],
  ["that cannot be read", "unread", "", false],
])(
  "a docs pull request %s decides whether a follow-up was too late",
  (_, state, lastCommitAt, isLate) => {
    const it = edit({ ...running(1, { isFollowUp: true }), reviews: [review()] });
    takePoll(it, "b", { ...polled("done", LINK), pull: { state, lastCommitAt } });
    expect(waiting(it)).toEqual(isLate ? [[["1#1"], 1]] : []);
  },
);

test("a job that failed on a follow-up, or was decided on while it was at work, gets no further one", () => {
  const ledger = { ...running(1, { isFollowUp: true }), reviews: [review()] };
  const failed = edit(ledger);
  takePoll(failed, "b", polled("failed"));
  expect(failed.ledger.reviews).toMatchObject([{ isClosedToBatches: true }]);
  for (const what of ["again", "leave"] as const) {
    const it = edit(ledger, { now: NOW + 25 * HOUR });
    decide(it, { id: "b", what });
    expect(it.ledger).toMatchObject({ batches: [], reviews: [{ isClosedToBatches: true }] });
  }
});

test("a decision counts once, and only where one is needed", () => {
  const it = edit(running(2, { attempt: 3 }));
  decide(it, { id: "b", what: "again" });
  expect(it.isChanged).toBe(false);
  takePoll(it, "b", polled("failed"));
  const left = edit(it.ledger);
  decide(left, { id: "b", what: "leave" });
  expect(left.ledger).toMatchObject({ batches: [], waiting: [], done: [{ result: "left" }] });
  expect(left.history).toMatchObject([{ state: "left" }]);
  decide(it, { id: "b", what: "again" });
  decide(it, { id: "b", what: "again" });
  expect(waiting(it)).toEqual([[["1#1", "1#2"], 3]]);
});
