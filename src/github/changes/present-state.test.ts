import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { connectEmulated } from "../../../test/support/github-client.ts";
import { NOW } from "../../../test/support/ledger-examples.ts";
import { type PresentQuestion, readPresent } from "./present-state.ts";

/** Two repositories in memory: one with a merged pull request that has a label, one with an open one. */
function setUp() {
  const github = new GitHub(() => NOW);
  const code = github.create("acme/code");
  const docs = github.create("acme/docs");
  const change = code.land({ title: "Add retries", labels: ["docs"] });
  const docsPull = docs.openPull();
  const { connect, asked } = connectEmulated(github);
  const question: PresentQuestion = {
    repositories: ["acme/docs", "acme/code"],
    changes: [{ repository: "acme/code", number: change.number }],
    docsPull: { repository: "acme/docs", number: docsPull.number },
  };
  const read = async (over: Partial<PresentQuestion> = {}) => {
    const fact = await readPresent(connect, { ...question, ...over });
    if (fact.type !== "known") return fact;
    const { repository, labels, docsPull: state } = fact.value;
    const [place = { repository: "", number: 0 }] = question.changes;
    return { repository: repository("acme/code"), labels: labels(place), docsPull: state };
  };
  return { github, code, docs, change, docsPull, asked, read };
}

const known = (value: unknown) => ({ type: "known", value });

test("one query reads the visibility, the labels and the docs pull request", async () => {
  const { code, read, asked } = setUp();
  expect(await read()).toEqual({
    repository: known({ id: code.id, visibility: "public" }),
    labels: known(["docs"]),
    docsPull: known("open"),
  });
  expect(asked).toEqual(["POST /graphql"]);
});

test("they are what they are now", async () => {
  const { code, docs, docsPull, read } = setUp();
  code.visibility = "private";
  docs.merge(docsPull);
  expect(await read()).toMatchObject({
    repository: known({ id: code.id, visibility: "private" }),
    docsPull: known("merged"),
  });
});

test("what was not asked for is absent, and a repository that cannot be seen is unread", async () => {
  const { read, asked } = setUp();
  expect(await read({ docsPull: null })).toMatchObject({ docsPull: { type: "absent" } });
  const elsewhere = { repository: "acme/gone", number: 1 };
  expect(await read({ docsPull: elsewhere })).toMatchObject({
    labels: known(["docs"]),
    docsPull: { type: "unread", isPassing: false },
  });
  expect(asked).toHaveLength(2);
});

describe("a pull request that the query cannot resolve", () => {
  test("is asked for by itself", async () => {
    const { code, change, read, asked } = setUp();
    code.switches.unresolvable.add(change.number);
    expect(await read()).toMatchObject({ labels: known(["docs"]), docsPull: known("open") });
    // Together, and each by itself; the one that fails once more.
    const queries = Array.from({ length: 4 }, () => "POST /graphql");
    expect(asked.toSpliced(0, queries.length)).toEqual([
      "GET /repos/acme/code",
      `GET /repos/acme/code/pulls/${change.number}`,
    ]);
  });

  test("is unread if that fails, too", async () => {
    const { github, code, change, read } = setUp();
    code.switches.unresolvable.add(change.number);
    github.addFault({ path: "/pulls/", status: 502, times: 100 });
    expect(await read()).toMatchObject({ labels: { type: "unread", isPassing: true } });
  });
});

test("what GraphQL fails to answer each time is asked of REST", async () => {
  const { github, code, read } = setUp();
  github.addFault({ path: "^/graphql$", status: 502, times: 100 });
  expect(await read()).toEqual({
    repository: known({ id: code.id, visibility: "public" }),
    labels: known(["docs"]),
    docsPull: known("open"),
  });
});

test("a repository whose name another one has taken is known by its ID", async () => {
  const { github, code, read } = setUp();
  code.rename("acme/renamed");
  const other = github.create("acme/code");
  expect(await read()).toMatchObject({ repository: known({ id: other.id, visibility: "public" }) });
});

test("questions that nobody answers are unread as a whole", async () => {
  const { github, read } = setUp();
  github.addFault({ status: 502, times: 1000 });
  expect(await read()).toMatchObject({ type: "unread", cause: "unanswered", isPassing: true });
});
