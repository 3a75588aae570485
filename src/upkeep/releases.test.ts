import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { tokenOf } from "../../emulator/github/people.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { NOW } from "../../test/support/ledger-examples.ts";
import { History } from "../github/changes/history.ts";
import { readRelease } from "./releases.ts";

/** A repository with three commits, and reads of its release. */
async function setUp() {
  let now = NOW;
  const github = new GitHub(() => now);
  const repository = github.create("acme/code");
  const push = (title: string) => {
    now += 60_000;
    return repository.push({ message: title, files: { "a.ts": title } });
  };
  const commits = [push("First"), push("Second"), push("Third")] as const;
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
  const tag = (name: string, sha: string) => repository.setRef(`refs/tags/${name}`, sha);
  const { connect, asked } = connectEmulated(github);
  const history = new History(await connect(), "acme/code");
  const read = (last: string | null = null, releaseTag = "") =>
    readRelease(history, repository.tip(), last, releaseTag);
  const compared = () => asked.filter((request) => request.includes("/compare/")).length;
  return { repository, history, commits, push, release, tag, read, compared };
}

test("without a release or a tag, nothing is compared", async () => {
  const { read, compared } = await setUp();
  expect(await read()).toBeNull();
  expect(await read(null, "v*")).toBeNull();
  expect(compared()).toBe(0);
});

test("the newest published release counts, and what the branch has after it is unreleased", async () => {
  const { commits, release, tag, read, repository } = await setUp();
  const [first, second, third] = commits;
  tag("v1", first);
  tag("v2", second);
  tag("v3-rc", third);
  release("v1");
  release("v2");
  release("v3-rc", { prerelease: true });
  release("v4", { draft: true });
  expect(await read()).toEqual({
    name: `v2 ${repository.tip()}`,
    unreleased: new Set([third]),
  });
});

test("a release is compared again only with another tip", async () => {
  const { commits, release, tag, push, read, compared, repository } = await setUp();
  tag("v1", commits[2]);
  release("v1");
  const last = `v1 ${repository.tip()}`;
  expect(await read(last)).toBeNull();
  expect(compared()).toBe(0);
  const fourth = push("Fourth");
  expect(await read(last)).toEqual({ name: `v1 ${fourth}`, unreleased: new Set([fourth]) });
});

test("the newest tag that matches counts, whatever other tags and releases there are", async () => {
  const { commits, release, tag, read, repository } = await setUp();
  const [first, second, third] = commits;
  tag("v1", first);
  tag("v2", second);
  tag("nightly", third);
  release("nightly");
  expect(await read(null, "v*")).toEqual({
    name: `v2 ${repository.tip()}`,
    unreleased: new Set([third]),
  });
});

test("a tag that is not on the branch is passed over for an older one that is", async () => {
  const { commits, tag, read, repository } = await setUp();
  tag("v1", commits[1]);
  tag("v2", repository.commit(commits[0], { message: "Elsewhere", files: { "b.ts": "" } }));
  expect(await read(null, "v*")).toEqual({
    name: `v2 ${repository.tip()}`,
    unreleased: new Set([commits[2]]),
  });
});

test("if no tag can be compared, the release is named, and nothing is known to be in it", async () => {
  const { commits, tag, read, compared, repository } = await setUp();
  const elsewhere = repository.commit(commits[0], { message: "Elsewhere", files: { "b.ts": "" } });
  for (let nth = 1; nth <= 7; nth++) tag(`v${nth}`, elsewhere);
  const release = await read(null, "v*");
  expect(release?.name).toMatch(/^v\d /);
  expect(release?.unreleased).toBeNull();
  expect(compared()).toBe(5);
});

test("of a release with more commits after it than GitHub lists, nothing is known", async () => {
  const { repository, history, commits, release, tag, read } = await setUp();
  tag("v1", commits[0]);
  release("v1");
  const comparison = await history.compare("v1", repository.tip());
  if (comparison === undefined) throw new Error("v1 is on the branch");
  history.compare = async () => ({ ...comparison, isComplete: false });
  expect(await read()).toEqual({ name: `v1 ${repository.tip()}`, unreleased: null });
});

test("a pattern that no tag matches is an invalid input", async () => {
  const { commits, tag, read } = await setUp();
  tag("release-1", commits[0]);
  await expect(read(null, "v*")).rejects.toMatchObject({
    kind: "invalid-input",
    problem: 'release-tag: none of the newest 100 tags of acme/code matches "v*".',
  });
});
