import { describe, expect, test } from "vitest";
import {
  change,
  doneDraft,
  EMPTY,
  failedBatch,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  polled,
  review,
  runningBatch,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import type { PullEnd, PullState } from "../github/changes/pull-state.ts";
import { readBatchFacts } from "./batch-facts.ts";
import type { Polled } from "./model/batches.ts";
import type { Ledger, Reviewed } from "./model/ledger.ts";

const OPEN: PullEnd = { state: "open", lastCommitAt: null, hasLaterCommits: null };
const DOCUMENTED = { jobId: "job", changes: [change(1)] };

/** Reads the facts of a ledger, and what was read for them. @param polls by batch; the others cannot be polled */
async function read(
  over: Partial<Ledger>,
  polls: Record<string, Polled> = {},
  now = NOW,
  state: PullState = "open",
) {
  const polledIds: string[] = [];
  const links: string[] = [];
  const facts = await readBatchFacts({ ...EMPTY, ...over }, now, {
    poll: async ({ id }) => {
      polledIds.push(id);
      return polls[id] ?? null;
    },
    readPullState: async (link) => {
      links.push(link);
      return state;
    },
    readPullEnd: async (link) => {
      links.push(link);
      return OPEN;
    },
    readDocumented: async (link) => (link.startsWith(LINK) ? DOCUMENTED : null),
  });
  return { ...facts, polledIds, links };
}

describe("a poll", () => {
  test("is made of each running batch and draft, and of no other", async () => {
    const { polledIds, polls } = await read(
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
    expect(polledIds).toEqual(["running", "draft"]);
    expect([...polls]).toEqual([
      ["running", polled("running")],
      ["draft", polled("failed")],
    ]);
  });

  test("that could not be made is no fact", async () => {
    const { polledIds, polls } = await read({ batches: [runningBatch("b", [change(1)])] });
    expect(polledIds).toEqual(["b"]);
    expect(polls.size).toBe(0);
  });

  const batches = [runningBatch("b", [change(1)])];
  const drafts = [runningBatch("b", [change(1)])];
  const followedUp = { batches, reviews: [review({ jobId: "job-b" })] };
  test.each<[string, Partial<Ledger>, Polled, PullEnd | null]>([
    ["of a batch that is done", { batches }, polled("done", LINK), OPEN],
    ["of a follow-up that is done", followedUp, polled("done"), OPEN],
    ["of a batch that is done without one", { batches }, polled("done"), null],
    ["of a batch that is at work", { batches }, polled("running", LINK), null],
    ["of a batch that failed", { batches }, polled("failed", LINK), null],
    ["of a draft that is done", { drafts }, polled("done", LINK), null],
  ])("%s has the docs pull request: %3$j", async (_, ledger, result, pull) => {
    const { polls } = await read(ledger, { b: result });
    expect(polls.get("b")).toEqual({ ...result, pull });
  });
});

describe("docs pull requests", () => {
  const reviewsOf = (count: number) =>
    Array.from({ length: count }, (_, nth) => review({ prLink: `${LINK}${nth}` }));
  const numbersOf = (links: readonly string[]) => links.map((link) => link.slice(LINK.length));

  test("are read once each, also if a job that is done has one of them", async () => {
    const batches = [runningBatch("b", [change(1)])];
    const ledger = { batches, reviews: [review()] };
    const { links, reviews } = await read(ledger, { b: polled("done", LINK) });
    expect(links).toEqual([LINK]);
    expect([...reviews]).toEqual([[LINK, "open"]]);
  });

  test("are all read, the last one first, if they are at most ten", async () => {
    const { links } = await read({ reviews: reviewsOf(10) });
    expect(numbersOf(links)).toEqual(["9", "0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  });

  test("are read ten at a time, and in turn by the hour, the last one always", async () => {
    const reviews = reviewsOf(26);
    const seen = new Set<string>();
    for (let hour = 0; hour < 25; hour++) {
      const { links } = await read({ reviews }, {}, NOW + hour * HOUR);
      expect(links).toHaveLength(10);
      expect(new Set(links).size).toBe(10);
      expect(links[0]).toBe(`${LINK}25`);
      for (const link of links) seen.add(link);
    }
    expect(seen.size).toBe(26);
  });

  test("are the same ones for the whole hour", async () => {
    const reviews = reviewsOf(26);
    const [begin, end] = [await read({ reviews }), await read({ reviews }, {}, NOW + HOUR - 1)];
    expect(end.links).toEqual(begin.links);
  });
});

describe("docs pull requests that ended without being merged", () => {
  const ended = (result: Reviewed["result"], prLink: string): Reviewed => {
    return { result, prLink, changes: [], more: 0 };
  };
  const done = ["a", "b", "c"].map((name) => ended("closed", `${LINK}${name}`));

  test("are read one a run, each in its turn, and none that was merged", async () => {
    const unread = ended("unread", `${LINK}d`);
    const ledger = { done: [...done, unread, ended("merged", `${LINK}e`)] };
    const seen = new Set<string>();
    for (let second = 0; second < 4; second++) {
      const { links } = await read(ledger, {}, NOW + second * 1000);
      expect(links).toHaveLength(1);
      for (const link of links) seen.add(link);
    }
    expect([...seen].sort()).toEqual(["a", "b", "c", "d"].map((name) => `${LINK}${name}`));
  });

  test.each<[PullState, boolean]>([
    ["open", true],
    ["merged", true],
    ["closed", false],
    ["unread", false],
    ["unavailable", false],
  ])("that are %s now count again: %s", async (state, isReopened) => {
    const { reopened } = await read({ done: done.slice(0, 1) }, {}, NOW, state);
    const expected = { ...DOCUMENTED, prLink: `${LINK}a`, state };
    expect(reopened).toEqual(isReopened ? expected : null);
  });

  test("do not count again if the history does not say what they document", async () => {
    const { links, reopened } = await read({ done: [ended("closed", "https://other.example/1")] });
    expect(links).toHaveLength(1);
    expect(reopened).toBeNull();
  });
});
