import { describe, expect, test } from "vitest";
import { clientOf } from "../../test/support/github-client.ts";
import { PULL } from "../../test/support/history-answers.ts";
import { knownValue } from "../../test/support/known.ts";
import { GateReader } from "./gate-reader.ts";

type Status = { state: string; description: string | null; targetUrl: null; createdAt: string };

const STATUS = 'docs "gate"';
const HEAD = { updatedAt: "2026-05-01T10:00:00Z", headRefOid: "abc" };

function node(number: number, status: Status | null) {
  const commit = { status: status === null ? null : { context: status } };
  return { number, ...HEAD, commits: { nodes: [{ commit }] } };
}

/** A reader that gets these pages of open pull requests, and the variables of the queries that it made. */
async function readerOf(pages: object[][]) {
  const asked: Record<string, unknown>[] = [];
  const reader = await readerWith(({ body }) => {
    const { variables } = JSON.parse(body);
    const nodes = pages[asked.push(variables) - 1] ?? [];
    const hasNextPage = asked.length < pages.length;
    const endCursor = hasNextPage ? `after ${asked.length}` : null;
    const pullRequests = { pageInfo: { hasNextPage, endCursor }, nodes };
    return [200, { data: { repository: { pullRequests } } }];
  });
  return { reader, asked };
}

async function readerWith(answer: Parameters<typeof clientOf>[0]): Promise<GateReader> {
  const github = await clientOf(answer);
  return new GateReader(github, "acme/code", STATUS, async () => github);
}

describe("the open pull requests", () => {
  test("are those of all pages", async () => {
    const { reader, asked } = await readerOf([[node(1, null)], [node(2, null)], [node(3, null)]]);
    const pulls = knownValue(await reader.openPulls());
    expect(pulls.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(asked.map(({ after }) => after)).toEqual([null, "after 1", "after 2"]);
  });

  test("of more than 5,000 are not read to the end", async () => {
    const { reader, asked } = await readerOf(Array.from({ length: 60 }, () => [node(1, null)]));
    expect(knownValue(await reader.openPulls())).toHaveLength(50);
    expect(asked).toHaveLength(50);
  });

  test("have the status of a name with any characters", async () => {
    const createdAt = "2026-05-01T11:00:00Z";
    const known = { state: "SUCCESS", description: null, targetUrl: null, createdAt };
    const { reader, asked } = await readerOf([[node(1, known), node(2, null)]]);
    const [first, second] = knownValue(await reader.openPulls());
    const setAt = Date.parse(createdAt);
    const status = { state: "success", description: "", targetUrl: null, setAt };
    expect(first).toEqual({ number: 1, head: "abc", updatedAt: setAt - 3_600_000, status });
    expect(second?.status).toBeNull();
    expect(asked).toMatchObject([{ status: STATUS }]);
  });
});

describe("the open pull requests of a commit", () => {
  const OPEN = { ...PULL, state: "open" };

  test.each<[string, object, number]>([
    ["that are open", OPEN, 1],
    ["whatever the case of the name", { ...OPEN, html_url: "https://x/Acme/Code/pull/7" }, 1],
    ["but not one that is closed", PULL, 0],
    [
      "but not one of the upstream repository",
      { ...OPEN, html_url: "https://x/up/code/pull/7" },
      0,
    ],
  ])("are those of the repository %s", async (_, pull, count) => {
    const reader = await readerWith(() => [200, [pull]]);
    const pulls = await reader.openPullsOf("abc");
    expect(knownValue(pulls)).toHaveLength(count);
  });
});

describe("the approval", () => {
  const opinion = (state: string, login: string, __typename = "User") => {
    return { state, author: { __typename, login } };
  };
  const answerOf = (nodes: object[], hasNextPage = false, isDraft = false) => {
    const labels = { nodes: [{ name: "api" }] };
    const opinions = { pageInfo: { hasNextPage }, nodes };
    const approvals = { nodes: [{ state: "APPROVED" }] };
    const pullRequest = { state: "OPEN", isDraft, headRefOid: "abc", labels, opinions, approvals };
    return [200, { data: { repository: { pullRequest } } }] as [number, unknown];
  };

  test("is by people, whose last opinions count", async () => {
    const nodes = [
      opinion("APPROVED", "writer"),
      opinion("CHANGES_REQUESTED", "octocat"),
      opinion("DISMISSED", "maintainer"),
      opinion("APPROVED", "robot", "Bot"),
      { state: "APPROVED", author: null },
    ];
    const reader = await readerWith(() => answerOf(nodes));
    expect(knownValue(await reader.approval(7))).toEqual({
      isReady: true,
      head: "abc",
      labels: ["api"],
      wasGiven: true,
      approving: ["writer"],
      objecting: ["octocat"],
    });
  });

  test("is of one that is not ready if it is a draft", async () => {
    const reader = await readerWith(() => answerOf([], false, true));
    expect(knownValue(await reader.approval(7))).toMatchObject({ isReady: false });
  });

  test("is unread if there are more opinions than GitHub shows at once", async () => {
    const reader = await readerWith(() => answerOf([opinion("APPROVED", "writer")], true));
    expect(await reader.approval(7)).toMatchObject({ type: "unread", cause: "incomplete" });
  });
});

describe("the files", () => {
  const AT = { number: 7, base: "main", head: "abc" };
  const changed = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      filename: `src/${nth}.ts`,
      status: "modified",
      additions: 1,
      deletions: 0,
    }));

  /** @param compared the number of files in the comparison; null for a diff that is too large for it */
  async function filesOf(compared: number | null, listed: number, fileCount: number) {
    const reader = await readerWith(({ url }) => {
      if (url.pathname.includes("/compare/")) {
        if (compared === null) return [422, { message: "too large" }];
        return [200, { total_commits: 1, files: changed(compared) }];
      }
      return url.pathname.endsWith("/files") ? [200, changed(listed)] : [200, OPEN];
    });
    return await reader.files({ ...AT, fileCount });
  }
  const OPEN = { ...PULL, head: { ...PULL.head, sha: "abc" }, changed_files: 2 };

  test.each<[string, number | null, number, number, object]>([
    ["of a comparison count", 2, 0, 2, { type: "known", value: { type: "listed" } }],
    ["of the list count, if it has all", null, 2, 2, { type: "known" }],
    ["of the list do not count, if it lacks one", null, 1, 2, { cause: "incomplete" }],
    ["are unread, if a comparison has none of them", 0, 0, 2, { cause: "incomplete" }],
  ])("%s", async (_, compared, listed, count, expected) => {
    expect(await filesOf(compared, listed, count)).toMatchObject(expected);
  });
});
