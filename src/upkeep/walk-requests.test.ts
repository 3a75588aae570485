import { describe, expect, test } from "vitest";
import { sampleOf } from "../../test/support/sample.ts";
import { HOUR, scene } from "../../test/support/upkeep-scene.ts";

const three = [{}, {}, {}];

describe("requests", () => {
  test("are two for a run with nothing new, and one where the branch is known", async () => {
    const { run } = scene();
    await run();
    expect((await run()).requests).toBe(2);
    expect((await run({ branch: "main" })).requests).toBe(1);
  });

  const MANY = [
    ["squash", 20, 25],
    ["merge", 20, 35],
    ["rebase", 16, 45],
  ] as const;

  test.each(sampleOf(MANY, 1, "methods"))(
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
