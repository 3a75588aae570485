import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MINUTE, setUpBranch } from "../../../test/support/branch-reader.ts";
import { lineOf, missingOf } from "../../../test/support/landed.ts";
import {
  applyRepositoryEvent,
  type RepositoryEvent,
} from "../../../test/support/repository-events.ts";
import { runs } from "../../../test/support/sample.ts";

const three = [{}, {}, {}];

describe("one change is", () => {
  test.each(["merge", "squash", "rebase"] as const)(
    "a pull request merged by %s, however many commits it has and however often it is read",
    async (method) => {
      const { repository, read, key } = setUpBranch();
      const pull = repository.land({ title: "Add it", commits: three }, method);
      const { keys, changes } = await read();
      expect(keys).toEqual([key(pull)]);
      expect(changes).toMatchObject([{ key: `${repository.id}#1`, sha: pull.mergeSha }]);
      expect((await read()).keys).toEqual([]);
    },
  );

  test("a commit pushed without a pull request, with any title", async () => {
    const { repository, read, key, asked } = setUpBranch();
    const shas = [repository.push(), repository.push({ message: "Fix it (#12)" })];
    expect((await read()).keys).toEqual(shas.map(key));
    // Only of the second, GitHub is asked whether it came with a pull request.
    expect(asked.filter((line) => /\/commits\/\w+\/pulls/.test(line))).toHaveLength(1);
  });

  test.each(["squash", "rebase"] as const)(
    "what was pushed before and after a %s by itself",
    async (method) => {
      const { repository, read, key } = setUpBranch();
      const pull = repository.openPull({ commits: three });
      const pushed = repository.push({ author: "maintainer" });
      repository.merge(pull, method);
      const after = repository.push({ author: "maintainer" });
      expect((await read()).keys).toEqual([key(pushed), key(pull), key(after)]);
    },
  );

  test("a pushed commit right before a squash of one that is like it", async () => {
    const { repository, read, key } = setUpBranch();
    const like = { message: "Fix", author: "writer", committer: "GitHub" };
    const pull = repository.openPull({ commits: [like, { message: "Fix more" }] });
    const pushed = repository.push(like);
    repository.merge(pull, "squash");
    expect((await read()).keys).toEqual([key(pushed), key(pull)]);
  });

  test("a pull request whose branch was pushed as it is, by several people", async () => {
    const { repository, read, key, now } = setUpBranch();
    const commits = ["writer", "maintainer", "writer"].map((author) => ({ author }));
    const pull = repository.openPull({ commits });
    const mergeSha = repository.forcePush(repository.tip(pull.branch));
    repository.change(pull, { mergedAt: now(), mergeSha, state: "closed" });
    expect((await read()).keys).toEqual([key(pull)]);
  });

  test("a pull request that was merged into another branch, once that comes in", async () => {
    const { repository, read, key } = setUpBranch();
    repository.forcePush(repository.tip(), "develop");
    const landed = repository.land({ base: "develop" }, "squash");
    expect((await read()).keys).toEqual([]);
    repository.forcePush(repository.tip("develop"));
    expect((await read()).keys).toEqual([key(landed)]);
    repository.land({ base: "develop" }, "merge");
    const release = repository.openPullOf({ title: "Release", branch: "develop", base: "main" });
    repository.merge(release, "merge");
    // By a pull request of its own, it came as a part of that.
    expect((await read()).keys).toEqual([key(release)]);
  });

  test("not a pull request that took the commit into another branch later", async () => {
    const { repository, read, key } = setUpBranch();
    repository.forcePush(repository.tip(), "release");
    const pushed = repository.push({ message: "Fix it (#12)" });
    const pull = repository.openPullOf({ title: "Release", branch: "main", base: "release" });
    repository.merge(pull);
    expect((await read()).keys).toEqual([key(pushed)]);
  });

  test("not a pull request that was closed, nor a draft of the branch itself", async () => {
    const { repository, read } = setUpBranch();
    repository.close(repository.openPull());
    expect((await read()).keys).toEqual([]);
  });
});

describe("while the list of pull requests is behind", () => {
  test.each(["merge", "squash", "rebase"] as const)(
    "one merged by %s is asked for by its commit",
    async (method) => {
      const { github, repository, read, key, pass } = setUpBranch();
      github.site.pullListBehind = 10 * MINUTE;
      pass(MINUTE);
      const commits = method === "rebase" ? [{}] : three;
      const pull = repository.land({ commits, labels: ["skip-docs"] }, method);
      const pushed = repository.push();
      const { keys } = await read();
      expect(keys).toEqual([key(pull), key(pushed)]);
    },
  );

  test("a rebase of several is one change with the commits that were asked for", async () => {
    const { github, repository, read, key } = setUpBranch();
    github.site.pullListBehind = 10 * MINUTE;
    const pull = repository.land({ commits: three }, "rebase");
    expect(new Set((await read()).keys)).toEqual(new Set([key(pull)]));
  });

  test("a merge queue's group is as many changes as it has pull requests", async () => {
    const { github, repository, read, key } = setUpBranch();
    github.site.pullListBehind = 10 * MINUTE;
    const pulls = [1, 2, 3].map(() => repository.openPull({ commits: three }));
    for (const pull of pulls) repository.merge(pull, "squash", "GitHub");
    expect((await read()).keys).toEqual(pulls.map(key));
  });

  test("longer than is read of it, each commit is asked for", async () => {
    const { repository, read, key } = setUpBranch();
    const pulls = (["rebase", "merge", "squash"] as const).map((method) =>
      repository.land({}, method),
    );
    const pushed = repository.push();
    const { keys } = await read({ isListTooLong: true });
    expect(keys).toEqual([...pulls.map(key), key(pushed)]);
  });
});

describe("a reader that may ask no more", () => {
  test("leaves the rest for later, in order, and loses nothing", async () => {
    const { repository, read, key } = setUpBranch();
    const pulls = Array.from({ length: 5 }, () => repository.land({ commits: three }, "rebase"));
    // One for the comparison, and one for each commit that the list may lack.
    const few = await read({ requests: 7, isListTooLong: true });
    expect(new Set(few.keys)).toEqual(new Set(pulls.slice(0, 2).map(key)));
    expect((await read()).keys).toEqual(pulls.slice(2).map(key));
  });

  test("still takes what needs no request, so that it goes on however few are left", async () => {
    const { repository, read, key } = setUpBranch();
    const pulls = Array.from({ length: 3 }, () => repository.land({ commits: three }, "rebase"));
    repository.push({ message: "Fix it (#12)" });
    expect((await read({ requests: 0 })).keys).toEqual(pulls.map(key));
    expect((await read({ requests: 0 })).keys).toEqual([]);
  });

  test("needs two requests where the lists say everything", async () => {
    const { repository, read } = setUpBranch();
    for (let nth = 0; nth < 20; nth += 1) repository.land({ commits: three }, "squash");
    expect(await read()).toMatchObject({ requests: 2, keys: { length: 20 } });
  });
});

test("every commit of any history comes with one change, even if reading is broken off many times", async () => {
  const method = fc.constantFrom("merge" as const, "squash" as const, "rebase" as const);
  const person = fc.constantFrom("writer", "maintainer");
  const few = fc.integer({ min: 1, max: 4 });
  const event = fc.oneof(
    fc.record({ kind: fc.constant("push" as const), author: person }),
    fc.record({ kind: fc.constant("land" as const), method, commits: few, by: person }),
    fc.record({ kind: fc.constant("open" as const) }),
    fc.record({ kind: fc.constant("merge open" as const), method }),
    fc.record({ kind: fc.constant("close open" as const) }),
    fc.record({ kind: fc.constant("pull" as const), back: few }),
    fc.record({ kind: fc.constant("drop" as const), commits: few }),
    fc.record({ kind: fc.constant("pass" as const) }),
    fc.record({ kind: fc.constant("read" as const), requests: few }),
  );
  const take = async (
    { repository, read, key }: ReturnType<typeof setUpBranch>,
    handed: Set<string>,
    options = {},
  ) => {
    const { keys, changes } = await read(options);
    for (const taken of keys) handed.add(taken);
    // A copy of a squash, in a branch that was rewritten, counts as the pull request of its title.
    const plain = changes.filter(({ sha }) => repository.find(sha)?.parents.length === 1);
    return plain.map(({ sha }) => key(sha));
  };
  type Event = RepositoryEvent | { kind: "pass" } | { kind: "read"; requests: number };
  const histories = fc.array<Event>(event, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), fc.boolean(), async (history, isBehind, isSlow) => {
      const scene = setUpBranch();
      if (isSlow) scene.github.addFault({ path: "/compare/", status: 500, times: 1000 });
      if (isBehind) scene.github.site.pullListBehind = 3 * MINUTE;
      const { repository, read, key } = scene;
      const tips = [repository.tip()];
      const handed = new Set([key(repository.tip())]);
      const copies: string[] = [];
      for (const step of history) {
        // Nobody can tell which pull requests a merge on a machine brought in while the list is behind.
        if (isBehind && step.kind === "pull") continue;
        if (step.kind === "pass") scene.pass(MINUTE);
        else if (step.kind === "read") copies.push(...(await take(scene, handed, step)));
        else applyRepositoryEvent(repository, step, tips);
        if (repository.tip() !== tips[0]) tips.unshift(repository.tip());
      }
      copies.push(...(await take(scene, handed)));
      expect((await read()).keys).toEqual([]);
      expect(missingOf(repository, repository.tip(), [...handed, ...copies])).toEqual([]);
      // No commit of a pull request counts beside it.
      const line = lineOf(repository);
      const pulls = repository.pulls.filter(({ landed }) =>
        landed.every((sha) => line.includes(sha)),
      );
      const own = pulls.flatMap(({ landed }) => landed.map(key));
      expect(own.filter((ownKey) => handed.has(ownKey))).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});
