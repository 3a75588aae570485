import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { NOW } from "../../test/support/land-facts.ts";
import { PullWrites, whatStandsAgainst } from "./pull-writes.ts";

test.each([
  [true, /^warning: https:\S+\/pull\/1: It could not be sent to nobody for review: /],
  [false, /^warning: Not everything could be done to a docs pull request in a repository that not/],
])(
  "a refusal names the docs pull request only where everyone may see it: %j",
  async (isNamed, words) => {
    const github = new GitHub(() => NOW);
    github.create("acme/docs").openPull();
    const dependencies = dependenciesOf();
    const writes = new PullWrites(connectEmulated(github).connect, dependencies.log);
    const url = "https://github.com/acme/docs/pull/1";
    const place = { url, repository: "acme/docs", number: 1, isNamed };
    const id = `run ${url}`;
    const setUp = {
      type: "set-up",
      id,
      place,
      labels: [],
      assignees: [],
      areAll: true,
      reviewers: ["nobody"],
    } as const;
    expect(await writes.setUp(setUp)).toMatchObject({ asked: [] });
    expect(dependencies.lines).toEqual([expect.stringMatching(words)]);
    expect(dependencies.lines.join("\n").includes("acme/docs")).toBe(isNamed);
  },
);

test("a limit that speaks of a block is no locked conversation", async () => {
  const github = new GitHub(() => NOW);
  github.create("acme/docs").openPull();
  const dependencies = dependenciesOf();
  const writes = new PullWrites(connectEmulated(github).connect, dependencies.log);
  const url = "https://github.com/acme/docs/pull/1";
  const place = { url, repository: "acme/docs", number: 1, isNamed: true };
  const message = "You have been temporarily blocked from content creation.";
  const headers = { "retry-after": "60" };
  github.addFault({ method: "POST", path: "/comments$", status: 403, headers, message });
  expect(await writes.comment(place, "status", "Waiting.")).toEqual({ type: "limited" });
  expect(dependencies.lines.at(-1)).toContain("GitHub's rate limit is exceeded (403)");
});

test.each([
  [403, "Resource not accessible by integration", "right", "right"],
  [403, "Repository was archived so is read-only.", "state", "right"],
  [404, "Not Found", "state", "right"],
  [403, "refusing to allow a GitHub App to create a workflow", "state", "right"],
  [400, "Problems parsing JSON", "content", "content"],
  [405, "Squash merges are not allowed on this repository.", "state", "state"],
  [422, "There are no new commits on the base branch.", "content", "state"],
  [null, "The pull request is not in a mergeable state", "state", "state"],
  [null, "Resource not accessible by integration", "right", "right"],
] as const)("a merge that GitHub refuses with %s, %s", (status, message, by, expected) => {
  const error = { kind: "github-refused", problem: message, advice: null } as const;
  expect(whatStandsAgainst({ type: "refused", status, message, by, error })).toBe(expected);
});
