import { describe, expect, test } from "vitest";
import {
  ABUSE,
  BAD_GATEWAY,
  type Fault,
  GRAPHQL_FAILURE,
  GRAPHQL_LIMIT,
  IP_ALLOW_LIST,
  SINGLE_SIGN_ON,
  TOO_QUICKLY,
} from "../../../emulator/github/faults.ts";
import { GitHub } from "../../../emulator/github/github.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { connectEmulated } from "../../../test/support/github-client.ts";

const PLACE = { repository: "acme/docs", number: 1 };

async function scene() {
  const github = new GitHub(() => Date.parse("2026-11-22T12:00:00Z"));
  const repository = github.create("acme/docs");
  repository.openIssue({ title: "One" });
  const { connect, asked, loseNext } = connectEmulated(github);
  return { github, repository, asked, loseNext, client: await connect() };
}

describe("a permission that the token lacks", () => {
  test("is the one that GitHub names", async () => {
    const { github, client } = await scene();
    github.restrict(WORKFLOW, { issues: "none", pull_requests: "none" });
    const reason =
      "GitHub returned 403 (`Resource not accessible by integration`): the token needs the permission `issues: read`";
    const fact = await client.issues.get(PLACE);
    expect(fact).toEqual({
      type: "unread",
      cause: "refused",
      reason,
      isPassing: false,
      status: 403,
    });
    expect(await client.issues.comment({ ...PLACE, body: "x" })).toMatchObject({
      type: "refused",
      by: "right",
      error: {
        kind: "github-refused",
        problem: expect.stringContaining(
          "the token needs the permission `issues: write`, or the permission `pull-requests: write`",
        ),
        advice: null,
      },
      status: 403,
      message: "Resource not accessible by integration",
    });
  });

  test.each([
    ["single sign-on", SINGLE_SIGN_ON, "authorize the token for the organization's single sign-on"],
    ["a list of addresses", IP_ALLOW_LIST, "your IP address is not permitted"],
  ])("is not the reason if GitHub names %s", async (_, fault, words) => {
    const { github, client } = await scene();
    github.addFault(fault);
    const fact = await client.issues.get(PLACE);
    expect(fact).toMatchObject({ cause: "refused", reason: expect.stringContaining(words) });
    expect(JSON.stringify(fact)).not.toContain("permission `");
  });

  test("is not the reason in an archived repository, or a locked conversation", async () => {
    const { repository, client } = await scene();
    repository.isArchived = true;
    expect(await client.issues.comment({ ...PLACE, body: "x" })).toMatchObject({
      type: "refused",
      by: "state",
      error: { problem: "GitHub returned 403 (`Repository was archived so is read-only.`)" },
    });
  });
});

test.each<[string, Fault]>([
  ["abuse without a delay", ABUSE],
  ["abuse as the code of a field", TOO_QUICKLY],
  ["429", { status: 429 }],
])("a limit is known by %s: nothing was done", async (_, fault) => {
  const { github, repository, client } = await scene();
  github.addFault(fault);
  const limited = { type: "limited", retryAfter: 60_000 };
  expect(await client.issues.comment({ ...PLACE, body: "x" })).toMatchObject(limited);
  expect(client.traffic.retryAfter).toBe(60_000);
  github.addFault(fault);
  expect(await client.issues.get(PLACE)).toMatchObject({ type: "unread", cause: "limited" });
  expect(await client.issues.comment({ ...PLACE, body: "x" })).toMatchObject({ type: "accepted" });
  expect(client.traffic.retryAfter).toBe(0);
  expect(repository.comments.size).toBe(1);
});

describe("a write", () => {
  test("whose answer is lost, or whose server fails, may have been done", async () => {
    const { github, client, loseNext } = await scene();
    loseNext("POST");
    const comment = () => client.issues.comment({ ...PLACE, body: "x" });
    const lost = { type: "uncertain", reason: "the connection was lost" };
    expect(await comment()).toMatchObject(lost);
    github.addFault({ ...BAD_GATEWAY, method: "POST" });
    expect(await comment()).toMatchObject({ type: "uncertain", reason: "GitHub returned 502" });
  });

  test("is repeated only if it may be done twice", async () => {
    const { github, repository, client, asked } = await scene();
    const { id } = repository.comment({ number: 1 }, "a", WORKFLOW);
    github.addFault({ ...BAD_GATEWAY, method: "PATCH" });
    const edit = await client.comments.edit({ repository: "acme/docs", id, body: "b" });
    expect(edit).toMatchObject({ type: "accepted", value: { body: "b" } });
    github.addFault({ ...BAD_GATEWAY, method: "PATCH" });
    expect(await client.issues.edit({ ...PLACE, body: "b" })).toMatchObject({ type: "uncertain" });
    expect(asked.filter((request) => request.startsWith("PATCH"))).toHaveLength(3);
  });

  test("into the merge queue is done if the pull request is there already", async () => {
    const { repository, client } = await scene();
    repository.mergeRule = { queue: true };
    const { id, head } = repository.openPull();
    const enqueue = () => client.pulls.enqueue({ pull: `PR_${id}`, head });
    expect(await enqueue()).toMatchObject({ type: "accepted" });
    expect(await enqueue()).toMatchObject({ type: "accepted" });
    expect(await client.pulls.enqueue({ pull: `PR_${id}`, head: "0".repeat(40) })).toMatchObject({
      type: "refused",
      by: "state",
      status: null,
      message: "Expected head oid does not match",
    });
  });

  test("below the old name of a repository is done under its new one", async () => {
    const { repository, client, asked } = await scene();
    repository.rename("acme/handbook");
    const sent = await client.issues.comment({ ...PLACE, body: "x" });
    expect(sent).toMatchObject({ type: "accepted", value: { body: "x" } });
    expect(asked).toHaveLength(2);
    expect(repository.comments.size).toBe(1);
  });
});

describe("questions", () => {
  async function ask(prepare: (github: GitHub) => void) {
    const { github, repository, client, asked } = await scene();
    const numbers = Array.from({ length: 4 }, () => repository.openPull().number);
    prepare(github);
    const facts = await Promise.all(
      numbers.map((number) => client.pulls.state({ repository: "acme/docs", number })),
    );
    return { types: facts.map(({ type }) => type), facts, requests: asked.length };
  }

  test("that cost too much together are asked again in halves", async () => {
    const { types, requests } = await ask((github) => {
      github.site.switches.mostRootFields = 2;
    });
    expect(types).toEqual(Array(4).fill("known"));
    expect(requests).toBe(3);
  });

  test("that cost too much alone are not asked again, and are a limit", async () => {
    const { facts, requests } = await ask((github) => {
      github.site.switches.mostRootFields = 0;
    });
    expect(facts[0]).toMatchObject({ cause: "limited", isPassing: true });
    // All, the first half, its two questions; then it is clear that nothing is answered.
    expect(requests).toBe(4);
  });

  test.each([
    ["answers an error that names no path", GRAPHQL_FAILURE],
    ["is down", BAD_GATEWAY],
  ])("are asked again in halves if GitHub %s", async (_, fault) => {
    const { types, requests } = await ask((github) => github.addFault(fault));
    expect(types).toEqual(Array(4).fill("known"));
    expect(requests).toBe(3);
  });

  test("are not asked again after a limit", async () => {
    const { facts, requests } = await ask((github) => github.addFault(GRAPHQL_LIMIT));
    expect(facts[3]).toMatchObject({ type: "unread", cause: "limited", isPassing: true });
    expect(requests).toBe(1);
  });

  test("are not asked for ever of a GitHub that is down", async () => {
    const { types, requests } = await ask((github) =>
      github.addFault({ ...BAD_GATEWAY, times: 99 }),
    );
    expect(types).toEqual(Array(4).fill("unread"));
    expect(requests).toBeLessThanOrEqual(8);
  });

  test("that GitHub cannot resolve are unread, and the others are known", async () => {
    const { types } = await ask((github) => {
      github.find("acme/docs").switches.unresolvable.add(3);
    });
    expect(types).toEqual(["known", "unread", "known", "known"]);
  });
});

test.each([".", ".."])("nothing has the name %j, and no other address is asked", async (name) => {
  const { client, asked } = await scene();
  const fact = await client.branches.get({ repository: "acme/docs", branch: name });
  expect(fact).toEqual({ type: "absent" });
  expect(asked[0]).toBe(`GET /repos/acme/docs/branches/${name.replaceAll(".", "%252E")}`);
});
