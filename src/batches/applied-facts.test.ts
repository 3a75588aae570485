import { describe, expect, test } from "vitest";
import { NO_DASHBOARD, readsOf } from "../../test/support/batch-reads.ts";
import {
  AT,
  change,
  doneDraft,
  EMPTY,
  failedBatch,
  HALT,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  polled,
  pullRead,
  review,
  revision,
  running,
  runningBatch,
  uncertainBatch,
  unread,
  waiting,
} from "../../test/support/ledger-examples.ts";
import type { PullEnd } from "../github/changes/pull-state.ts";
import { type Fact, known } from "../runtime/fact.ts";
import { applyFacts } from "./applied-facts.ts";
import { obstacleIn } from "./batch-plan.ts";
import type { Ledger, Reviewed } from "./model/ledger.ts";
import type { Polled } from "./model/polls.ts";
import { undecidedBatches } from "./model/undecided.ts";

const OPEN: PullEnd = { state: "open", lastCommitAt: null, hasLaterCommits: null };
const FAILED = unread("unanswered");
const DOCUMENTED = { jobId: "job", changes: [change(1)] };

/** Applies facts to a ledger. @param polls by batch; the others cannot be polled */
async function apply(
  over: Partial<Ledger>,
  polls: Record<string, Fact<Polled>> = {},
  now = NOW,
  state: Parameters<typeof pullRead>[0] = "open",
  end: Fact<PullEnd> = known(OPEN),
) {
  const reads = readsOf({
    poll: async ({ id }) => polls[id] ?? unread("unanswered"),
    pullState: async () => pullRead(state),
    pullEnd: async () => end,
    documented: async (link) =>
      link.startsWith(LINK) ? { type: "known", value: DOCUMENTED } : { type: "absent" },
  });
  const facts = await applyFacts(revision({ ...EMPTY, ...over }, { now }), reads);
  const askedFor = (name: string) =>
    reads.asked.filter((it) => it.startsWith(`${name} `)).map((it) => it.slice(name.length + 1));
  return { ...facts, asked: reads.asked, askedFor };
}

describe("a poll", () => {
  test("is made of each running batch and draft, and of no other", async () => {
    const { askedFor, polls } = await apply(
      {
        batches: [
          runningBatch("running", [change(1)]),
          intendedBatch("intended", [change(2)]),
          uncertainBatch("uncertain", [change(3)]),
          failedBatch("failed", [change(4)]),
        ],
        drafts: [runningBatch("draft", [change(5)]), doneDraft("done", [change(6)])],
      },
      { running: polled("running"), draft: polled("failed") },
    );
    expect(askedFor("poll")).toEqual(["running", "draft"]);
    expect([...polls]).toEqual([
      ["running", polled("running")],
      ["draft", polled("failed")],
    ]);
  });

  test("that could not be made is no fact", async () => {
    const batches = [runningBatch("b", [change(1)])];
    const { polls, revision: after } = await apply({ batches });
    expect(polls.size).toBe(0);
    expect(after.ledger.batches).toEqual(batches);
  });

  const first = { batches: [runningBatch("b", [change(1)])] };
  const batches = [runningBatch("b", [change(1)], { isFollowUp: true })];
  const drafts = [runningBatch("b", [change(1)], { isFollowUp: true })];
  const inReview = { batches, reviews: [review({ jobId: "job-b" })] };
  test.each<[string, Partial<Ledger>, Fact<Polled>, string[]]>([
    ["of a follow-up that is done", { batches }, polled("completed", LINK), [LINK]],
    ["of a follow-up whose link only the ledger knows", inReview, polled("completed"), [LINK]],
    ["of a follow-up that is done without one", { batches }, polled("completed"), []],
    ["of a follow-up that is at work", { batches }, polled("running", LINK), []],
    ["of a follow-up that failed", { batches }, polled("failed", LINK), []],
    ["of a batch that is done", first, polled("completed", LINK), []],
    ["of a draft that is done", { drafts }, polled("completed", LINK), []],
  ])("%s asks for the end of its docs pull request, or of none", async (_, ledger, poll, links) => {
    expect((await apply(ledger, { b: poll })).askedFor("end")).toEqual(links);
  });

  test.each([
    ["unanswered", "running"],
    ["refused", undefined],
  ] as const)(
    "of a follow-up whose docs pull request is unread, %s, leaves it %s",
    async (cause, state) => {
      const polls = { b: polled("completed", LINK) };
      const { revision: after } = await apply(inReview, polls, NOW, "open", unread(cause));
      expect(after.ledger.batches[0]?.state).toBe(state);
    },
  );

  test("records what has ended", async () => {
    const { revision: after } = await apply(running(2), { b: polled("failed") });
    expect(waiting(after)).toEqual([
      [["1#1"], 1],
      [["1#2"], 1],
    ]);
    expect(after.history).toMatchObject([{ batch: "b", state: "failed" }]);
  });
});

describe("docs pull requests", () => {
  const reviewsOf = (count: number) =>
    Array.from({ length: count }, (_, nth) => review({ prLink: `${LINK}${nth}` }));
  const numbersOf = (links: readonly string[]) => links.map((link) => link.slice(LINK.length));

  test("of a job that is done are in review by their state of now", async () => {
    const batches = [runningBatch("b", [change(1)])];
    const ledger = { batches, reviews: [review()] };
    const { askedFor, revision: after } = await apply(
      ledger,
      { b: polled("completed", LINK) },
      NOW,
      "merged",
    );
    expect(askedFor("pull")).toEqual([LINK]);
    expect(after.ledger).toMatchObject({ reviews: [], done: [{ result: "merged" }] });
  });

  test("that were closed, nobody can say by whom, are read as long as that fails, and then a person's", async () => {
    const answers = { pullState: async () => pullRead("closed"), closedBy: async () => FAILED };
    const begun = revision({ ...EMPTY, reviews: [review()] });
    const { revision: first } = await applyFacts(begun, readsOf(answers));
    expect(first.ledger.reviews).toMatchObject([{ unread: { since: AT, isPassing: true } }]);
    const later = revision(first.ledger, { now: NOW + 25 * HOUR });
    const { revision: last } = await applyFacts(later, readsOf(answers));
    expect(undecidedBatches(last)).toMatchObject([{ reason: { code: "docs-pull-unread" } }]);
  });

  test("are all read, the last one first, if they are at most ten", async () => {
    const { askedFor } = await apply({ reviews: reviewsOf(10) });
    const numbers = ["9", "0", "1", "2", "3", "4", "5", "6", "7", "8"];
    expect(numbersOf(askedFor("pull"))).toEqual(numbers);
  });

  test("are read ten at a time, and in turn by the hour, the last one always", async () => {
    const reviews = reviewsOf(26);
    const seen = new Set<string>();
    for (let hour = 0; hour < 25; hour++) {
      const links = (await apply({ reviews }, {}, NOW + hour * HOUR)).askedFor("pull");
      expect(links).toHaveLength(10);
      expect(new Set(links).size).toBe(10);
      expect(links[0]).toBe(`${LINK}25`);
      for (const link of links) seen.add(link);
    }
    expect(seen.size).toBe(26);
  });

  test("are the same ones for the whole hour", async () => {
    const reviews = reviewsOf(26);
    const [begin, end] = [await apply({ reviews }), await apply({ reviews }, {}, NOW + HOUR - 1)];
    expect(end.asked).toEqual(begin.asked);
  });
});

describe("docs pull requests that ended without being merged", () => {
  const ended = (result: Reviewed["result"], prLink: string): Reviewed => {
    return { result, prLink, changes: [change(1)], more: 0 };
  };
  const done = ["a", "b", "c"].map((name) => ended("closed", `${LINK}${name}`));

  test("are read one a run, each in its turn, and none that was merged", async () => {
    const lost = ended("unread", `${LINK}d`);
    const ledger = { done: [...done, lost, ended("merged", `${LINK}e`)] };
    const seen = new Set<string>();
    for (let second = 0; second < 4; second++) {
      const links = (await apply(ledger, {}, NOW + second * 1000)).askedFor("pull");
      expect(links).toHaveLength(1);
      for (const link of links) seen.add(link);
    }
    expect([...seen].sort()).toEqual(["a", "b", "c", "d"].map((name) => `${LINK}${name}`));
  });

  test.each<[Parameters<typeof pullRead>[0], object]>([
    ["open", { done: [], reviews: [{ prLink: `${LINK}a`, jobId: "job" }] }],
    ["merged", { done: [{ result: "merged" }], reviews: [] }],
    ["closed", { done: [{ result: "closed" }], reviews: [] }],
    ["unread", { done: [{ result: "closed" }], reviews: [] }],
    ["unavailable", { done: [{ result: "closed" }], reviews: [] }],
  ])("that are %s now count by that", async (state, expected) => {
    const { revision: after } = await apply({ done: done.slice(0, 1) }, {}, NOW, state);
    expect(after.ledger).toMatchObject(expected);
  });

  test("do not count again if the history does not say what they document", async () => {
    const other = [ended("closed", "https://other.example/1")];
    const { askedFor, revision: after } = await apply({ done: other });
    expect(askedFor("pull")).toHaveLength(1);
    expect(after.ledger.done).toEqual(other);
  });
});

test("facts that make too many failures are an obstacle", async () => {
  const failures = { inRow: HALT.inRow.slice(0, 2), halt: null };
  const { revision: after } = await apply({ ...running(1), failures }, { b: polled("failed") });
  expect(obstacleIn(after, NO_DASHBOARD)).toMatchObject({ code: "halted", halt: { id: "halt b" } });
});
