import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, setUpBranch } from "../../../test/support/branch-reader.ts";
import { knownValue } from "../../../test/support/known.ts";
import { gainedSince } from "./gained-commits.ts";

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
    const gained = knownValue(
      await gainedSince(await scene.newHistory(), start, scene.repository.tip()),
    );
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
