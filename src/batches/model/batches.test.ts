import { expect, test } from "vitest";
import {
  accepted,
  change,
  EMPTY,
  group,
  HOUR,
  intendedBatch,
  LINK,
  MINUTE,
  NOW,
  pendingComment,
  plannedBatch,
  polled,
  pullRead,
  RULES,
  refusedBy,
  review,
  revision,
  running,
  runningBatch,
  task,
  UNCERTAIN,
  unread,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { notSent } from "../../runtime/delivery.ts";
import { endWaits, expireIntended, intend, recordRequest } from "./batches.ts";
import { applyDecision } from "./decisions.ts";
import { intendDraft } from "./drafts.ts";
import type { Group } from "./ledger.ts";
import { takePoll } from "./polls.ts";
import { takeReview } from "./reviews.ts";
import { needsDecision } from "./revision.ts";

const ACCEPTED = accepted();
const NOT_SENT = notSent("outdated");
const DRAFTED = { ...change(1), sha: "head", landedAt: "" };
const PLANNED = plannedBatch("b", [change(1)]);

test("an intent takes its changes from what waits, and a withdrawal puts them back in front", () => {
  const before = revision({ ...EMPTY, waiting: [1, 2, 3].map((nth) => group(nth)) });
  const intended = intend(before, [{ ...PLANNED, changes: [change(1), change(2)] }]);
  expect(waiting(intended)).toEqual([[["1#3"], 0]]);
  expect(intended.ledger.starts).toHaveLength(1);
  expect(Object.values(intended.ledger.requests)).toEqual([1]);
  const withdrawn = recordRequest(intended, "b", NOT_SENT);
  expect(waiting(withdrawn)).toEqual([
    [["1#1", "1#2"], 0],
    [["1#3"], 0],
  ]);
  expect(withdrawn.ledger.starts).toEqual([]);
  expect(Object.values(withdrawn.ledger.requests)).toEqual([0]);
  expect(withdrawn.ledger.batches).toEqual([]);
});

test("a job that is known replaces a doubt, and no doubt a job that is known", () => {
  const doubted = recordRequest(intend(revision(EMPTY), [PLANNED]), "b", UNCERTAIN);
  expect(doubted.ledger.batches).toMatchObject([
    { state: "uncertain", reason: { code: "unanswered", words: "lost" } },
  ]);
  const known = recordRequest(doubted, "b", ACCEPTED);
  expect(known.ledger.batches).toMatchObject([{ state: "running", job: { id: "job" } }]);
  expect(known.ledger.batches[0]).not.toHaveProperty("reason");
  expect(recordRequest(recordRequest(known, "b", UNCERTAIN), "b", NOT_SENT)).toBe(known);
});

test.each([ACCEPTED, NOT_SENT, refusedBy("content"), UNCERTAIN])(
  "the result $type, recorded twice, is the same ledger as once",
  (sent) => {
    const once = recordRequest(intend(revision(EMPTY), [PLANNED]), "b", sent);
    expect(recordRequest(once, "b", sent).ledger).toEqual(once.ledger);
  },
);

test("only intents whose run is dead become uncertain", () => {
  const at = "2026-11-22T11:00:00Z";
  const batches = [{ ...intendedBatch("a", [change(1)]), at }, intendedBatch("b", [change(2)])];
  const expired = expireIntended(revision({ ...EMPTY, batches }), (time) => time === at);
  expect(expired.ledger.batches.map(({ state }) => state)).toEqual(["uncertain", "intended"]);
});

test("a draft that was withdrawn leaves nothing, and one that is unclear stays", () => {
  const drafted = intendDraft(revision(EMPTY), "d", DRAFTED);
  expect(drafted.ledger.starts).toHaveLength(1);
  expect(Object.values(drafted.ledger.requests)).toEqual([1]);
  const withdrawn = recordRequest(drafted, "d", NOT_SENT);
  expect(withdrawn.ledger).toMatchObject({ drafts: [], starts: [] });
  const unclear = intendDraft(withdrawn, "e", DRAFTED);
  const later = expireIntended(revision(unclear.ledger, { now: NOW + 11 * MINUTE }), () => true);
  expect(later.ledger.drafts).toMatchObject([{ state: "uncertain" }]);
  const known = recordRequest(later, "e", ACCEPTED);
  expect(known.ledger.drafts).toMatchObject([{ state: "running", job: { id: "job" } }]);
});

test.each([null, "javascript:alert(1)"])(
  "completed without a pull request to show, twice, is an end (%s)",
  (prLink) => {
    const once = takePoll(revision(running()), "b", polled("completed", prLink));
    expect(once).toMatchObject({ ledger: { batches: [{ state: "running" }] }, events: [] });
    const later = revision(once.ledger, { now: NOW + MINUTE });
    const { ledger, history } = takePoll(later, "b", polled("completed", prLink));
    expect(ledger).toMatchObject({ batches: [], reviews: [] });
    expect(ledger.done).toMatchObject([{ result: "none", prLink: null }]);
    expect(ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0, unseen: 0 } });
    expect(history).toMatchObject([{ batch: "b", state: "done", jobId: "job" }]);
  },
);

test("with a pull request it is in review until that is merged or closed", () => {
  const done = takePoll(revision(running()), "b", polled("completed", LINK));
  expect(done.ledger).toMatchObject({ done: [], reviews: [{ prLink: LINK, jobId: "job" }] });
  expect(done.ledger.agent.links).toEqual([LINK]);
  const open = takeReview(done, LINK, pullRead("open"));
  expect(open.ledger.reviews).toHaveLength(1);
  const closed = takeReview(open, LINK, pullRead("closed"));
  expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2, unseen: 0 } });
  const merged = takeReview(open, LINK, pullRead("merged"));
  expect(merged.ledger).toMatchObject({ reviews: [], done: [{ result: "merged", prLink: LINK }] });
  expect(merged.ledger.days).toEqual({ "2026-11-20": { documented: 2, not: 0, unseen: 0 } });
});

test("a follow-up whose docs pull request was merged while its job was running gives its changes back", () => {
  const before = revision({ ...running(1, { isFollowUp: true }), reviews: [review()] });
  const merged = takeReview(before, LINK, pullRead("merged"));
  expect(waiting(takePoll(merged, "b", polled("completed", LINK)))).toEqual([[["1#1"], 1]]);
});

test("merged pull requests get a comment with the result, commits and tasks get none", () => {
  const changes = [change(1), { ...change(2), number: null }, task("a.md")];
  const ledger = { ...EMPTY, batches: [runningBatch("b", changes, { id: "job" })] };
  const commenting = revision(ledger, { rules: { ...RULES, comments: true } });
  const { pendingComments } = takePoll(commenting, "b", polled("completed", LINK)).ledger;
  expect(pendingComments).toEqual([pendingComment(1)]);
  const quiet = takePoll(revision(ledger), "b", polled("completed", LINK));
  expect(quiet.ledger.pendingComments).toEqual([]);
});

test("the agent's pull requests and branches are remembered, also of a job that failed", () => {
  const poll = polled("failed", LINK, { branch: "docs-agent/1" });
  const { agent } = takePoll(revision(running()), "b", poll).ledger;
  expect(agent).toEqual({ links: [LINK], branches: ["docs-agent/1"] });
});

test("a failed batch is handed over again as two halves, and the last time each change by itself", () => {
  expect(waiting(takePoll(revision(running(4)), "b", polled("failed")))).toEqual([
    [["1#1", "1#2"], 1],
    [["1#3", "1#4"], 1],
  ]);
  const last = revision(running(2, { attempt: 2 }));
  expect(waiting(takePoll(last, "b", polled("failed")))).toEqual([
    [["1#1"], 2],
    [["1#2"], 2],
  ]);
});

test.each([1, 2, 3, 5])(
  "with at most %i attempts, changes that fail go out so often each, the last time with three others",
  (maxAttempts) => {
    const rules = { ...RULES, maxAttempts };
    for (const count of [1, 2, 7]) {
      const changes = Array.from({ length: count }, (_, nth) => change(nth));
      let now = revision({ ...EMPTY, waiting: [{ ...group(0), changes }] }, { rules });
      const times = new Map<string, number>();
      for (let [first] = now.ledger.waiting; first !== undefined; [first] = now.ledger.waiting) {
        const id = `b${now.events.length}`;
        const planned = { ...PLANNED, id, changes: first.changes, attempt: first.attempts + 1 };
        const sent = recordRequest(intend(now, [planned]), id, accepted(id));
        for (const { key } of first.changes) times.set(key, (times.get(key) ?? 0) + 1);
        now = takePoll(sent, id, polled("failed"));
      }
      expect([...times.values()]).toEqual(changes.map(() => maxAttempts));
      const { batches } = now.ledger;
      const most = maxAttempts === 1 ? count : 4;
      for (const batch of batches) expect(batch.changes.length).toBeLessThanOrEqual(most);
      expect(batches.every((batch) => needsDecision(now, batch))).toBe(true);
    }
  },
);

test("a follow-up's changes join those that its docs pull request documents", () => {
  const before = revision({ ...running(2, { isFollowUp: true }), reviews: [review()] });
  const pull = { state: "open", lastCommitAt: null, hasLaterCommits: null } as const;
  const { reviews } = takePoll(before, "b", polled("completed", LINK), { pull }).ledger;
  const keys = reviews.flatMap(({ changes }) => changes.map(({ key }) => key));
  expect(keys).toEqual(["1#9", "1#1", "1#2"]);
});

test("a job that failed on a follow-up, or was decided on while it was at work, gets no further one", () => {
  const ledger = { ...running(1, { isFollowUp: true }), reviews: [review()] };
  const failed = takePoll(revision(ledger), "b", polled("failed"));
  expect(failed.ledger.reviews).toMatchObject([{ isClosedToBatches: true }]);
  for (const choice of ["again", "leave"] as const) {
    const late = revision(ledger, { now: NOW + 25 * HOUR });
    const decided = applyDecision(late, { id: "b late", choice });
    expect(decided.ledger).toMatchObject({ batches: [], reviews: [{ isClosedToBatches: true }] });
  }
});

test("a poll that could not be made says nothing", () => {
  const before = revision(running());
  expect(takePoll(before, "b", unread("unanswered"))).toBe(before);
});

test("what was limited or busy is over once nothing waits for it", () => {
  const since = "2026-11-22T12:00:00Z";
  const held = { limitedSince: since, busyJobs: [{ jobId: "job", since }] };
  const after = (waiting: Group) =>
    endWaits(revision({ ...EMPTY, ...held, waiting: [waiting] })).ledger;
  expect(after(group(1))).toMatchObject(held);
  expect(after(group(1, { isReleased: false }))).toMatchObject({
    limitedSince: null,
    busyJobs: [],
  });
});
