import { describe, expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { json } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../test/support/github-client.ts";
import {
  change,
  EMPTY,
  failedBatch,
  group,
  HOUR,
  LINK,
  NOW,
  pendingComment,
  review,
  revision,
  runningBatch,
  task,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import type { Counts } from "../batches/dashboard/progress.ts";
import type { CommentResult } from "../batches/model/comments.ts";
import type { Ledger, PendingComment } from "../batches/model/ledger.ts";
import { presentNames } from "../github/api/repository.ts";
import { commentOnPull, coverageOf } from "./results.ts";

describe("the coverage of the last 30 days counts", () => {
  const NONE: Counts = {
    Documented: 0,
    "In review": 0,
    "In progress": 0,
    Waiting: 0,
    "Needs a decision": 0,
    "Not documented": 0,
  };
  const late = runningBatch("b", [change(1)], { acceptedAt: "2026-11-20T00:00:00Z" });
  test.each<[string, Partial<Ledger>, Partial<Counts>]>([
    ["nothing of an empty ledger", {}, {}],
    ["waiting changes", { waiting: [group(1)] }, { Waiting: 1 }],
    [
      "waiting changes before their release",
      { waiting: [group(1, { isReleased: false })] },
      { Waiting: 1 },
    ],
    [
      "each change of a batch",
      { batches: [runningBatch("b", [change(1), change(2)])] },
      { "In progress": 2 },
    ],
    ["a job that takes too long", { batches: [late] }, { "Needs a decision": 1 }],
    [
      "what a person decides",
      { batches: [failedBatch("b", [change(1)]), uncertainBatch("c", [change(2)])] },
      { "Needs a decision": 2 },
    ],
    ["open docs pull requests", { reviews: [review(), review()] }, { "In review": 2 }],
    ["no drafts: they are not merged", { drafts: [runningBatch("d", [change(1)])] }, {}],
    ["no tasks", { waiting: [group(1, { changes: [task("docs/a.md")] })] }, {}],
    [
      "what was finished, by the day on which it landed",
      {
        days: {
          "2026-10-22": { documented: 9, not: 9 },
          "2026-10-23": { documented: 1, not: 2 },
          "2026-11-22": { documented: 3, not: 4 },
        },
      },
      { Documented: 4, "Not documented": 6 },
    ],
  ])("%s", (_, ledger, counts) => {
    expect(coverageOf(revision({ ...EMPTY, ...ledger }))).toEqual({ ...NONE, ...counts });
  });

  test.each([
    [0, 1],
    [1, 0],
  ])("a change that landed 30 days and %i milliseconds ago: %i", (more, count) => {
    const landedAt = new Date(NOW - 30 * 24 * HOUR - more).toISOString();
    const waiting = [group(1, { changes: [{ ...change(1), landedAt }] })];
    expect(coverageOf(revision({ ...EMPTY, waiting }))).toEqual({ ...NONE, Waiting: count });
  });
});

describe("a comment on a merged pull request", () => {
  const pending = pendingComment(1, { job: "job-1" });
  const nameOf = async () => "acme/code";

  function setUp() {
    const github = new GitHub(() => NOW);
    const repository = github.create("acme/code");
    const { number } = repository.land({ title: "Add retries" });
    const emulated = connectEmulated(github);
    const { log } = dependenciesOf();
    const nameOf = presentNames(emulated.connect);
    const comment = async (prLink: string | null, job = "job-1", tries = 0) => {
      const of = { ...change(number), key: `${repository.id}#${number}` };
      const pending = pendingComment(number, { change: of, prLink, job, tries });
      return (await commentOnPull(pending, { connect: emulated.connect, nameOf, log })).type;
    };
    const bodies = () => repository.commentsOn(number).map(({ body }) => body);
    const write = (body: string, login: string) => {
      repository.comment({ number }, body, login);
    };
    return { github, repository, comment, bodies, write, emulated };
  }

  test.each([
    [LINK, `The documentation of this change is in **[docs pull request #7](${LINK})**.`],
    [null, "This pull request needed no documentation change."],
  ])("with the docs pull request %s", async (prLink, text) => {
    const { comment, bodies } = setUp();
    expect(await comment(prLink)).toBe("settled");
    expect(bodies()).toEqual([`<!-- docs-agent-upkeep:job-1 -->\n### Docs agent\n\n${text}`]);
  });

  test("is not repeated by the next run, if its answer was lost", async () => {
    const { comment, bodies, emulated } = setUp();
    emulated.loseNext("POST");
    expect(await comment(LINK)).toBe("not settled");
    expect(await comment(LINK, "job-1", 1)).toBe("settled");
    expect(bodies()).toHaveLength(1);
  });

  test("is written at once the first time, and is looked for when it may be there", async () => {
    const { comment, emulated } = setUp();
    await comment(LINK);
    // The repository's present name is read once.
    expect(emulated.asked.map((asked) => asked.split(" ")[0])).toEqual(["GET", "POST"]);
    await comment(LINK, "job-1", 1);
    expect(emulated.asked.slice(2).map((asked) => asked.split(" ")[0])).toEqual(["GET"]);
  });

  test("is written in the renamed repository, even if another one took its name", async () => {
    const { github, repository, comment, bodies } = setUp();
    repository.rename("other/library");
    const { number } = github.create("acme/code").land({ title: "Something else" });
    expect(await comment(LINK)).toBe("settled");
    expect(bodies()).toHaveLength(1);
    expect(github.find("acme/code").commentsOn(number)).toEqual([]);
  });

  test("does not change a comment that somebody else began with its mark", async () => {
    const { comment, bodies, write } = setUp();
    const mine = "<!-- docs-agent-upkeep:job-1 -->\nMy own words.";
    write(mine, "maintainer");
    write(mine, "outsider");
    expect(await comment(LINK, "job-1", 1)).toBe("settled");
    expect(bodies()).toEqual([mine, mine]);
  });

  test("does not take an outsider's comment for its own", async () => {
    const { comment, bodies, write } = setUp();
    write("<!-- docs-agent-upkeep:job-1 -->", "outsider");
    await comment(LINK, "job-1", 1);
    expect(bodies()).toHaveLength(2);
  });

  test("is another one for another job, and has nothing of the job's ID that ends the mark", async () => {
    const { comment, bodies } = setUp();
    await comment(LINK);
    await comment(LINK, "job --> @octocat");
    expect(bodies().map((body) => body.split("\n")[0])).toEqual([
      "<!-- docs-agent-upkeep:job-1 -->",
      "<!-- docs-agent-upkeep:job--octocat -->",
    ]);
  });

  const LIMIT = { "retry-after": "60" };
  const OVER = "Commenting is disabled on issues with more than 2500 comments";
  test.each<[number, Record<string, string>, string, CommentResult["type"]]>([
    [403, {}, "Unable to create comment because issue is locked.", "settled"],
    [403, {}, "Repository was archived so is read-only.", "settled"],
    [403, {}, OVER, "settled"],
    [403, {}, "User is blocked", "settled"],
    [404, {}, "Not Found", "settled"],
    [410, {}, "This issue was deleted", "settled"],
    [422, {}, "Validation Failed", "settled"],
    [403, {}, "Resource not accessible by integration", "not allowed"],
    [401, {}, "Bad credentials", "not allowed"],
    [403, LIMIT, "You have exceeded a secondary rate limit", "limited"],
    [429, {}, "Too many requests", "limited"],
    [502, {}, "Bad gateway", "not settled"],
  ])("that GitHub refuses with %i %j %s: %s", async (status, headers, message, expected) => {
    const { connect, server } = connectClient();
    server.on("POST /repos/acme/code/issues/1/comments", json(status, { message }, headers));
    const { log, lines } = dependenciesOf();
    expect(await commentOnPull(pending, { connect, nameOf, log })).toEqual({ type: expected });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warning: acme\/code#1 could not be commented on: .*not affected\.$/);
    expect(lines[0]?.includes("It is not tried again.")).toBe(expected === "settled");
  });

  test.each<[number, Partial<PendingComment>, boolean]>([
    [502, { tries: 22 }, false],
    [502, { tries: 23 }, true],
    [401, { refusals: 1 }, false],
    [401, { refusals: 2 }, true],
  ])("that failed with %i after %j is not tried again: %j", async (status, over, isLast) => {
    const { connect, server } = connectClient();
    server.on("GET /repos/acme/code/issues/1/comments", json(200, []));
    server.on("POST /repos/acme/code/issues/1/comments", json(status, { message: "No" }));
    const { log, lines } = dependenciesOf();
    await commentOnPull({ ...pending, ...over }, { connect, nameOf, log });
    expect(lines.join().includes(". It is not tried again. The batch")).toBe(isLast);
  });

  test.each<[string, PendingComment["change"]]>([
    ["a commit without a pull request", { ...change(1), number: null }],
    ["a task", task("docs/a.md")],
  ])("on %s is over without a request", async (_, unnumbered) => {
    const { connect, asked } = connectClient();
    const { log, lines } = dependenciesOf();
    const result = await commentOnPull(
      { ...pending, change: unnumbered },
      { connect, nameOf, log },
    );
    expect(result).toEqual({ type: "settled" });
    expect(asked()).toEqual([]);
    expect(lines).toEqual([]);
  });
});
