import { describe, expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { json } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../test/support/github-client.ts";
import { change, LINK, NOW, pendingComment, task } from "../../test/support/ledger-examples.ts";
import type { PendingComment } from "../batches/model/ledger.ts";
import { presentNames } from "../github/api/repository.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { known } from "../runtime/fact.ts";
import { commentOnPull } from "./comment.ts";

/** Everyone can see the docs pull requests. */
const PLACES = { levelOf: async () => "PUBLIC" as const, serverUrl: "https://github.com" };

/** What became of a comment; of a refused one, what stands against it. */
function kindOf(delivery: Delivery<null>): string {
  return delivery.type === "refused" ? delivery.by : delivery.type;
}

describe("a comment on a merged pull request", () => {
  const pending = pendingComment(1, { job: "job-1" });
  const nameOf = async () => known("acme/code");

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
      return kindOf(
        await commentOnPull(pending, { ...PLACES, connect: emulated.connect, nameOf, log }),
      );
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
    expect(await comment(prLink)).toBe("accepted");
    expect(bodies()).toEqual([`<!-- docs-agent-upkeep:job-1 -->\n### Docs agent\n\n${text}`]);
  });

  test("is not repeated by the next run, if its answer was lost", async () => {
    const { comment, bodies, emulated } = setUp();
    emulated.loseNext("POST");
    expect(await comment(LINK)).toBe("uncertain");
    expect(await comment(LINK, "job-1", 1)).toBe("accepted");
    expect(bodies()).toHaveLength(1);
  });

  test("is written at once the first time, and is looked for when it may be there", async () => {
    const { comment, emulated } = setUp();
    await comment(LINK);
    // The repository's present name is read once.
    expect(emulated.asked.map((asked) => asked.split(" ")[0])).toEqual(["GET", "POST"]);
    await comment(LINK, "job-1", 1);
    expect(emulated.asked.slice(2).map((asked) => asked.split(" ")[0])).toEqual(["GET", "POST"]);
    expect(emulated.asked.at(-1)).toContain("graphql");
  });

  test("is written in the renamed repository, even if another one took its name", async () => {
    const { github, repository, comment, bodies } = setUp();
    repository.rename("other/library");
    const { number } = github.create("acme/code").land({ title: "Something else" });
    expect(await comment(LINK)).toBe("accepted");
    expect(bodies()).toHaveLength(1);
    expect(github.find("acme/code").commentsOn(number)).toEqual([]);
  });

  test("does not change a comment that somebody else began with its mark", async () => {
    const { comment, bodies, write } = setUp();
    const mine = "<!-- docs-agent-upkeep:job-1 -->\nMy own words.";
    write(mine, "maintainer");
    write(mine, "outsider");
    expect(await comment(LINK, "job-1", 1)).toBe("accepted");
    expect(bodies()).toEqual([mine, mine, expect.stringContaining("### Docs agent")]);
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
  test.each<[number, Record<string, string>, string, string]>([
    [403, {}, "Unable to create comment because issue is locked.", "state"],
    [403, {}, "Repository was archived so is read-only.", "state"],
    [403, {}, OVER, "state"],
    [403, {}, "User is blocked", "state"],
    [404, {}, "Not Found", "state"],
    [410, {}, "This issue was deleted", "state"],
    [422, {}, "Validation Failed", "state"],
    [403, {}, "Resource not accessible by integration", "right"],
    [401, {}, "Bad credentials", "right"],
    [403, LIMIT, "You have exceeded a secondary rate limit", "limited"],
    [429, {}, "Too many requests", "limited"],
    [502, {}, "Bad gateway", "uncertain"],
  ])("that GitHub refuses with %i %j %s: %s", async (status, headers, message, expected) => {
    const { connect, server } = connectClient();
    server.on("POST /repos/acme/code/issues/1/comments", json(status, { message }, headers));
    const { log, lines } = dependenciesOf();
    expect(kindOf(await commentOnPull(pending, { ...PLACES, connect, nameOf, log }))).toBe(
      expected,
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warning: acme\/code#1 could not be commented on: .*not affected\.$/);
    expect(lines[0]?.includes("It is not tried again.")).toBe(expected === "state");
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
    await commentOnPull({ ...pending, ...over }, { ...PLACES, connect, nameOf, log });
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
      { ...PLACES, connect, nameOf, log },
    );
    expect(kindOf(result)).toBe("accepted");
    expect(asked()).toEqual([]);
    expect(lines).toEqual([]);
  });
});
