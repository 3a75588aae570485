import { describe, expect, test } from "vitest";
import {
  change,
  EMPTY,
  group,
  LINK,
  revision,
  unread,
} from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Batch, Group, Ledger } from "../batches/model/ledger.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
} from "../github/changes/change-details.ts";
import type { Fact } from "../runtime/fact.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import { candidatesOf, chooseBatch } from "./decide.ts";

const FOLLOW_UP: NonNullable<Batch["followUp"]> = { jobId: "draft", prLink: LINK };

function ledgerOf(over: Partial<Ledger> = {}): Ledger {
  return { ...EMPTY, waiting: [group(2)], ...over };
}

describe("a batch", () => {
  const paths = parsePathFilter("src/**");
  if ("problem" in paths) throw new Error(paths.problem);
  const inputs = {
    ...upkeepInputs(),
    maxChanges: 2,
    ignoreLabels: ["skip"],
    ignoreAuthors: ["bot"],
    paths,
  };
  const detailsOf = (
    number: number,
    over: Partial<ChangeDetails> = {},
  ): [string, ChangeDetails] => {
    const details = { ...detailsOfKnown(change(number)), ...over };
    return [details.change.key, details];
  };
  /** @param details what can be read; null for a change whose reading a limit stops */
  const choose = async (
    waiting: Group[],
    details: [string, ChangeDetails | null][],
    most = Number.POSITIVE_INFINITY,
  ) => {
    const all = new Map(details);
    let left = most;
    const reads = {
      requestsLeft: () => left,
      details: async ({ key }: MergedChange): Promise<Fact<ChangeDetails>> => {
        left -= 1;
        const value = all.get(key) ?? null;
        return value === null ? unread("limited") : { type: "known", value };
      },
      known: detailsOfKnown,
      handedOver: async () => null,
      source: async () => unread("unanswered"),
      release: async () => unread("unanswered"),
    };
    const { chosen, revision: after } = await chooseBatch(
      revision(ledgerOf({ waiting })),
      reads,
      inputs,
    );
    const { passedOver, waiting: rest } = after.ledger;
    return {
      chosen: chosen.map((read) => read.change.number),
      passed: passedOver.map(({ change: { number }, reason }) => [number, reason]),
      waiting: rest.flatMap(({ changes }) => changes.map(({ key }) => key)),
    };
  };

  test("has the first changes, up to the maximum; they wait until they are handed over", async () => {
    const all = [1, 2, 3];
    const chosen = await choose(
      all.map((number) => group(number)),
      all.map((number) => detailsOf(number)),
    );
    expect(chosen).toEqual({ chosen: [1, 2], passed: [], waiting: ["1#1", "1#2", "1#3"] });
  });

  test("passes over what the filters exclude, and goes on behind it", async () => {
    const file = {
      path: "a.txt",
      previousPath: "a.txt",
      isRemoved: false,
      patch: "",
      additions: 1,
      deletions: 0,
    };
    const chosen = await choose(
      [1, 2, 3].map((number) => group(number)),
      [detailsOf(1, { labels: ["skip"] }), detailsOf(2, { files: [file] }), detailsOf(3)],
    );
    expect(chosen).toEqual({
      chosen: [3],
      passed: [
        [2, { code: "no-path" }],
        [1, { code: "label", label: "skip" }],
      ],
      waiting: ["1#3"],
    });
  });

  test("ends at the first change that a limit keeps from being read", async () => {
    const groups = [1, 2, 3].map((number) => group(number));
    const limited: [string, null] = ["1#2", null];
    expect((await choose(groups, [detailsOf(1), limited, detailsOf(3)])).chosen).toEqual([1]);
    const all = groups.map((_, nth) => detailsOf(nth + 1));
    expect((await choose(groups, all, 1)).chosen).toEqual([1]);
  });

  test("that was handed over before goes out unchanged: no filter, no maximum, no details", async () => {
    const changes = [1, 2, 3].map(change);
    const again = group(1, { changes, attempts: 1 });
    const chosen = await choose([again, group(4)], [detailsOf(1, { labels: ["skip"] })]);
    expect(chosen).toMatchObject({ chosen: [1, 2, 3], passed: [] });
  });

  test.each<[string, Group[], number[], object]>([
    [
      "new changes, not those that failed",
      [group(1), group(2, { attempts: 1 })],
      [1],
      { isAgain: false },
    ],
    [
      "a group that failed, by itself",
      [group(1, { attempts: 2 }), group(2)],
      [1],
      { isAgain: true, attempts: 2 },
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
    const { changes, ...candidates } = candidatesOf(revision(ledgerOf({ waiting: groups })));
    expect(changes.map(({ number }) => number)).toEqual(numbers);
    expect(candidates).toMatchObject(expected);
  });
});
