import { describe, expect, test } from "vitest";
import { HOUR, scene } from "../../test/support/upkeep-scene.ts";
import { History } from "../github/history.ts";
import { readRange } from "./range.ts";

const three = [{}, {}, {}];

describe("what counts as one change", () => {
  test.each(["merge", "squash", "rebase"] as const)(
    "a pull request merged by %s, however many commits it has",
    async (method) => {
      const { repository, run, key } = scene();
      await run();
      const pull = repository.land({ commits: three }, method);
      expect((await run()).keys).toEqual([key(pull)]);
      expect((await run()).keys).toEqual([]);
    },
  );

  test("a commit pushed without a pull request", async () => {
    const { repository, run, key } = scene();
    await run();
    const [one, two] = [repository.push(), repository.push()];
    expect((await run()).keys).toEqual([key(one), key(two)]);
  });

  test("what is pushed right before a rebase or squash is not the pull request's", async () => {
    for (const method of ["squash", "rebase"] as const) {
      const { repository, run, key } = scene();
      await run();
      const pull = repository.openPull({ commits: three });
      const pushed = repository.push({ author: "maintainer" });
      repository.merge(pull, method);
      const after = repository.push({ author: "maintainer" });
      expect((await run()).keys).toEqual([key(pushed), key(pull), key(after)]);
    }
  });

  test("a squash takes nothing with it, though it be like a commit of the pull request", async () => {
    const { repository, run, key } = scene();
    await run();
    const like = { message: "Fix", author: "writer", committer: "GitHub" };
    const pull = repository.openPull({ commits: [like, { message: "Fix more" }] });
    const pushed = repository.push(like);
    repository.merge(pull, "squash");
    expect((await run()).keys).toEqual([key(pushed), key(pull)]);
  });

  test("a pull request whose branch was pushed as it is, by several people", async () => {
    const { repository, run, key } = scene();
    await run();
    const commits = ["writer", "maintainer", "writer"].map((author) => ({ author }));
    const pull = repository.openPull({ commits });
    const mergeSha = repository.tip(pull.branch);
    repository.forcePush(mergeSha);
    Object.assign(pull, { state: "closed", mergedAt: repository.now(), mergeSha });
    expect((await run()).keys).toEqual([key(pull)]);
  });

  test("pull requests merged together on somebody's machine, each by itself", async () => {
    const { repository, run, key } = scene();
    await run();
    const pulls = [repository.openPull(), repository.openPull()];
    const tips = pulls.map(({ branch }) => repository.tip(branch));
    const sha = repository.pushMerge([repository.tip(), ...tips], { message: "Merge both" });
    // GitHub finds out by itself that they are merged.
    pulls.forEach((pull, index) => {
      const mergeSha = index === 0 ? sha : (tips[index] ?? "");
      Object.assign(pull, { state: "closed", mergedAt: repository.now(), mergeSha });
    });
    expect((await run({ max: 1 })).keys).toEqual(pulls.slice(0, 1).map(key));
    expect((await run({ max: 1 })).keys).toEqual(pulls.slice(1).map(key));
    expect((await run()).keys).toEqual([]);
  });

  test("a pull request whose merge came in beside the first parents", async () => {
    const { repository, run, key } = scene();
    await run();
    const before = repository.tip();
    const pull = repository.land();
    const local = repository.commit(before, { message: "Local" });
    repository.pushMerge([local, repository.tip()], { message: "Merge branch 'main'" });
    expect((await run()).keys).toEqual([key(local), key(pull)]);
  });

  test("what others pushed meanwhile, with the merge of it into one's own work", async () => {
    const { repository, run, key } = scene();
    await run();
    const before = repository.tip();
    repository.push({ message: "Pushed meanwhile" });
    const pull = repository.land({}, "squash");
    const local = repository.commit(before, { message: "Local" });
    const merge = repository.pushMerge([local, repository.tip()], { message: "Merge main" });
    expect((await run()).keys).toEqual([key(local), key(pull), key(merge)]);
  });

  test("not a pull request that was closed, or merged into another branch", async () => {
    const { repository, run, key } = scene();
    await run();
    repository.close(repository.openPull());
    repository.refs.set("next", repository.tip());
    const other = repository.land({ base: "next" }, "squash");
    const pull = repository.land();
    expect((await run()).keys).toEqual([key(pull)]);
    expect((await run({ branch: "next", isKept: false })).keys).toEqual([key(other)]);
  });
});

describe("a change", () => {
  test("tells what the prompt and the outputs need", async () => {
    const { repository, run } = scene();
    await run();
    const files = ["src/a.ts", "src/b.ts"];
    const pull = { title: "Add it", body: "Why", labels: ["api"], commits: [{ files }] };
    const { mergeSha } = repository.land(pull, "squash");
    const pushed = repository.push({ message: "Push it\n\nBecause\nso", author: "reader" });
    const { changes } = await run();
    expect(changes).toMatchObject([
      {
        ...{ repository: "acme/code", number: 1, sha: mergeSha, title: "Add it", body: "Why" },
        ...{ url: "https://github.com/acme/code/pull/1", author: "writer", labels: ["api"] },
        files: [{ path: "src/a.ts", additions: 1, deletions: 0 }, { path: "src/b.ts" }],
        hasMoreFiles: false,
      },
      {
        ...{ number: null, sha: pushed, title: "Push it", body: "Because\nso", author: "reader" },
        url: `https://github.com/acme/code/commit/${pushed}`,
      },
    ]);
  });
});

describe("what does not count", () => {
  test("is passed over with a reason, by label, author and paths", async () => {
    const { repository, run, key } = scene();
    await run();
    repository.land({ title: "A", labels: ["Skip-Docs"] });
    repository.land({ title: "B", author: "Renovate[bot]" });
    repository.push({ message: "C", author: "renovate[bot]" });
    repository.land({ title: "D", commits: [{ files: ["test/a.ts"] }] });
    repository.push({ message: "E", files: [] });
    const pull = repository.land({ title: "F", commits: [{ files: ["test/a.ts", "src/a.ts"] }] });
    const { keys, passedOver } = await run({ paths: "src/**" });
    expect(keys).toEqual([key(pull)]);
    expect(passedOver).toEqual([
      "A: label Skip-Docs",
      "B: author Renovate[bot]",
      "C: author renovate[bot]",
      "D: no file matches `paths`",
      "E: changes no files",
    ]);
    expect((await run()).passedOver).toEqual([]);
  });

  test("is the agent's own: what its jobs told of, and what its bot opened alike", async () => {
    const { repository, run, key } = scene();
    await run();
    const author = "docs[bot]";
    const own = repository.land({ author, branch: "docs-agent/one" });
    repository.land({ author, branch: "docs-agent/two" });
    const others = [
      repository.land({ author, branch: "release/one" }),
      repository.land({ author: "writer", branch: "docs-agent/three" }),
    ];
    const { keys, passedOver } = await run({ filters: { own: new Set([key(own)]) } });
    expect(keys).toEqual(others.map(key));
    expect(passedOver).toEqual([
      "Improve 1: opened by the documentation agent",
      "Improve 2: opened by the documentation agent",
    ]);
  });
});

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
    repository.refs.set("v1", one?.mergeSha ?? "");
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
    const commit = repository.find(old);
    repository.commits.set(old, { ...(commit as NonNullable<typeof commit>), at: 0 });
    const recent = repository.push();
    expect((await run()).keys).toEqual([key(pull), key(old), key(recent)]);
  });

  test("begins at a tag beside the branch with what the branch has more", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    const tagged = repository.commit(base, { message: "Fix" });
    repository.refs.set("v1", tagged);
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
    const dated = (sha: string, at: number) => {
      const commit = repository.find(sha);
      if (commit !== undefined) repository.commits.set(sha, { ...commit, at });
    };
    pass(HOUR);
    dated(repository.push(), repository.now() + HOUR);
    await run();
    const now = new Date(repository.now()).toISOString();
    expect(cursor()).toEqual({ sha: repository.tip(), date: now });
    pass(HOUR);
    dated(repository.push(), 0);
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
    expect(passedOver).toEqual([
      expect.stringMatching(/^A: same as [0-9a-f]{7} from before the branch was rewritten$/),
    ]);
    expect((await run()).keys).toEqual([]);
  });

  test("takes a commit that only looks like an old one", async () => {
    const { repository, run, key } = scene();
    const base = repository.tip();
    await run();
    repository.push({ message: "Update", files: ["a"] });
    await run();
    const authoredAt = repository.find(repository.tip())?.authoredAt ?? 0;
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

describe("requests", () => {
  test("are two for a run with nothing new, and one where the branch is known", async () => {
    const { run } = scene();
    await run();
    expect((await run()).requests).toBe(2);
    expect((await run({ branch: "main" })).requests).toBe(1);
  });

  test.each([
    ["squash", 20, 25],
    ["merge", 20, 35],
    ["rebase", 16, 45],
  ] as const)(
    "for 1,000 commits in 200 pull requests merged by %s",
    async (method, handedOver, requests) => {
      const { repository, run, pass, handed, key } = scene();
      await run();
      const commits = Array.from({ length: 5 }, () => ({}));
      for (let number = 1; number <= 200; number += 1) {
        pass(3 * HOUR);
        repository.land({ commits }, method);
      }
      const first = await run({ requests: 46, branch: "main" });
      expect(first.keys).toHaveLength(handedOver);
      expect(first.requests).toBe(requests);
      expect(first.waiting).toHaveLength(200 - handedOver);
      while ((await run({ requests: 46, branch: "main" })).keys.length > 0);
      // The first is the commit with which the repository began.
      expect(handed.slice(1)).toEqual(repository.pulls.map(key));
    },
  );

  test("that are not left leave the rest for later, in order", async () => {
    const { repository, run, key } = scene();
    await run();
    const pulls = Array.from({ length: 8 }, () => repository.land({ commits: three }, "rebase"));
    // Four to read the history; two for each change, and always enough for three.
    const first = await run({ requests: 5 });
    expect(first.keys).toEqual(pulls.slice(0, 3).map(key));
    expect(first.waiting).toEqual(pulls.slice(3).map(key));
    expect((await run({ requests: 13 })).keys).toEqual(pulls.slice(3, 7).map(key));
    expect((await run()).keys).toEqual(pulls.slice(7).map(key));
  });

  test("are made for a commit's pull requests when there are too many to list", async () => {
    const { repository, run, key, pass } = scene();
    await run();
    const pulls = [
      repository.land({ commits: three }, "rebase"),
      repository.land({}, "merge"),
      repository.land({}, "squash"),
    ];
    const pushed = repository.push();
    pass(1000);
    for (let number = 0; number < 1500; number += 1) repository.close(repository.openPull());
    expect((await run({ isKept: false })).keys).toEqual([...pulls.map(key), key(pushed)]);
    expect((await run({ max: 1 })).keys).toEqual(pulls.slice(0, 1).map(key));
    expect((await run()).keys).toEqual([...pulls.slice(1).map(key), key(pushed)]);
    expect((await run()).keys).toEqual([]);
  });

  test("are not made to tell what people pushed from a squash, which is GitHub's", async () => {
    const { repository, run } = scene();
    await run();
    for (let number = 1; number <= 3; number += 1) {
      repository.push();
      repository.land({}, "squash");
    }
    // The branch, a comparison, the pull requests, and the files of six changes.
    expect((await run({ branch: "main" })).requests).toBe(3 + 6);
  });

  test("that do not reach for all files of a change leave it for the next run", async () => {
    const { repository, run, key } = scene();
    await run();
    const small = Array.from({ length: 5 }, () => repository.land({}, "squash"));
    const files = Array.from({ length: 250 }, (_, index) => `src/${index}.ts`);
    const large = repository.land({ commits: [{ files }] }, "squash");
    // Six are always left: one for each of the small ones, and one of the three for the large one.
    expect((await run({ requests: 0 })).keys).toEqual(small.map(key));
    const { keys, changes } = await run({ requests: 0 });
    expect(keys).toEqual([key(large)]);
    expect(changes[0]?.files).toHaveLength(250);
  });
});
