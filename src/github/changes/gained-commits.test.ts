import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, setUpBranch } from "../../../test/support/branch-reader.ts";
import { type BranchCursor, type CommitReader, gainedSince } from "./gained-commits.ts";
import type { Commit } from "./history-records.ts";

const three = [{}, {}, {}];

describe("a rewritten branch", () => {
  test("goes on from where the histories part, and says what was only made anew", async () => {
    const { repository, read, key } = setUpBranch();
    const base = repository.tip();
    const pushed = repository.push({ message: "A" });
    const pull = repository.land({ title: "B" }, "squash");
    await read();
    const onto = repository.commit(base, { message: "Before all" });
    repository.rewrite(base, onto);
    const { keys, former, changes } = await read();
    expect(keys).toEqual([key(onto), key(changes[1]?.sha ?? ""), key(pull)]);
    expect(former).toEqual(["", pushed, ""]);
    repository.forcePush(onto);
    expect((await read()).keys).toEqual([]);
  });

  test("says what was made anew, however few requests are left: a later run could not know", async () => {
    const { repository, read, pass } = setUpBranch();
    const base = repository.tip();
    const pushed = [repository.push({ message: "A" }), repository.push({ message: "B" })];
    await read();
    const onto = repository.commit(base, { message: "Before all" });
    repository.rewrite(base, onto);
    pass(25 * HOUR);
    expect((await read({ requests: 0 })).former).toEqual(["", ...pushed]);
  });

  test("has no former commit where only the words are the same", async () => {
    const { repository, read } = setUpBranch();
    const base = repository.tip();
    const sha = repository.push({ message: "Update", files: ["a"] });
    await read();
    const authoredAt = repository.find(sha)?.author.at ?? 0;
    repository.forcePush(base, "main", [{ message: "Update", files: ["b"], authoredAt }]);
    expect((await read()).former).toEqual([""]);
  });

  test("goes on from its date where GitHub no longer has the commit", async () => {
    const { repository, read, key, pass, cursor } = setUpBranch();
    const base = repository.tip();
    pass(HOUR);
    repository.land({}, "squash");
    await read();
    repository.gone.add(cursor().sha ?? "");
    pass(MINUTE);
    repository.rewrite(base, base);
    pass(HOUR);
    const pull = repository.land({ commits: three }, "rebase");
    const { gained, keys } = await read();
    expect(gained.isRewritten).toBe(true);
    expect(keys.at(-1)).toBe(key(pull));
    expect((await read()).keys).toEqual([]);
  });
});

test("the cursor's date never goes back, nor into the future", async () => {
  const { repository, read, pass, now, cursor } = setUpBranch();
  pass(HOUR);
  repository.push({ at: now() + HOUR });
  await read();
  const date = new Date(now()).toISOString();
  expect(cursor()).toEqual({ sha: repository.tip(), date });
  pass(HOUR);
  repository.push({ at: 0 });
  await read();
  expect(cursor()).toEqual({ sha: repository.tip(), date });
});

describe("a branch that is read from a date on", () => {
  const since = async (scene: ReturnType<typeof setUpBranch>, date: number) => {
    const from = new Date(date).toISOString();
    const start = { sha: null, date: from };
    const gained = await gainedSince(await scene.newHistory(), start, scene.repository.tip());
    return [gained.line.map(({ sha }) => sha), gained.start.sha];
  };

  test("gained what was committed since, and begins right before that", async () => {
    const scene = setUpBranch();
    const { repository, pass, now } = scene;
    const before = repository.tip();
    pass(HOUR);
    const sha = repository.push();
    expect(await since(scene, now())).toEqual([[sha], before]);
    expect((await since(scene, 0))[1]).toBeNull();
    pass(HOUR);
    expect(await since(scene, now())).toEqual([[], sha]);
  });

  test("steps over a commit with an old date, to what landed before it", async () => {
    const scene = setUpBranch();
    const { repository, pass, now } = scene;
    pass(HOUR);
    const line = [{}, { at: 0 }, {}].map((commit) => repository.push(commit));
    expect((await since(scene, now()))[0]).toEqual(line);
  });

  test("steps over any number of such commits, and takes what a merge with an old date brought", async () => {
    const scene = setUpBranch();
    const { repository, pass, now } = scene;
    pass(HOUR);
    const older = Array.from({ length: 30 }, () => repository.push({ at: 0 }));
    expect((await since(scene, now()))[0]).toEqual([]);
    const side = repository.commit(repository.tip());
    const merge = repository.commit([repository.tip(), side], { at: 0 });
    repository.forcePush(merge);
    expect(await since(scene, now())).toEqual([[merge], older.at(-1)]);
  });

  test("does not ask GitHub for commits since a time: it would stop at the first older one", async () => {
    const scene = setUpBranch();
    await since(scene, scene.now());
    expect(scene.asked.join()).not.toContain("since=");
  });
});

describe("a commit that GitHub does not find", () => {
  test("in an old copy is in the branch's own history: nothing was rewritten", async () => {
    const { github, repository, read, key } = setUpBranch();
    repository.push({ at: 0 });
    await read();
    const pull = repository.land({ commits: three }, "rebase");
    github.addFault({ path: "/compare/", status: 404 });
    const { gained, keys } = await read();
    expect([gained.isRewritten, keys]).toEqual([false, [key(pull)]]);
  });

  test("in a copy that lacks the tip, too, is looked for in the next run", async () => {
    const { github, repository, read, key, cursor } = setUpBranch();
    const before = cursor();
    const pushed = repository.push();
    github.addFault({ path: "/commits[?]", status: 404 });
    github.addFault({ path: "/compare/", status: 404 });
    const { gained, keys } = await read();
    expect([gained.isRewritten, keys, cursor()]).toEqual([false, [], before]);
    expect((await read()).keys).toEqual([key(pushed)]);
  });

  test("while its pull request is asked for is asked for in the next run, and after a day no more", async () => {
    const { github, repository, read, key, pass } = setUpBranch();
    const pushed = repository.push();
    const pull = repository.land({}, "squash");
    github.addFault({ path: `/commits/${pull.mergeSha}/pulls`, status: 422, times: 2 });
    expect((await read({ isListTooLong: true })).keys).toEqual([key(pushed)]);
    pass(25 * HOUR);
    expect((await read({ isListTooLong: true })).keys).toEqual([key(pull.mergeSha)]);
  });
});

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
    compare: async (base, head) => {
      const between = commits.slice(Number(base) + 1, Number(head) + 1);
      const isComplete = between.length <= 5000;
      return { commits: isComplete ? between : [], isComplete, isDiverged: false };
    },
    commit: async (sha) => commits[Number(sha)],
    commitsBack: async (sha, { pages, isEnough }) => {
      const items: Commit[] = [];
      for (let at = Number(sha) + 1; at > 0 && items.length < pages * 100; at -= 100) {
        const page = commits.slice(Math.max(0, at - 100), at).reverse();
        items.push(...page);
        if (isEnough(page)) return { items, isComplete: true };
      }
      return { items, isComplete: items.length === Number(sha) + 1 };
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
      const gained = await gainedSince(history, cursor, "12009", target);
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
  const gone = await gainedSince(await newHistory(), cursor(), pushed, "0".repeat(40));
  expect([gone.line.map(({ sha }) => sha), gone.target]).toEqual([[pushed], null]);
  const past = await gainedSince(await newHistory(), cursor(), pushed, cursor().sha);
  expect([past.line.map(({ sha }) => sha), past.target]).toEqual([[pushed], null]);
});
