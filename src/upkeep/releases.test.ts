import { describe, expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { tokenOf } from "../../emulator/github/people.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { NOW } from "../../test/support/ledger-examples.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { type Fact, known } from "../runtime/fact.ts";
import { listReleases } from "./release-tags.ts";
import { nameOfReleases, readRelease } from "./releases.ts";
import type { ReleaseFacts } from "./sources.ts";

/** A repository with three commits that wait, and reads of its release. */
async function setUp() {
  let now = NOW;
  const github = new GitHub(() => now);
  const repository = github.create("acme/code");
  const base = repository.tip();
  const push = (title: string) => {
    now += 60_000;
    return repository.push({ message: title, files: { "a.ts": title } });
  };
  const waiting = [push("First"), push("Second"), push("Third")];
  const release = (tag_name: string, fields: object = {}) => {
    now += 60_000;
    const { status } = github.handle({
      method: "POST",
      path: "/repos/acme/code/releases",
      headers: { authorization: `Bearer ${tokenOf("maintainer")}` },
      body: JSON.stringify({ tag_name, ...fields }),
    });
    expect(status).toBe(201);
  };
  const tag = (name: string, sha = "") => {
    now += 60_000;
    repository.setRef(`refs/tags/${name}`, sha);
  };
  const { connect, asked } = connectEmulated(github);
  const history = new HistoryReader(await connect(), "acme/code");
  const readFact = async (
    { last, wasRewritten = false }: { last?: string; wasRewritten?: boolean } = {},
    releaseTag: string | null = null,
  ): Promise<Fact<ReleaseFacts>> => {
    const source = { head: repository.tip(), waiting, wasRewritten };
    const tags = await listReleases(history, releaseTag);
    if (tags.type !== "known") return tags;
    const isNew = nameOfReleases(tags.value, source) !== last;
    return isNew ? await readRelease(history, source, tags.value) : { type: "absent" };
  };
  /** What the release contains; null for no new release. */
  const read = async (...about: Parameters<typeof readFact>) => {
    const fact = await readFact(...about);
    return fact.type === "known" ? fact.value : null;
  };
  /** The titles of the commits that are released; null for no new release. */
  const titles = async (
    over: { wasRewritten?: boolean } = {},
    releaseTag: string | null = null,
  ) => {
    const facts = await read(over, releaseTag);
    return facts && [...facts.released].map((sha) => repository.find(sha)?.message);
  };
  const compared = () => asked.filter((request) => request.includes("/compare/")).length;
  const commits = waiting;
  return {
    github,
    repository,
    history,
    base,
    commits,
    push,
    release,
    tag,
    readFact,
    read,
    titles,
    compared,
  };
}

test("without a release or a tag, nothing is compared", async () => {
  const { read, compared } = await setUp();
  expect(await read()).toBeNull();
  expect(await read({}, "v*")).toBeNull();
  expect(compared()).toBe(0);
});

test("what a published release contains is released", async () => {
  const { commits, release, tag, titles } = await setUp();
  const [first, second, third] = commits;
  tag("v1", first);
  tag("v2", second);
  tag("v3-rc", third);
  release("v1");
  release("v2");
  release("v3-rc", { prerelease: true });
  release("v4", { draft: true });
  expect(await titles()).toEqual(["First", "Second"]);
});

test("a release is compared again only with another tip, if its tag was moved, or something else waits", async () => {
  const { commits, release, tag, push, read, compared } = await setUp();
  tag("v1", commits[0]);
  release("v1");
  const last = (await read())?.name ?? "";
  expect(last).toMatch(/^v1 [0-9a-f]{12}$/);
  const before = compared();
  expect(await read({ last })).toBeNull();
  expect(compared()).toBe(before);
  tag("v1", commits[1]);
  const moved = await read({ last });
  expect(moved?.released).toEqual(new Set(commits.slice(0, 2)));
  push("Fourth");
  expect(await read({ last: moved?.name ?? "" })).not.toBeNull();
  commits.pop();
  expect(await read({ last })).not.toBeNull();
});

describe("the release that is furthest on the branch counts", () => {
  test("if a fix of an older line was published later", async () => {
    const { repository, base, commits, release, tag, titles } = await setUp();
    tag("v2", commits[1]);
    release("v2");
    tag("v1.1", repository.commit(base, { message: "Fix", files: { "b.ts": "" } }));
    release("v1.1");
    expect(await titles()).toEqual(["First", "Second"]);
  });

  test("if one of an older commit of the branch was published later", async () => {
    const { commits, release, tag, titles } = await setUp();
    tag("v2", commits[2]);
    release("v2");
    tag("v1", commits[0]);
    release("v1");
    expect(await titles()).toEqual(["First", "Second", "Third"]);
  });

  test("by tags, among other tags and releases", async () => {
    const { commits, release, tag, titles } = await setUp();
    const [first, second, third] = commits;
    tag("v2", second);
    tag("v1", first);
    tag("nightly", third);
    release("nightly");
    expect(await titles({}, "v*")).toEqual(["First", "Second"]);
  });

  test("if it is on a branch of its own, as far as that is a part of the branch", async () => {
    const { repository, commits, release, tag, titles } = await setUp();
    const [, second] = commits;
    tag("v2", repository.commit(second ?? "", { message: "Version 2", files: { "v.txt": "2" } }));
    release("v2");
    expect(await titles()).toEqual(["First", "Second"]);
  });
});

test("a branch with the name of a tag is not taken for it", async () => {
  const { repository, commits, release, tag, titles } = await setUp();
  tag("v1", commits[0]);
  release("v1");
  repository.setRef("refs/heads/v1", commits[2] ?? "");
  expect(await titles()).toEqual(["First"]);
});

test("in a branch that was rewritten, only what the release really contains is released", async () => {
  const { repository, base, commits, release, tag, read, titles } = await setUp();
  tag("v1", commits[1]);
  release("v1");
  repository.forcePush(base, "main", [{ message: "Another" }]);
  expect(await titles({ wasRewritten: true })).toEqual(["First", "Second"]);
  const facts = await read({ wasRewritten: true });
  expect(facts?.dropped).toEqual(new Set(commits.slice(2)));
  repository.gone.add(commits[2] ?? "");
  expect(await read({ wasRewritten: true })).toEqual(facts);
});

test("a change that is deep in the history of a release is found by itself", async () => {
  const { repository, history, base, commits, tag, read } = await setUp();
  tag("v1", commits[1]);
  repository.forcePush(base, "main", [{ message: "Another" }]);
  history.commitsBack = async () => known({ items: [], isComplete: false });
  const facts = await read({ wasRewritten: true }, "v1");
  expect(facts?.released).toEqual(new Set(commits.slice(0, 2)));
});

test("a commit that the branch lost, and that is too large to be compared, is not waited for", async () => {
  const { repository, base, commits, tag, read } = await setUp();
  repository.forcePush(base, "main", [{ message: "Another" }]);
  tag("v1", repository.tip());
  repository.switches.huge.add(commits[0] ?? "");
  const facts = await read({ wasRewritten: true }, "v1");
  expect(facts).toMatchObject({ released: new Set(), dropped: new Set(commits) });
});

test("fixes of older lines that were published later hide no release, however many there are", async () => {
  const { repository, base, commits, release, tag, compared, titles } = await setUp();
  tag("v2", commits[1]);
  release("v2");
  for (let nth = 1; nth <= 12; nth++) {
    tag(`v1.${nth}`, repository.commit(base, { message: `${nth}`, files: { "b.ts": `${nth}` } }));
    release(`v1.${nth}`);
  }
  expect(await titles()).toEqual(["First", "Second"]);
  expect(compared()).toBe(14);
});

test("once ten are compared, nothing is beyond a release that the branch contains", async () => {
  const { repository, base, commits, release, tag, compared, titles } = await setUp();
  for (let nth = 1; nth <= 12; nth++) {
    tag(`v1.${nth}`, repository.commit(base, { message: `${nth}`, files: { "b.ts": `${nth}` } }));
    release(`v1.${nth}`);
  }
  tag("v2", commits[1]);
  release("v2");
  expect(await titles()).toEqual(["First", "Second"]);
  expect(compared()).toBe(11);
});

test("the tags of other packages hide none that matches", async () => {
  const { repository, commits, tag, titles } = await setUp();
  tag("pkg-a@1.9.0", commits[0]);
  repository.tag("pkg-a@1.10.0", commits[1] ?? "");
  for (let nth = 1; nth <= 101; nth++) tag(`pkg-b@${nth}`, commits[2]);
  expect(await titles({}, "pkg-a@*")).toEqual(["First", "Second"]);
});

describe("if GitHub", () => {
  const fault = { path: "/compare/", status: 404, times: 10 };

  test.each([1, 2])(
    "does not know a commit with a tag yet, the next run asks again (%i tags)",
    async (count) => {
      const { github, commits, tag, read } = await setUp();
      for (const sha of commits.slice(0, count)) tag(`v${commits.indexOf(sha)}`, sha);
      github.addFault({ path: "/compare/", status: 404 });
      github.addFault({ path: "/commits[?]", status: 404 });
      expect((await read({}, "v*"))?.name).toBeNull();
      const again = await read({}, "v*");
      expect([again?.name, again?.released.size]).toEqual([expect.any(String), count]);
    },
  );

  test("never finds a common ancestor, the tag is settled", async () => {
    const { github, commits, tag, read } = await setUp();
    tag("v1", commits[0]);
    tag("v2", commits[1]);
    github.addFault({ ...fault, message: "No common ancestor between a and b." });
    const read1 = await read({}, "v*");
    expect([read1?.name, read1?.released.size]).toEqual([expect.any(String), 0]);
  });

  test("fails to compare, the changes are looked for in the history of the newest release", async () => {
    const { github, commits, tag, titles } = await setUp();
    tag("v0", commits[0]);
    tag("v1", commits[1]);
    github.addFault({ ...fault, status: 500, times: 1000 });
    expect(await titles({}, "v*")).toEqual(["First", "Second"]);
  });
});

test("a pattern that no tag matches is a problem of the source alone", async () => {
  const { commits, tag, readFact } = await setUp();
  tag("release-1", commits[0]);
  expect(await readFact({}, "v*")).toMatchObject({
    type: "unread",
    cause: "refused",
    reason: 'none of its tags matches "v*", the `release-tag`',
  });
});
