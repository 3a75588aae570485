import { describe, expect, test } from "vitest";
import { HOUR, setUpBranch } from "../../test/support/branch-reader.ts";
import type { History } from "./history.ts";
import { gainedSince } from "./landed-changes.ts";

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
    return await gainedSince(await scene.newHistory(), start, scene.repository.tip());
  };
  const shas = ({ line }: Awaited<ReturnType<typeof since>>) => line.map(({ sha }) => sha);

  test("gained what was committed since, and begins right before that", async () => {
    const scene = setUpBranch();
    const { repository, pass, now } = scene;
    const before = repository.tip();
    pass(HOUR);
    const sha = repository.push();
    const gained = await since(scene, now());
    expect([shas(gained), gained.start.sha]).toEqual([[sha], before]);
    expect((await since(scene, 0)).start.sha).toBeNull();
    pass(HOUR);
    const nothing = await since(scene, now());
    expect([shas(nothing), nothing.start.sha]).toEqual([[], sha]);
  });

  test("steps over a commit with an old date, to what landed before it", async () => {
    const scene = setUpBranch();
    const { repository, pass, now } = scene;
    pass(HOUR);
    const line = [{}, { at: 0 }, {}].map((commit) => repository.push(commit));
    expect(shas(await since(scene, now()))).toEqual(line);
  });
});

describe("thousands of commits at once", () => {
  test("that merges brought in are read by their first parents alone", async () => {
    const { repository, read, key, pass } = setUpBranch();
    const before = repository.tip();
    pass(HOUR);
    repository.forcePush(before, "import", Array(5001).fill({ files: [] }));
    const pull = repository.land({}, "squash");
    const merge = repository.forcePush(
      repository.commit([repository.tip(), repository.tip("import")]),
    );
    const { keys, requests } = await read();
    expect(keys).toEqual([key(pull), key(merge)]);
    expect(requests).toBeLessThan(10);
  });

  test("are read by their first parents also where GitHub cannot compare", async () => {
    const { github, repository, read, key } = setUpBranch();
    github.addFault({ path: "/compare/", status: 500, times: 2 });
    const pulls = [repository.land({}, "squash"), repository.land({ commits: three })];
    expect((await read()).keys).toEqual(pulls.map(key));
  });
});

/** A branch whose every commit has one parent: `0` is the first. */
function lineOf(total: number): History {
  const line = (from: number, length: number) =>
    Array.from({ length }, (_, at) => ({ sha: `${from - at}`, parents: [`${from - at - 1}`] }));
  return {
    compare: async () => ({ commits: [], total, mergeBase: "0", isDiverged: false }),
    newestCommits: async (sha: string) => line(Number(sha), 100),
    commitsSince: async () => ({ items: line(total, 5000), isComplete: false }),
  } as unknown as History;
}

test("a line longer than can be read is told, with its length, and none of it is taken", async () => {
  const start = { sha: "0", date: "2026-03-01T00:00:00Z" };
  const read = (length: number) => gainedSince(lineOf(length), start, `${length}`);
  expect((await read(10_000)).line).toHaveLength(10_000);
  expect(await read(10_001)).toMatchObject({ tooMany: 10_001, line: [], start });
  const dated = await gainedSince(lineOf(9_000), { ...start, sha: null }, "9000");
  expect(dated).toMatchObject({ tooMany: 5000, line: [], start: { ...start, sha: null } });
});
