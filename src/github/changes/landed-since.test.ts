import { describe, expect, test } from "vitest";
import { HOUR, setUpBranch } from "../../../test/support/branch-reader.ts";
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
    return [gained?.line.map(({ sha }) => sha), gained?.start.sha];
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
});

test("more commits than can be read are not taken", async () => {
  const history = {
    compare: async () => ({ commits: [], isComplete: false, isDiverged: false }),
    commitsSince: async () => ({ items: Array(5000), isComplete: false }),
    commit: async () => undefined,
  };
  const date = "2026-03-01T00:00:00Z";
  expect(await gainedSince(history, { sha: "0", date }, "1")).toBeUndefined();
  expect(await gainedSince(history, { sha: null, date }, "1")).toBeUndefined();
});
