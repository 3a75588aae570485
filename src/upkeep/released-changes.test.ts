import { describe, expect, test } from "vitest";
import { change, EMPTY, group, revision, source } from "../../test/support/ledger-examples.ts";
import { landed, sourceFacts, upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import {
  knownSource,
  type ReleaseFacts,
  type SourceFacts,
  takeRelease,
  takeSource,
} from "./sources.ts";

const NONE = new Set<string>();

/** Takes what a branch gained, and then what a release contains of what waits. */
function take(
  before: BatchRevision,
  { release, ...gained }: Partial<SourceFacts> & { release: ReleaseFacts | null },
): BatchRevision {
  const facts = sourceFacts(gained);
  const after = takeSource(before, facts, INPUTS);
  const known = knownSource(after.ledger, facts.repository.id, facts.branch);
  return release === null || known === null ? after : takeRelease(after, known, release);
}

const INPUTS = upkeepInputs({ after: "release" });
const KNOWN: Ledger = { ...EMPTY, sources: [source()] };

describe("a release", () => {
  test("releases what it contains, and nothing that came after it", () => {
    const [released, later] = [change(1), { ...change(2), sha: "later" }];
    const facts = {
      landed: [landed(released), landed(later)],
      release: { name: "v1 head", released: new Set([released.sha]), dropped: NONE },
    };
    const { ledger } = take(revision(KNOWN), facts);
    expect(ledger.waiting.map(({ isReleased }) => isReleased)).toEqual([true, false]);
    expect(ledger.sources).toMatchObject([{ release: "v1 head" }]);
  });

  test("releases nothing of another branch, and only groups that it contains as a whole", () => {
    const later = { ...change(3), sha: "later" };
    const ledger: Ledger = {
      ...KNOWN,
      waiting: [
        group(1, { source: "1@next", isReleased: false }),
        group(2, { changes: [change(2), later], isReleased: false }),
        group(4, { isReleased: false }),
      ],
    };
    const shas = [change(1), change(2), change(4)].map(({ sha }) => sha);
    const facts = {
      release: { name: "v1 head", released: new Set(shas), dropped: NONE },
    };
    const after = take(revision(ledger), facts);
    const released = after.ledger.waiting.map(({ isReleased }) => isReleased);
    expect(released).toEqual([false, false, true]);
  });

  test("passes over what the branch no longer has, until it lands again", () => {
    const ledger: Ledger = { ...KNOWN, waiting: [group(1, { isReleased: false })] };
    const dropped = new Set([change(1).sha]);
    const facts = { release: { name: "v1 head", released: NONE, dropped } };
    const after = take(revision(ledger), facts).ledger;
    const reason = { code: "rewritten", branch: "main" };
    expect(after).toMatchObject({ waiting: [], passedOver: [{ change: change(1), reason }] });
    const again = { landed: [landed(change(1))], release: null };
    expect(take(revision(after), again).ledger.waiting).toMatchObject([
      { changes: [change(1)], isReleased: false },
    ]);
  });

  test("releases a change that landed anew by its new commit", () => {
    const byPull = { ...change(1), sha: "anew" };
    const former = "0123456789abcdef";
    const waiting = [change(1), { ...change(2), key: `1@${former}`, number: null, sha: former }];
    const ledger: Ledger = {
      ...KNOWN,
      waiting: waiting.map((one) => group(1, { changes: [one], isReleased: false })),
    };
    const again = { ...change(2), key: "1@again", number: null, sha: "again" };
    const facts = {
      isRewritten: true,
      landed: [landed(byPull), landed(again, { pull: undefined, former })],
      release: { name: "v1 head", released: new Set(["anew", "again"]), dropped: NONE },
    };
    const after = take(revision(ledger), facts).ledger;
    expect(after.waiting).toMatchObject([
      { changes: [byPull], isReleased: true },
      { changes: [again], isReleased: true },
    ]);
    expect(after.passedOver).toEqual([]);
    expect(take(revision(after), facts).ledger.waiting).toEqual(after.waiting);
  });

  test("that was compared before stays noted", () => {
    const ledger = { ...EMPTY, sources: [source({ release: "v0 head" })] };
    expect(take(revision(ledger), { release: null }).ledger).toEqual(ledger);
  });

  test.each([
    [
      "that cannot be compared yet is not noted, and nothing is released",
      { name: null, released: new Set<string>(), dropped: NONE },
    ],
    ["that is not there releases nothing", null],
  ])("%s", (_, release) => {
    const facts = { landed: [landed(change(1))], release };
    const { ledger } = take(revision(KNOWN), facts);
    expect(ledger.waiting).toMatchObject([{ isReleased: false }]);
    expect(ledger.sources[0]?.release).toBe(release?.name ?? null);
  });
});
