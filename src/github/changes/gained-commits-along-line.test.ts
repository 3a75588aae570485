import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, setUpBranch } from "../../../test/support/branch-reader.ts";
import { knownValue } from "../../../test/support/known.ts";
import { largeTest } from "../../../test/support/large-test.ts";
import { ABSENT, known } from "../../runtime/fact.ts";
import {
  type BranchCursor,
  type CommitReader,
  type Gained,
  gainedSince,
} from "./gained-commits.ts";
import type { Commit } from "./history-records.ts";

const three = [{}, {}, {}];

describe("a branch that GitHub fails to compare", () => {
  const fail = ({ github }: ReturnType<typeof setUpBranch>) =>
    github.addFault({ path: "/compare/", status: 500, times: 1000 });

  test("is read by its commits, and goes on", async () => {
    const scene = setUpBranch();
    const { repository, read, key } = scene;
    fail(scene);
    const first = [repository.push(), repository.push({ at: 0 })];
    const pull = repository.land({ commits: three }, "merge");
    expect((await read()).keys).toEqual([...first, pull].map(key));
    const second = repository.push();
    const { gained, keys } = await read();
    expect([keys, gained.isRewritten]).toEqual([[key(second)], false]);
    expect((await read()).keys).toEqual([]);
  });

  largeTest("is read although a merge brought more than a page of commits", async () => {
    const scene = setUpBranch();
    const { repository, read, key, asked } = scene;
    fail(scene);
    const many = Array.from({ length: 101 }, () => ({}));
    const before = repository.push();
    const pulls = [1, 2].map(() => repository.land({ commits: many }, "merge"));
    const rebased = repository.land({ commits: many }, "rebase");
    const { keys } = await read();
    expect(new Set(keys)).toEqual(new Set([before, ...pulls, rebased].map(key)));
    // The cursor's page, two of the rebased commits, and one for each merge.
    expect(asked.filter((line) => line.includes("/commits?"))).toHaveLength(5);
  });

  test("goes on from where its histories part, if it was rewritten, and knows what was made anew", async () => {
    const scene = setUpBranch();
    const { repository, read, key } = scene;
    const base = repository.tip();
    const pushed = repository.push({ message: "A" });
    await read();
    fail(scene);
    const onto = repository.commit(base, { message: "Before all" });
    repository.rewrite(base, onto);
    const { gained, keys, former } = await read();
    expect(gained.isRewritten).toBe(true);
    expect([keys, former]).toEqual([[onto, repository.tip()].map(key), ["", pushed]]);
  });

  test("goes on from its date, if its history is another one", async () => {
    const scene = setUpBranch();
    const { repository, read, key, pass } = scene;
    pass(HOUR);
    repository.push();
    await read();
    fail(scene);
    pass(HOUR);
    const first = repository.commit([], { at: 0 });
    const other = repository.forcePush(repository.commit(first));
    const { gained, keys } = await read();
    expect([gained.isRewritten, keys]).toEqual([true, [key(other)]]);
  });
});

/** A history of commits on one line, the oldest first, a minute apart, without a server. */
function historyOfLine(count: number) {
  const start = Date.parse("2026-03-01T00:00:00Z");
  const commits = Array.from({ length: count }, (_, nth): Commit => {
    const at = new Date(start + nth * MINUTE).toISOString();
    return {
      sha: String(nth),
      parents: nth === 0 ? [] : [String(nth - 1)],
      url: "",
      title: "",
      body: "",
      author: { login: "", name: "", isBot: false },
      committer: "",
      identity: String(nth),
      tree: "",
      authoredAt: at,
      committedAt: at,
    };
  });
  const history: CommitReader = {
    mostPages: () => 50,
    compare: async (base, head) => {
      const between = commits.slice(Number(base) + 1, Number(head) + 1);
      const isComplete = between.length <= 5000;
      return known({ commits: isComplete ? between : [], isComplete, isDiverged: false });
    },
    commit: async (sha) => {
      const commit = commits[Number(sha)];
      return commit === undefined ? ABSENT : known(commit);
    },
    commitsBack: async (sha, { pages, isEnough }) => {
      const items: Commit[] = [];
      for (let at = Number(sha) + 1; at > 0 && items.length < pages * 100; at -= 100) {
        const page = commits.slice(Math.max(0, at - 100), at).reverse();
        items.push(...page);
        if (isEnough(page)) return known({ items, isComplete: true });
      }
      return known({ items, isComplete: items.length === Number(sha) + 1 });
    },
  };
  return { history, dateOf: (sha: string) => commits[Number(sha)]?.committedAt ?? "" };
}

test.each(["7", null])(
  "more commits than one run can read are read in several: from %s",
  async (sha) => {
    const { history, dateOf } = historyOfLine(12_010);
    let cursor: BranchCursor = { sha, date: dateOf("8") };
    let target: string | null = null;
    const read: string[] = [];
    for (let run = 0; run < 10; run++) {
      const gained: Gained = knownValue(await gainedSince(history, cursor, "12009", target));
      expect(gained.isRewritten).toBe(false);
      read.push(...gained.line.map((commit) => commit.sha));
      const last = gained.line.at(-1)?.sha;
      cursor = last === undefined ? gained.start : { sha: last, date: dateOf(last) };
      target = gained.target === cursor.sha ? null : gained.target;
    }
    expect(read).toEqual(Array.from({ length: 12_002 }, (_, nth) => String(nth + 8)));
  },
);

test("a target that was rewritten is given up for the branch's tip", async () => {
  const { repository, newHistory, cursor } = setUpBranch();
  const pushed = repository.push();
  const sinceTarget = async (target: string) =>
    knownValue(await gainedSince(await newHistory(), cursor(), pushed, target));
  const gone = await sinceTarget("0".repeat(40));
  expect([gone.line.map(({ sha }) => sha), gone.target]).toEqual([[pushed], null]);
  const past = await sinceTarget(cursor().sha ?? "");
  expect([past.line.map(({ sha }) => sha), past.target]).toEqual([[pushed], null]);
});
