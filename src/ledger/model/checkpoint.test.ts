import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  batch,
  change,
  claim,
  comment,
  MINUTE,
  NOON,
} from "../../../test/support/example-records.ts";
import { CHECKPOINT_LIMITS, makeCheckpoint } from "./checkpoint.ts";
import { type LedgerState, readLedger } from "./read-ledger.ts";
import type { Change, Checkpoint, LedgerComment } from "./record.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function read(
  comments: LedgerComment<Change>[],
  now = NOON,
  checkpoints: Checkpoint<Change>[] = [],
): LedgerState<Change> {
  return readLedger({ checkpoints, comments, own: [], now });
}

const ids = ({ claims }: Checkpoint<Change>) => claims.map((dated) => dated.claim.id);

/** Numbers that look random and are always the same. */
function drawing(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Long ago, so that nothing is kept for being recent. */
const long = { createdAt: NOON - 2 * DAY, updatedAt: NOON - 2 * DAY };

describe("a checkpoint keeps", () => {
  test("what is running, needs a person, or is to be handed over again", () => {
    const states = ["running", "failed", "uncertain", "withdrawn"] as const;
    const comments = states.map((state, index) =>
      comment(claim(index + 1, [batch([`#${index}`], state)]), long),
    );
    expect(ids(makeCheckpoint(read(comments)))).toEqual(["c1", "c2", "c3"]);
  });

  test("a failed batch only until its change is in other hands for good", () => {
    const failed = comment(claim(1, [batch(["#1"], "failed")]), long);
    const again = (state: "intended" | "running") =>
      comment(
        claim(2, [
          batch([], state, { handed: [{ change: change("#1"), attempt: 2, after: "c1.0" }] }),
        ]),
      );
    expect(ids(makeCheckpoint(read([failed, again("intended")])))).toContain("c1");
    expect(ids(makeCheckpoint(read([failed, again("running")])))).not.toContain("c1");
  });

  test("the newest that are done, as far as there is room", () => {
    const comments = Array.from({ length: 100 }, (_, index) =>
      comment(claim(index + 1, [batch([`#${index + 1}`], "done")]), long),
    );
    const kept = ids(
      makeCheckpoint(read(comments), {
        ...CHECKPOINT_LIMITS,
        claims: 900,
        numbers: 1000,
        prints: 0,
      }),
    );
    expect(kept.slice(0, 2)).toEqual(["c100", "c99"]);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.length).toBeLessThan(30);
  });

  test("the newest with a pull request, whatever room there is, and that it is done", () => {
    const keys = Array.from({ length: 100 }, (_, index) => `o/a@${index * 7919}`);
    const prLink = "https://github.com/o/a/pull/1";
    const comments = [
      comment(claim(1, [batch(["#1"], "done", { prLink: `${prLink}0` })]), long),
      comment(claim(2, [batch(keys, "done", { prLink })]), long),
      comment(claim(3, [batch(["#3"], "done")]), long),
    ];
    const checkpoint = makeCheckpoint(read(comments), {
      ...CHECKPOINT_LIMITS,
      claims: 500,
      numbers: 10,
      prints: 1000,
    });
    expect(ids(checkpoint)).toEqual(["c3", "c2"]);
    expect(checkpoint.claims[1]?.claim.batches[0]).toMatchObject({
      prLink,
      jobId: "job",
      handed: [],
    });
    const next = read([], NOON, [checkpoint]);
    expect(keys.every((key) => next.known.has(key))).toBe(true);
    expect(next.doneByDay).toEqual(read(comments).doneByDay);
  });

  test("claims of the last hour whatever has become of them", () => {
    const withdrawn = claim(1, [batch(["#1"], "withdrawn")]);
    const lately = { updatedAt: NOON - HOUR + 1 };
    expect(ids(makeCheckpoint(read([comment(withdrawn, lately)])))).toEqual(["c1"]);
  });
});

test("the next run reads an hour more than this one has read", () => {
  expect(makeCheckpoint(read([])).since).toBe(NOON - HOUR);
});

test("where there is no room for what matters, the newest of it is read again", () => {
  const comments = Array.from({ length: 50 }, (_, index) =>
    comment(claim(index + 1, [batch([`#${index + 1}`], "uncertain")]), {
      updatedAt: NOON - DAY + index * MINUTE,
    }),
  );
  const checkpoint = makeCheckpoint(read(comments), {
    ...CHECKPOINT_LIMITS,
    claims: 900,
    numbers: 0,
    prints: 0,
  });
  const kept = checkpoint.claims.length;
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(50);
  expect(checkpoint.since).toBeLessThan(comments[kept]?.updatedAt ?? 0);
  const since = comments.filter(({ updatedAt }) => updatedAt > checkpoint.since);
  expect(read(since, NOON, [checkpoint]).open.size).toBe(50);
});

test("cursors that are moved on stay moved, until a claim sets them anew", () => {
  const cursors = { "o/a@main": "sha1" };
  const comments = [comment(claim(1, [batch(["#1"], "running", { cursors })]))];
  const moved = { "o/a@main": { sha: "sha9", number: 1, comment: 1, moved: 1 } };
  const state = readLedger({
    ...{ checkpoints: [], comments, own: [], moved },
    now: NOON,
    without: null,
  });
  const checkpoint = makeCheckpoint(state);
  expect(read(comments, NOON, [checkpoint]).cursors.get("o/a@main")?.sha).toBe("sha9");
  const next = comment(claim(2, [batch(["#2"], "running", { cursors: { "o/a@main": "sha12" } })]));
  expect(read([...comments, next], NOON, [checkpoint]).cursors.get("o/a@main")?.sha).toBe("sha12");
});

describe("after 5,000 batches of four pull requests each", () => {
  const BATCHES = 5000;
  const random = drawing();
  const all = Array.from({ length: BATCHES }, (_, index) => {
    const keys = [0, 3, 6, 9].map((one) => `owner/name#${index * 12 + one + random(3)}`);
    const at = {
      createdAt: NOON - (BATCHES - index) * HOUR,
      updatedAt: NOON - (BATCHES - index) * HOUR,
    };
    return comment(claim(index + 1, [batch(keys, "done")]), at);
  });
  const checkpoint = makeCheckpoint(read(all));

  test("the next run reads one page of comments, and knows all that is done", () => {
    const since = all.filter(({ updatedAt }) => updatedAt >= checkpoint.since);
    expect(since.length).toBeLessThan(100);
    const state = read(since, NOON, [checkpoint]);
    const keys = all.flatMap(({ record }) =>
      record?.kind === "claim" ? record.batches.flatMap(({ handed }) => handed) : [],
    );
    expect(keys.filter(({ change: { key } }) => !state.known.has(key))).toEqual([]);
    expect(state.known.has("owner/name#60000")).toBe(false);
    expect(state.next).toBe(BATCHES + 1);
  });

  test("the checkpoint fits the body of an issue with room for what people read", () => {
    const written = deflateRawSync(JSON.stringify(checkpoint)).toString("base64url");
    expect(written.length).toBeLessThan(20_000);
  });
});

test("a checkpoint of a queue knows 5,000 tasks by hash and fits the body of an issue", () => {
  const all = Array.from({ length: 500 }, (_, index) => {
    const tasks = Array.from({ length: 10 }, (__, task) =>
      batch([`task ${index}/${task}`], "done"),
    );
    return comment(claim(index + 1, tasks), long);
  });
  const limits = { ...CHECKPOINT_LIMITS, claims: 4000, numbers: 0, prints: 6000 };
  const checkpoint = makeCheckpoint(read(all), limits);
  expect(read([], NOON, [checkpoint]).known.has("task 0/0")).toBe(true);
  const written = deflateRawSync(JSON.stringify(checkpoint)).toString("base64url");
  expect(written.length).toBeLessThan(40_000);
});
