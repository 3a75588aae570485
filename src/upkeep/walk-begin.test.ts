import { describe, expect, test } from "vitest";
import type { Commit } from "../../emulator/github/git/objects.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import { HOUR, scene } from "../../test/support/upkeep-scene.ts";
import { History } from "../github/history.ts";
import { readRange } from "./range.ts";

const three = [{}, {}, {}];

/** Lets a commit have been made at another time, as far as anybody can tell. */
function setDate({ objects }: Repository, sha: string, at: number): void {
  const commit = objects.commits.get(sha) as Commit;
  objects.commits.set(sha, { ...commit, at, committer: { ...commit.committer, at } });
}

describe("the first run", () => {
  test("begins 7 days ago by GitHub's clock", async () => {
    const { repository, run, key, pass } = scene();
    repository.land();
    pass(7 * 24 * HOUR);
    const recent = repository.land({}, "rebase");
    expect((await run()).keys).toEqual([key(recent)]);
  });

  test("takes everything in a repository that is younger", async () => {
    const { repository, run, key } = scene();
    const initial = repository.tip();
    const pull = repository.land();
    expect((await run({ max: 1 })).keys).toEqual([key(initial)]);
    expect((await run()).keys).toEqual([key(pull)]);
  });

  test("begins at a time, a commit or a tag", async () => {
    const { repository, run, key, pass } = scene();
    const [one, two, three] = [1, 2, 3].map(() => {
      pass(HOUR);
      return repository.land();
    });
    const isKept = false;
    repository.setRef("refs/tags/v1", one?.mergeSha ?? "");
    const at = new Date(two?.mergedAt ?? 0).toISOString();
    for (const [since, expected] of [
      [at, [two, three]],
      ["v1", [two, three]],
      [two?.mergeSha ?? "", [three]],
    ] as const) {
      expect((await run({ since, isKept })).keys).toEqual(
        expected.map((pull) => pull && key(pull)),
      );
    }
  });

  test("remembers where it began, even if there is nothing to do", async () => {
    const { repository, run, key, pass, cursor } = scene();
    pass(30 * 24 * HOUR);
    expect((await run()).keys).toEqual([]);
    expect(cursor()?.sha).toBe(repository.tip());
    pass(30 * 24 * HOUR);
    const pull = repository.land();
    pass(30 * 24 * HOUR);
    expect((await run()).keys).toEqual([key(pull)]);
  });

  test("steps over a commit with an old date, to what landed before it", async () => {
    const { repository, run, key, pass } = scene();
    pass(30 * 24 * HOUR);
    const pull = repository.land({}, "squash");
    const old = repository.push();
    setDate(repository, old, 0);
    const recent = repository.push();
    expect((await run()).keys).toEqual([key(pull), key(old), key(recent)]);
  });

  test("begins at a tag beside the branch with what the branch has more", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    const tagged = repository.commit(base, { message: "Fix" });
    repository.setRef("refs/tags/v1", tagged);
    const pushed = repository.push({ message: "Fix" });
    expect((await run({ since: "v1" })).keys).toEqual([key(pushed)]);
  });

  test.each([
    ["nothing", "since: acme/code has no commit or tag nothing"],
    ["2099-01-01", "a time in the past"],
  ])("says what is wrong with %s", async (since, problem) => {
    expect((await scene().run({ since })).problem).toContain(problem);
  });

  test("says which branch or repository there is not", async () => {
    const { run, github } = scene();
    expect((await run({ branch: "next" })).problem).toBe(
      "repositories: acme/code has no branch next",
    );
    const history = new History(github, "acme/nothing");
    for (const branch of [{}, { branch: "main" }]) {
      const range = await readRange({ history, since: { kind: "default" }, ...branch });
      expect(range).toEqual({
        problem: "repositories: acme/nothing does not exist, or github-token cannot read it",
      });
    }
  });
});

describe("the cursor", () => {
  test("never has a date that goes back, or has not come", async () => {
    const { repository, run, pass, cursor } = scene();
    await run();
    pass(HOUR);
    setDate(repository, repository.push(), repository.site.now + HOUR);
    await run();
    const now = new Date(repository.site.now).toISOString();
    expect(cursor()).toEqual({ sha: repository.tip(), date: now });
    pass(HOUR);
    setDate(repository, repository.push(), 0);
    await run();
    expect(cursor()).toEqual({ sha: repository.tip(), date: now });
  });
});

describe("a rewritten branch", () => {
  test("goes on from where the histories part, without what was handed over", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    await run();
    repository.land();
    await run();
    repository.forcePush(base);
    expect((await run()).keys).toEqual([]);
    const pull = repository.land({}, "squash");
    expect((await run()).keys).toEqual([key(pull)]);
  });

  test("does not repeat what was only made anew, and says so", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    await run();
    repository.push({ message: "A" });
    repository.land({ title: "B" }, "squash");
    await run();
    const pull = repository.land({ title: "C" }, "squash");
    const onto = repository.commit(base, { message: "Before all" });
    repository.rewrite(base, onto);
    const { keys, passedOver } = await run();
    expect(keys).toEqual([key(onto), key(pull)]);
    expect(passedOver).toEqual([expect.stringMatching(/^A: same as [0-9a-f]{7}/)]);
    expect((await run()).keys).toEqual([]);
  });

  test("takes a commit that only looks like an old one", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    await run();
    repository.push({ message: "Update", files: ["a"] });
    await run();
    const authoredAt = repository.find(repository.tip())?.author.at ?? 0;
    repository.forcePush(base);
    const other = repository.push({ message: "Update", files: ["b"], authoredAt });
    expect((await run()).keys).toEqual([key(other)]);
  });

  test("goes on from the date of a commit that is gone", async () => {
    const { repository, run, key, pass, cursor } = scene();
    const base = repository.tip();
    await run();
    pass(HOUR);
    const first = repository.land({}, "squash");
    await run();
    repository.gone.add(cursor()?.sha ?? "");
    repository.rewrite(base, base);
    pass(HOUR);
    const second = repository.land({ commits: three }, "rebase");
    expect((await run()).keys).toEqual([key(second)]);
    expect((await run()).keys).toEqual([]);
    expect(first.mergeSha).not.toBe(cursor()?.sha);
  });
});
