import { describe, expect, test } from "vitest";
import { scene } from "../../test/support/upkeep-scene.ts";

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
    Object.assign(pull, { state: "closed", mergedAt: repository.site.now, mergeSha });
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
      Object.assign(pull, { state: "closed", mergedAt: repository.site.now, mergeSha });
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
    repository.forcePush(repository.tip(), "next");
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
