import { describe, expect, test } from "vitest";
import { unread } from "../../test/support/facts.ts";
import { change, EMPTY, group, LINK, revision } from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import { FILE, upkeepReadsOf } from "../../test/support/upkeep-reads.ts";
import { applyDecision } from "../batches/model/decisions.ts";
import type { Batch, Group, Ledger } from "../batches/model/ledger.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
} from "../github/changes/change-details.ts";
import type { FileList } from "../github/changes/history-records.ts";
import type { Fact } from "../runtime/fact.ts";
import { candidatesOf, chooseBatch } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";

const ORIGIN = { id: "b", hasSucceeded: false };
const FOLLOW_UP: NonNullable<Batch["followUp"]> = { jobId: "draft", prLink: LINK };

function ledgerOf(over: Partial<Ledger> = {}): Ledger {
  return { ...EMPTY, waiting: [group(2)], ...over };
}

describe("a batch", () => {
  const inputs = {
    ...upkeepInputs({ paths: "src/**" }),
    maxChanges: 2,
    ignoreLabels: ["skip"],
    ignoreAuthors: ["bot"],
  };
  const known = (number: number, over: Partial<ChangeDetails> = {}) => {
    return { type: "known", value: { ...detailsOfKnown(change(number)), ...over } } as const;
  };
  const filesOf = (path: string): Fact<FileList> => {
    const file = { ...FILE, path, previousPath: path };
    return { type: "known", value: { files: [file], isComplete: true } };
  };
  /** @param answers by number: the details of changes, and their files */
  const choose = async (
    waiting: Group[],
    answers: Record<number, { details?: Fact<ChangeDetails>; files?: Fact<FileList> }> = {},
    {
      most = Number.POSITIVE_INFINITY,
      over = {},
      values = inputs,
      names = new Map([[1, "acme/code"]]),
    }: {
      most?: number;
      over?: Partial<Ledger>;
      values?: UpkeepInputs;
      names?: Map<number, string>;
    } = {},
  ) => {
    let left = most;
    const reads = {
      ...upkeepReadsOf(),
      requestsLeft: () => left,
      details: async ({ number }: MergedChange): Promise<Fact<ChangeDetails>> => {
        left -= 1;
        return answers[number ?? 0]?.details ?? known(number ?? 0);
      },
      files: async ({ number }: MergedChange): Promise<Fact<FileList>> =>
        answers[number ?? 0]?.files ?? filesOf("src/a.ts"),
    };
    const begun = revision(ledgerOf({ waiting, ...over }));
    const found = await chooseBatch(begun, reads, values, names, (nth) => `asked ${nth}`);
    const { passedOver, waiting: rest, batches, unread: waits } = found.revision.ledger;
    return {
      ...found,
      chosen: found.chosen.map((read) => read.change.number),
      passed: passedOver.map(({ change: { number }, reason }) => [number, reason]),
      waiting: rest.flatMap(({ changes }) => changes.map(({ key }) => key)),
      batches,
      waits: waits.changes,
    };
  };

  const groups = [1, 2, 3].map((number) => group(number));

  test("has the first changes, up to the maximum; they wait until they are handed over", async () => {
    expect(await choose(groups)).toMatchObject({
      chosen: [1, 2],
      passed: [],
      waiting: ["1#1", "1#2", "1#3"],
    });
  });

  test("passes over what the filters exclude, and goes on behind it", async () => {
    const answers = {
      1: { details: known(1, { labels: ["skip"] }) },
      2: { files: filesOf("a.txt") },
    };
    expect(await choose(groups, answers)).toMatchObject({
      chosen: [3],
      passed: [
        [2, { code: "no-path" }],
        [1, { code: "label", label: "skip" }],
      ],
      waiting: ["1#3"],
    });
  });

  test("ends at the first change that a limit keeps from being read", async () => {
    const limited = { 2: { details: unread("limited") } };
    expect(await choose(groups, limited)).toMatchObject({ chosen: [1], isLate: true });
    expect(await choose(groups, {}, { most: 1 })).toMatchObject({ chosen: [1], isLate: true });
  });

  test("that was handed over before goes out unchanged: no filter, no maximum", async () => {
    const changes = [1, 2, 3].map(change);
    const again = group(1, { changes, attempts: 1 });
    const chosen = await choose([again, group(4)], {
      1: { details: known(1, { labels: ["skip"] }) },
    });
    expect(chosen).toMatchObject({ chosen: [1, 2, 3], passed: [] });
  });

  const SINCE = "2026-11-22T12:00:00Z";
  const DAYS_AGO = "2026-11-20T12:00:00Z";
  const failed = unread("unanswered", { status: 502 });

  test.each([
    ["labels and description", { details: failed }],
    ["files", { files: failed }],
  ])("goes on behind a change whose %s cannot be read, which waits", async (_, answer) => {
    expect(await choose(groups, { 1: answer })).toMatchObject({
      chosen: [2, 3],
      waiting: ["1#1", "1#2", "1#3"],
      waits: [{ key: "1#1", since: SINCE }],
    });
  });

  test("has a change again once it can be read", async () => {
    const over = { unread: { ...EMPTY.unread, changes: [{ key: "1#1", since: DAYS_AGO }] } };
    expect(await choose(groups, {}, { over })).toMatchObject({ chosen: [1, 2], waits: [] });
  });

  test("leaves to a person what could not be read for a day", async () => {
    const over = { unread: { ...EMPTY.unread, changes: [{ key: "1#1", since: DAYS_AGO }] } };
    const found = await choose(groups, { 1: { details: failed } }, { over });
    expect(found).toMatchObject({ chosen: [2, 3], waiting: ["1#2", "1#3"], waits: [] });
    expect(found.batches).toMatchObject([
      { id: "asked 0", state: "failed", job: null, attempt: 0, reason: { code: "unreadable" } },
    ]);
    const again = applyDecision(found.revision, { id: "asked 0", choice: "again" });
    const { waiting, unread: waits } = again.ledger;
    const after = await choose(
      [...waiting],
      { 1: { details: failed } },
      { over: { unread: waits } },
    );
    expect(after).toMatchObject({ chosen: [1, 2], waits: [] });
  });

  test("does without files that GitHub never lists, and without any if no filter is about them", async () => {
    const tooLarge = { 1: { files: unread("refused", { status: 422 }) } };
    expect((await choose(groups, tooLarge)).chosen).toEqual([1, 2]);
    const unfiltered = { ...inputs, pathsText: "" };
    expect((await choose(groups, { 1: { files: failed } }, { values: unfiltered })).chosen).toEqual(
      [1, 2],
    );
  });

  test("leaves the changes of a repository that could not be read where they are", async () => {
    expect(await choose(groups, {}, { names: new Map() })).toMatchObject({
      chosen: [],
      waiting: ["1#1", "1#2", "1#3"],
      waits: [],
    });
  });

  test("goes on behind a group that was handed over before and cannot be read", async () => {
    const waiting = [group(1, { attempts: 1 }), group(2)];
    expect(await choose(waiting, { 1: { details: failed } })).toMatchObject({ chosen: [2] });
  });

  test.each<[string, Group[], number[], object]>([
    [
      "new changes, not those that failed",
      [group(1), group(2, { attempts: 1 })],
      [1],
      { isAgain: false },
    ],
    [
      "what people had handed over again, not new changes",
      [group(1, { attempts: 2 }), group(2)],
      [1],
      { isAgain: true, attempts: 2 },
    ],
    [
      "a part of a batch that was refused, by itself",
      [group(1, { origin: ORIGIN }), group(2)],
      [1],
      { isAgain: false, attempts: 0, origin: ORIGIN },
    ],
    [
      "a part of a batch that failed, by itself",
      [group(1, { origin: ORIGIN, attempts: 1 }), group(2, { attempts: 1 })],
      [1],
      { isAgain: true, attempts: 1, origin: ORIGIN },
    ],
    [
      "all that people had handed over again, within the maximum",
      [1, 2, 3, 4].map((nth) => group(nth, { attempts: nth })),
      [1, 2, 3],
      { isAgain: true, attempts: 3, origin: null },
    ],
    [
      "a follow-up before all",
      [group(1), group(2, { followUp: FOLLOW_UP })],
      [2],
      { isAgain: true, followUp: FOLLOW_UP },
    ],
    [
      "nothing that is not released",
      [group(1, { isReleased: false }), group(2)],
      [2],
      { isAgain: false },
    ],
  ])("is made from %s", (_, groups, numbers, expected) => {
    const [first] = candidatesOf(revision(ledgerOf({ waiting: groups })), {
      ...upkeepInputs(),
      maxChanges: 3,
    });
    const { changes = [], ...candidates } = first ?? {};
    expect(changes.map(({ number }) => number)).toEqual(numbers);
    expect(candidates).toMatchObject(expected);
  });
});
