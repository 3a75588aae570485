import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { valueOrNull } from "../../runtime/fact.ts";
import { readLinkedPull, readPullEnd, readPullState } from "./pull-state.ts";

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
    end: async () => {
      const read = await readLinkedPull(link, SERVER, connect);
      return read.type === "known" ? valueOrNull(await readPullEnd(read.value)) : null;
    },
  };
}

test("a pull request is open, merged or closed, and its state takes one request", async () => {
  const { repository, pull, state, asked } = setUp();
  expect(await state()).toEqual({ type: "known", value: "open" });
  repository.close(pull);
  expect(await state()).toEqual({ type: "known", value: "closed" });
  expect(asked).toHaveLength(2);
  const other = setUp();
  other.repository.merge(other.pull);
  expect(await other.state()).toEqual({ type: "known", value: "merged" });
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
    expect(await end()).toEqual({
      state: "merged",
      lastCommitAt: expect.stringMatching(/^2026-03-01T/),
      hasLaterCommits: true,
    });
  });
});

test.each([
  [404, {}, { cause: "refused", isPassing: false, status: 404 }],
  [403, {}, { cause: "refused", isPassing: false, status: 403 }],
  [410, {}, { cause: "refused", isPassing: false, status: 410 }],
  [403, { "retry-after": "60" }, { cause: "limited", isPassing: true }],
  [429, {}, { cause: "limited", isPassing: true }],
  [500, {}, { cause: "unanswered", isPassing: true, status: 500 }],
  [503, {}, { cause: "unanswered", isPassing: true, status: 503 }],
])("after %i %j, it is unread: %j", async (status, headers, expected) => {
  const { github, state } = setUp();
  github.addFault({ path: "/pulls/", status, headers, times: 100 });
  expect(await state()).toMatchObject({ type: "unread", ...expected });
});

test("a link to another server is not read", async () => {
  const { connect } = connectClient();
  const link = "https://github.example.com/acme/code/pull/7";
  expect(await readPullState(link, SERVER, connect)).toMatchObject({
    type: "unread",
    isPassing: false,
  });
});

test("a mistake of the action is not a pull request that cannot be read", async () => {
  const mistake = new TypeError("x is not a function");
  const read = readPullState(`${SERVER}/acme/code/pull/7`, SERVER, () => Promise.reject(mistake));
  await expect(read).rejects.toBe(mistake);
});
