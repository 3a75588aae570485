import { describe, expect, test } from "vitest";
import {
  change,
  doneDraft,
  EMPTY,
  failedBatch,
  group,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  revision,
  runningBatch,
  source,
  waiting,
} from "../../test/support/ledger-examples.ts";
import { landed, sourceFacts, upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { leftSources, mayRepeat, noteReads, takeSource } from "./sources.ts";

const INPUTS = upkeepInputs();
const KNOWN: Ledger = { ...EMPTY, sources: [source()] };

describe("what a branch gained", () => {
  test("waits, oldest first, and the cursor moves past it", () => {
    const older = { ...change(2), landedAt: "2026-11-19T10:00:00Z" };
    const facts = sourceFacts({ landed: [landed(older), landed(change(1))] });
    const after = takeSource(revision({ ...KNOWN, waiting: [group(3)] }), facts, INPUTS);
    expect(waiting(after)).toEqual([
      [["1#2"], 0],
      [["1#3"], 0],
      [["1#1"], 0],
    ]);
    expect(after.ledger.sources).toEqual([
      source({ sha: "after-1#1", date: "2026-11-20T10:00:00Z" }),
    ]);
    expect(after.events).toEqual(["Found #2 and #1 in acme/code"]);
  });

  test("goes on to its tip when what one run can read was taken up to its target", () => {
    const far = sourceFacts({ target: "after-1#2", landed: [landed(change(1))] });
    const on = takeSource(revision(KNOWN), far, INPUTS);
    expect(on.ledger.sources).toMatchObject([{ sha: "after-1#1", target: "after-1#2" }]);
    const reached = sourceFacts({ target: "after-1#2", landed: [landed(change(2))] });
    const after = takeSource(on, reached, INPUTS);
    expect(after.ledger.sources).toMatchObject([{ sha: "after-1#2", target: null }]);
  });

  test("goes behind what was handed over before", () => {
    const again = group(9, { attempts: 1, source: null });
    const facts = sourceFacts({ landed: [landed(change(1))] });
    const after = takeSource(revision({ ...KNOWN, waiting: [again] }), facts, INPUTS);
    expect(waiting(after)).toEqual([
      [["1#9"], 1],
      [["1#1"], 0],
    ]);
  });

  test.each<[string, Partial<Ledger>]>([
    ["waits", { waiting: [group(1)] }],
    ["is in a batch", { batches: [runningBatch("b", [change(1)])] }],
  ])("is not taken again if it %s already", (_, held) => {
    const begun = revision({ ...KNOWN, ...held });
    const after = takeSource(begun, sourceFacts({ landed: [landed(change(1))] }), INPUTS);
    expect(after.ledger.waiting).toEqual(begun.ledger.waiting);
  });

  test("is not taken again if it was finished before the branch was rewritten", () => {
    const facts = sourceFacts({
      isRewritten: true,
      landed: [landed(change(1))],
      endedKeys: new Set(["1#1"]),
    });
    const after = takeSource(revision(KNOWN), facts, INPUTS);
    expect(after.ledger.waiting).toEqual([]);
    expect(after.ledger.sources).toMatchObject([{ wasRewritten: true }]);
  });

  test("is passed over as the same commit from before a rewrite", () => {
    const former = "0123456789abcdef";
    const facts = sourceFacts({ landed: [landed(change(1), { former, pull: undefined })] });
    expect(takeSource(revision(KNOWN), facts, INPUTS).ledger.passedOver).toEqual([
      { change: change(1), reason: { code: "same-commit", sha: former } },
    ]);
  });

  test("is passed over by the filters, and as the agent's own", () => {
    const byBot = { ...change(1), author: "dependabot[bot]" };
    const own = { ...change(2), url: "https://github.com/acme/code/pull/2" };
    const facts = sourceFacts({
      landed: [landed(byBot), landed(own)],
      otherAgents: { links: [own.url], branches: [] },
    });
    const { ledger } = takeSource(revision(KNOWN), facts, INPUTS);
    expect(ledger.waiting).toEqual([]);
    expect(ledger.passedOver.map(({ reason }) => reason)).toEqual([
      { code: "by-agent" },
      { code: "author", author: "dependabot[bot]" },
    ]);
  });
});

test("what was taken already changes nothing, nor does a branch that gained nothing", () => {
  const facts = sourceFacts({ landed: [landed(change(1)), landed(change(2))] });
  const once = takeSource(revision(KNOWN), facts, INPUTS).ledger;
  expect(takeSource(revision(once), facts, INPUTS).ledger).toEqual(once);
  expect(takeSource(revision(KNOWN), sourceFacts(), INPUTS).ledger).toEqual(KNOWN);
});

test("a change that was read twice is taken once", () => {
  const facts = sourceFacts({ landed: [landed(change(1)), landed(change(1))] });
  expect(waiting(takeSource(revision(KNOWN), facts, INPUTS))).toEqual([[["1#1"], 0]]);
});

describe("the draft of a pull request that was merged", () => {
  const facts = sourceFacts({ landed: [landed(change(1))] });

  test("becomes a batch with the draft's job, and nothing waits", () => {
    const drafts = [runningBatch("d", [change(1)])];
    const { ledger } = takeSource(revision({ ...KNOWN, drafts }), facts, INPUTS);
    expect(ledger).toMatchObject({
      drafts: [],
      waiting: [],
      batches: [{ id: "d", state: "running", isOutdated: false }],
    });
  });

  test("gets a follow-up if another head was merged", () => {
    const drafts = [doneDraft("d", [{ ...change(1), sha: "drafted" }])];
    const { ledger } = takeSource(revision({ ...KNOWN, drafts }), facts, INPUTS);
    expect(ledger).toMatchObject({
      drafts: [],
      batches: [],
      waiting: [{ changes: [{ key: "1#1" }], followUp: { jobId: "job-d", prLink: null } }],
    });
  });

  test("is dropped if it failed, and the change waits", () => {
    const drafts = [failedBatch("d", [change(1)])];
    const after = takeSource(revision({ ...KNOWN, drafts }), facts, INPUTS);
    expect(after.ledger).toMatchObject({ drafts: [], batches: [] });
    expect(waiting(after)).toEqual([[["1#1"], 0]]);
  });

  test("is in review at once if its job is done", () => {
    const drafts = [doneDraft("d", [change(1)], { prLink: LINK })];
    const after = takeSource(revision({ ...KNOWN, drafts }), facts, INPUTS);
    expect(after.ledger).toMatchObject({
      drafts: [],
      batches: [],
      waiting: [],
      reviews: [{ prLink: LINK, jobId: "job-d", changes: [{ key: "1#1" }] }],
    });
    expect(after.history).toMatchObject([{ batch: "d", state: "done" }]);
  });

  test("is taken although a filter excludes the change, because it was requested", () => {
    const byBot = { ...change(1), author: "dependabot[bot]" };
    const drafts = [runningBatch("d", [byBot])];
    const found = sourceFacts({ landed: [landed(byBot)] });
    const { ledger } = takeSource(revision({ ...KNOWN, drafts }), found, INPUTS);
    expect(ledger).toMatchObject({ batches: [{ id: "d" }], passedOver: [] });
  });

  test("keeps its intent until its request is recorded", () => {
    const drafts = [intendedBatch("d", [change(1)])];
    const { ledger } = takeSource(revision({ ...KNOWN, drafts }), facts, INPUTS);
    expect(ledger).toMatchObject({ drafts: [], batches: [{ id: "d", state: "intended" }] });
  });
});

describe("a branch", () => {
  test("that the ledger does not know is added", () => {
    const { ledger } = takeSource(revision(EMPTY), sourceFacts(), INPUTS);
    expect(ledger.sources).toEqual([source()]);
  });

  test("that was renamed goes on at its cursor, with what waits", () => {
    const begun = revision({
      ...EMPTY,
      sources: [source({ branch: "master", readAt: "2026-11-21T00:00:00Z" })],
      waiting: [group(1, { source: "1@master" })],
    });
    const after = takeSource(begun, sourceFacts({ formerBranch: "master" }), INPUTS);
    expect(after.ledger.sources).toEqual([source({ readAt: "2026-11-21T00:00:00Z" })]);
    expect(after.ledger.waiting).toMatchObject([{ source: "1@main" }]);
    expect(after.events).toEqual(["Continue with main in place of master"]);
  });

  test("that is not another one's new name leaves the other's cursor", () => {
    const begun = revision({
      ...EMPTY,
      sources: [source({ branch: "master" })],
      waiting: [group(1, { source: "1@master" })],
    });
    const { ledger } = takeSource(begun, sourceFacts({ isDefault: false }), INPUTS);
    expect(ledger.sources).toEqual([source({ branch: "master" }), source()]);
    expect(ledger.waiting).toMatchObject([{ source: "1@master" }]);
    // Another default branch takes over what waits.
    const taken = takeSource(begun, sourceFacts(), INPUTS).ledger;
    expect(taken.sources).toEqual([source({ branch: "master" }), source()]);
    expect(taken.waiting).toMatchObject([{ source: "1@main" }]);
  });

  test("that the inputs still name is nobody's former one", () => {
    const { repository } = sourceFacts();
    const { repositories } = upkeepInputs({ repositories: "acme/code\nacme/code@next" });
    expect(leftSources(KNOWN, repository, repositories)).toEqual([]);
    expect(leftSources(KNOWN, { ...repository, id: 2 }, [])).toEqual([]);
    expect(leftSources(KNOWN, repository, [])).toEqual([source()]);
    expect(mayRepeat(KNOWN, repository, null)).toBe(true);
  });

  test("that is alone and never was rewritten repeats nothing", () => {
    const { repository } = sourceFacts();
    expect(mayRepeat(KNOWN, repository, source())).toBe(false);
    expect(mayRepeat(KNOWN, repository, source({ wasRewritten: true }))).toBe(true);
  });

  test("keeps the time at which a run read it that could not read all", () => {
    const now = NOW + HOUR;
    const { ledger } = noteReads(revision(KNOWN, { now }), [sourceFacts()]);
    expect(ledger.sources).toMatchObject([{ readAt: "2026-11-22T13:00:00Z" }]);
  });
});
