import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { json } from "../../../test/support/answers.ts";
import { connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { largeTest } from "../../../test/support/large-test.ts";
import { ExchangeError } from "../../net/http.ts";
import { ABSENT, known } from "../../runtime/fact.ts";
import { LabelledIssue } from "./labelled-issue.ts";

const LABEL = "docs-upkeep";

const OPTIONS = {
  repository: "Acme/Code",
  label: LABEL,
  title: "Docs upkeep",
  isOwn: (body: string) => body.startsWith("own"),
};
/** GitHub's answer about the issue. */
const ANSWER = {
  number: 1,
  repository_url: "https://api.github.com/repos/acme/code",
  body: "own",
  state: "open",
  labels: [LABEL],
};

function setUp() {
  const github = new GitHub(() => Date.parse("2026-05-01T10:00:00Z"));
  const repository = github.create("acme/code");
  const { connect, asked } = connectEmulated(github);
  const issue = new LabelledIssue(OPTIONS, connect);
  const add = (body: string, title = "Docs upkeep", labels = [LABEL]) =>
    repository.openIssue({ title, body, labels });
  return { github, repository, issue, add, asked };
}

describe("an issue is found", () => {
  test("by its label and its body among others, the newest of those that are open", async () => {
    const { issue, add, repository } = setUp();
    add("own", "Docs upkeep", ["other"]);
    add("another's");
    expect(await issue.find()).toEqual(ABSENT);
    const [first, second, third] = [add("own 1"), add("own 2"), add("own 3")];
    repository.openPull({ title: "Docs upkeep", body: "own", labels: [LABEL] });
    repository.close(third);
    expect(await issue.find()).toEqual(known(second.number));
    repository.close(first);
    repository.close(second);
    expect(await issue.find()).toEqual(known(third.number));
  });

  largeTest(
    "among hundreds of others with one request for each hundred, up to five requests",
    async () => {
      const { issue, add, asked } = setUp();
      const { number } = add("own");
      for (let nth = 0; nth < 250; nth += 1) add("another's");
      expect(await issue.find()).toEqual(known(number));
      expect(asked).toHaveLength(3);
      for (let nth = 0; nth < 300; nth += 1) add("another's");
      expect(await issue.find()).toEqual(ABSENT);
      expect(asked).toHaveLength(8);
    },
  );

  test.each([
    [502, {}, "unread"],
    [429, {}, "unread"],
    [403, { "retry-after": "60" }, "unread"],
    [401, {}, "unread"],
    [403, {}, "absent"],
    [410, {}, "absent"],
  ] as const)("unless GitHub refuses with %i %j: %s", async (status, headers, found) => {
    const { github, issue, add } = setUp();
    add("own");
    github.addFault({ status, headers, times: 2 });
    expect((await issue.find()).type).toBe(found);
  });
});

test("an issue is opened with its label", async () => {
  const { repository, issue } = setUp();
  expect(await issue.open("own")).toMatchObject({ type: "accepted", value: { number: 1 } });
  expect(repository.issues.get(1)).toMatchObject({ title: "Docs upkeep", labels: [LABEL] });
});

test("with Issues disabled, none is found, opened or read, and the run may go on", async () => {
  const { repository, issue, add } = setUp();
  const { number } = add("own");
  repository.hasIssues = false;
  expect(await issue.find()).toEqual(ABSENT);
  expect(await issue.open("own")).toMatchObject({
    type: "refused",
    error: { problem: expect.stringContaining("disabled") },
  });
  expect(await issue.read(number)).toEqual(ABSENT);
});

test.each([
  [403, {}, "refused"],
  [422, {}, "refused"],
  [403, { "retry-after": "60" }, "limited"],
  [500, {}, "uncertain"],
] as const)("an opening that GitHub answers with %i %j: %s", async (status, headers, opened) => {
  const { github, issue } = setUp();
  github.addFault({ status, headers });
  expect((await issue.open("own")).type).toBe(opened);
});

test("an opening that the end of the run stopped is not refused by GitHub", async () => {
  const stopped = new ExchangeError("sent", "stopped", "stopped by the run");
  const { server, connect } = connectClient();
  server.on("POST /repos/:owner/:repo/issues", () => {
    throw stopped;
  });
  const issue = new LabelledIssue(OPTIONS, connect);
  expect(await issue.open("own")).toMatchObject({ type: "uncertain" });
});

describe("an issue is read", () => {
  test("with who closed it, and since when", async () => {
    const { repository, issue, add } = setUp();
    const { number } = add("own", "Docs upkeep", []);
    const open = {
      isClosed: false,
      isLabelled: false,
      closedBy: null,
      closedAt: null,
      isClosedByBot: false,
    };
    expect(await issue.read(number)).toMatchObject({ type: "known", value: open });
    const closed = add("own 2");
    repository.close(closed, "stale[bot]");
    expect(knownValue(await issue.read(closed.number))).toEqual({
      number: closed.number,
      body: "own 2",
      isLabelled: true,
      isClosed: true,
      closedBy: "stale[bot]",
      closedAt: "2026-05-01T10:00:00Z",
      isClosedByBot: true,
    });
  });

  test("as gone when it was deleted, transferred, or is a pull request", async () => {
    const { github, repository, issue, add } = setUp();
    const other = github.create("acme/other");
    const [deleted, transferred] = [add("own"), add("own")];
    repository.moveIssue(deleted.number);
    repository.moveIssue(transferred.number, other);
    const pull = repository.openPull({ body: "own", labels: [LABEL] });
    for (const { number } of [deleted, transferred, pull, { number: 99 }]) {
      expect(await issue.read(number)).toEqual(ABSENT);
    }
  });

  test.each([
    ["another repository's", { repository_url: "https://api.github.com/repos/acme/other" }],
    ["another number's", { number: 2 }],
  ])("as gone if the answer is %s, because it was transferred", async (_, over) => {
    const { server, connect } = connectClient();
    const answer = { ...ANSWER, ...over };
    server.on("GET /repos/Acme/Code/issues/1", json(200, answer));
    const issue = new LabelledIssue(OPTIONS, connect);
    expect(await issue.read(1)).toEqual(ABSENT);
    server.on("GET /repos/Acme/Code/issues/1", json(200, ANSWER));
    expect(await issue.read(1)).toMatchObject({ type: "known" });
  });

  test.each([
    [403, {}, { cause: "refused", reason: expect.stringContaining("issues: read") }],
    [401, {}, { cause: "refused", reason: expect.stringContaining("github-token") }],
    [403, { "retry-after": "60" }, { cause: "limited" }],
    [503, {}, { cause: "unanswered" }],
  ])("unless GitHub answers with %i %j", async (status, headers, answer) => {
    const { github, issue, add } = setUp();
    const { number } = add("own");
    github.addFault({ status, headers: { ...headers }, times: 2 });
    expect(await issue.read(number)).toMatchObject({ type: "unread", ...answer });
  });
});

test("a body is written, or the answer says why not", async () => {
  const { github, repository, issue, add } = setUp();
  const { number } = add("own");
  expect(await issue.write(number, "own, new", false)).toMatchObject({ type: "accepted" });
  expect(repository.issues.get(number)?.body).toBe("own, new");
  const long = await issue.write(number, "x".repeat(65_537), false);
  expect(long).toMatchObject({ type: "refused", by: "content" });
  github.restrict("github-actions[bot]", { issues: "read" });
  expect(await issue.write(number, "own", false)).toMatchObject({
    type: "refused",
    by: "right",
    error: { problem: expect.stringContaining("issues: write") },
  });
});
