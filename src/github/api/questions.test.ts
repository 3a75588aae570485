import { expect, test } from "vitest";
import { refusedQuery } from "../../../test/support/octokit-errors.ts";
import { ExchangeError } from "../../net/http.ts";
import { type Asker, type Question, singly, together } from "./questions.ts";
import { isLasting } from "./refusal.ts";

const PULL: Question<"owner" | "number"> = {
  variables: { owner: "String!", number: "Int!" },
  fields: (variable) => ({
    viewer: "viewer { login }",
    repository: `repository(owner: ${variable("owner")}, name: "}x{") {
    pull(number: ${variable("number")}) { ...pull }
  }`,
  }),
  fragments: "fragment pull on PullRequest { title }",
};

/** A client that answers with the results, one after the other, and notes what was asked. */
function clientOf(...results: unknown[]) {
  const asked: { query: string; variables: object }[] = [];
  const graphql = async (query: string, variables: Record<string, unknown>) => {
    asked.push({ query, variables });
    const result = results.shift();
    if (result instanceof Error) throw result;
    return result;
  };
  return { asked, github: { graphql }, asker: together({ graphql }, 2) };
}

function ask(asker: Asker, count: number) {
  return Promise.allSettled(
    Array.from({ length: count }, (_, number) => asker.ask(PULL, { owner: "acme", number })),
  );
}

function refusal(data: object | null, errors: { type?: string; path?: (string | number)[] }[]) {
  return refusedQuery(
    errors.map((error) => ({ message: "No.", ...error })),
    data,
  );
}

const LOST = new ExchangeError("sent", "network", "the connection was lost");

test("questions of the same moment are asked together, and each gets its own answer", async () => {
  const { asked, asker } = clientOf(
    { q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: "b" },
    { q0_viewer: 1, q0_repository: "c" },
  );
  const answers = await ask(asker, 3);
  expect(answers.map((answer) => "value" in answer && answer.value)).toEqual([
    { viewer: 1, repository: "a" },
    { viewer: 1, repository: "b" },
    { viewer: 1, repository: "c" },
  ]);
  expect(asked[0]).toEqual({
    query: `query ($q0_owner: String!, $q0_number: Int!, $q1_owner: String!, $q1_number: Int!) {
  q0_viewer: viewer { login }
  q0_repository: repository(owner: $q0_owner, name: "}x{") {
    pull(number: $q0_number) { ...pull }
  }
  q1_viewer: viewer { login }
  q1_repository: repository(owner: $q1_owner, name: "}x{") {
    pull(number: $q1_number) { ...pull }
  }
}
fragment pull on PullRequest { title }`,
    variables: { q0_owner: "acme", q0_number: 0, q1_owner: "acme", q1_number: 1 },
  });
});

test("different questions are not asked together", async () => {
  const other: Question<"id"> = {
    variables: { id: "ID!" },
    fields: (variable) => ({ node: `node(id: ${variable("id")}) { id }` }),
    fragments: "",
  };
  const { asked, asker } = clientOf({ q0_repository: "a" }, { q0_node: "b" });
  const answers = await Promise.all([
    asker.ask(PULL, { owner: "acme", number: 1 }),
    asker.ask(other, { id: "N_1" }),
  ]);
  expect(answers).toEqual([{ repository: "a" }, { node: "b" }]);
  expect(asked).toHaveLength(2);
});

test("a question that is asked singly has its own names", async () => {
  const { asked, github } = clientOf({ viewer: 1, repository: "a" });
  const values = { owner: "acme", number: 1 };
  expect(await singly(github).ask(PULL, values)).toEqual({ viewer: 1, repository: "a" });
  expect(asked[0]?.variables).toEqual(values);
  expect(asked[0]?.query).toContain(`query ($owner: String!, $number: Int!) {
  viewer: viewer { login }
  repository: repository(owner: $owner, name: "}x{") {`);
});

test("what one question may not see is that question's alone", async () => {
  const data = { q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: null };
  const { asked, asker } = clientOf(
    refusal(data, [{ type: "NOT_FOUND", path: ["q1_repository", "pull"] }]),
  );
  const [first, second] = await ask(asker, 2);
  expect(first).toMatchObject({ value: { repository: "a" } });
  expect(second).toMatchObject({
    reason: {
      data: { viewer: 1, repository: null },
      errors: [{ type: "NOT_FOUND", path: ["repository", "pull"] }],
    },
  });
  expect(isLasting(second?.status === "rejected" && second.reason)).toBe(true);
  expect(asked).toHaveLength(1);
});

test("what fails in passing is asked once more, by itself", async () => {
  const { asked, asker } = clientOf(LOST, { q0_repository: "a" }, LOST);
  const [first, second] = await ask(asker, 2);
  expect(first).toMatchObject({ value: { repository: "a" } });
  expect(second).toMatchObject({ reason: LOST });
  expect(asked).toHaveLength(3);
});

test("a question of several that GitHub could not answer is asked once more", async () => {
  const data = { q0_repository: "a", q1_repository: null };
  const { asked, asker } = clientOf(refusal(data, [{ path: ["q1_repository"] }]), {
    q0_repository: "b",
  });
  const answers = await ask(asker, 2);
  expect(answers).toMatchObject([{ value: { repository: "a" } }, { value: { repository: "b" } }]);
  expect(asked).toHaveLength(2);
});

test.each([
  ["a limit", refusal(null, [{ type: "RATE_LIMITED" }])],
  ["a field that the server does not know", refusal(null, [{ path: ["query", "x"] }])],
])("after %s, nothing is asked again", async (_, error) => {
  const { asked, asker } = clientOf(error);
  expect(await ask(asker, 2)).toMatchObject([{ reason: error }, { reason: error }]);
  expect(asked).toHaveLength(1);
});
