import { describe, expect, test } from "vitest";
import { MINUTE, setUpBranch } from "../../../test/support/branch-reader.ts";

const three = [{}, {}, {}];

describe("of a merge that was pushed, changes are", () => {
  test("each pull request of several that were merged together on somebody's machine", async () => {
    const { repository, read, key, now } = setUpBranch();
    const pulls = [repository.openPull(), repository.openPull()];
    const tips = pulls.map(({ branch }) => repository.tip(branch));
    const sha = repository.forcePush(repository.commit([repository.tip(), ...tips]));
    // GitHub finds out by itself that they are merged.
    for (const [nth, pull] of pulls.entries()) {
      const mergeSha = nth === 0 ? sha : (tips[nth] ?? "");
      repository.change(pull, { mergedAt: now(), mergeSha, state: "closed" });
    }
    expect((await read()).keys).toEqual(pulls.map(key));
    expect((await read()).keys).toEqual([]);
  });

  test.each([0, 1])("also a merge that brought %i commits beside a pull request", async (count) => {
    const { repository, read, key, now } = setUpBranch();
    const pull = repository.openPull({ commits: three });
    const head = repository.tip(pull.branch);
    const side = count === 0 ? head : repository.commit(head);
    // GitHub is asked about such a title.
    const fields = { message: "Merge pull request #1 from acme/more" };
    const sha = repository.forcePush(repository.commit([repository.tip(), side], fields));
    repository.change(pull, { mergedAt: now(), mergeSha: head, state: "closed" });
    const { keys } = await read({ requests: 3 });
    expect(keys).toEqual([key(pull), key(sha)].slice(0, count + 1));
  });

  test("what `git pull` put beside the branch's own line, and what was pushed there", async () => {
    const { repository, read, key } = setUpBranch();
    const before = repository.tip();
    const pull = repository.land();
    const local = repository.commit(before);
    repository.forcePush(repository.commit([local, repository.tip()]));
    expect((await read()).keys).toEqual([key(local), key(pull)]);
    const again = repository.commit(repository.tip());
    repository.push({ message: "Pushed meanwhile" });
    const merge = repository.forcePush(repository.commit([again, repository.tip()]));
    expect((await read()).keys).toEqual([key(again), key(merge)]);
  });

  test("nothing but what is new of a merge by `git pull`, whose other side was read before", async () => {
    const { repository, read, key } = setUpBranch();
    const before = repository.tip();
    repository.land({ commits: three }, "squash");
    repository.land({ commits: three }, "rebase");
    repository.push();
    expect((await read()).keys).toHaveLength(3);
    const local = repository.commit(before);
    repository.forcePush(repository.commit([local, repository.tip()]));
    expect((await read()).keys).toEqual([key(local)]);
    const pushed = repository.push();
    expect((await read()).keys).toEqual([key(pushed)]);
  });

  test.each(["merge", "squash", "rebase"] as const)(
    "no merge by `git pull` whose other side is a pull request merged by %s",
    async (method) => {
      const { repository, read, key } = setUpBranch();
      const before = repository.tip();
      const pull = repository.land({ commits: three }, method);
      const local = repository.commit(before);
      repository.forcePush(repository.commit([local, repository.tip()]));
      expect((await read()).keys).toEqual([key(local), key(pull)]);
    },
  );

  test.each(["merge", "squash", "rebase"] as const)(
    "a pull request merged by %s whose own commits came in once more by `git pull`",
    async (method) => {
      const { repository, read, key } = setUpBranch();
      const pull = repository.openPull({ commits: three });
      const head = repository.tip(pull.branch);
      const local = repository.commit(head);
      repository.merge(pull, method);
      repository.forcePush(repository.commit([local, repository.tip()]));
      const { keys } = await read();
      expect(keys.toSorted()).toEqual([key(pull), key(local)].toSorted());
    },
  );

  test.each(["before", "after"] as const)(
    "a pull request whose branch had merged its base, which was read %s, and was pushed as the base",
    async (when) => {
      const { repository, read, key, pass } = setUpBranch();
      const pull = repository.openPull({ commits: three });
      const pushed = repository.push();
      if (when === "before") expect((await read()).keys).toEqual([key(pushed)]);
      const merge = repository.commit([repository.tip(pull.branch), pushed]);
      repository.forcePush(merge, pull.branch);
      repository.forcePush(merge);
      pass(MINUTE);
      const { keys } = await read();
      // What the merge brought beside the pull request counts with the merge.
      expect(keys).toEqual(when === "before" ? [key(pull)] : [key(pull), key(merge)]);
    },
  );
});
