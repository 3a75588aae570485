import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { clientOf, connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { readPullEnd, readPullState } from "./pull-state.ts";

const SERVER = "https://github.com";

/** A repository in memory with an open pull request. */
function setUp() {
  const github = new GitHub(() => Date.parse("2026-03-01T00:00:00Z"));
  const repository = github.create("acme/code");
  const { connect, asked } = connectEmulated(github);
  const pull = repository.openPull();
  const link = `${SERVER}/acme/code/pull/${pull.number}`;
  return {
    github,
    repository,
    pull,
    asked,
    state: () => readPullState(link, SERVER, connect),
    end: () => readPullEnd(link, SERVER, connect),
  };
}

test("a pull request is open, merged or closed, and its state takes one request", async () => {
  const { repository, pull, state, asked } = setUp();
  expect(await state()).toBe("open");
  repository.close(pull);
  expect(await state()).toBe("closed");
  expect(asked).toHaveLength(2);
  const other = setUp();
  other.repository.merge(other.pull);
  expect(await other.state()).toBe("merged");
});

describe("the branch of one that was merged", () => {
  test("has no later commits if nobody has pushed since, or it was deleted", async () => {
    const { repository, pull, end } = setUp();
    repository.merge(pull);
    expect(await end()).toMatchObject({ state: "merged", hasLaterCommits: false });
    repository.setRef(`refs/heads/${pull.branch}`, null);
    expect(await end()).toMatchObject({ state: "merged", hasLaterCommits: false });
  });

  test("has later commits if somebody has pushed since", async () => {
    const { repository, pull, end } = setUp();
    repository.merge(pull);
    repository.push({}, pull.branch);
    const { lastCommitAt, hasLaterCommits } = await end();
    expect(lastCommitAt).toMatch(/^2026-03-01T/);
    expect(hasLaterCommits).toBe(true);
  });
});

test.each([
  [404, {}, "unread"],
  [403, {}, "unread"],
  [410, {}, "unread"],
  [403, { "retry-after": "60" }, "unavailable"],
  [429, {}, "unavailable"],
  [500, {}, "unavailable"],
  [503, {}, "unavailable"],
])("after %i %j, it is %s", async (status, headers, expected) => {
  const { github, state } = setUp();
  github.addFault({ path: "/pulls/", status, headers, times: 100 });
  expect(await state()).toBe(expected);
});

test("a link to another server is not read", async () => {
  const { connect } = connectClient();
  const link = "https://github.example.com/acme/code/pull/7";
  expect(await readPullState(link, SERVER, connect)).toBe("unread");
});

test("a mistake of the action is not a pull request that cannot be read", async () => {
  const mistake = new TypeError("x is not a function");
  const github = clientOf(() => {
    throw mistake;
  });
  const read = readPullState(`${SERVER}/acme/code/pull/7`, SERVER, () => github);
  await expect(read).rejects.toBe(mistake);
});
