import { expect, test } from "vitest";
import { refusedQuery } from "../../../test/support/octokit-errors.ts";
import { ExchangeError } from "../../net/http.ts";
import { jointQueries } from "./joint-queries.ts";
import { isLasting } from "./refusal.ts";

const QUERY = `query ($owner: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: "x") { pull(number: $number) { ...pull } }
}
fragment pull on PullRequest { title }`;

/** A client that answers with the results, one after the other, and notes what was asked. */
function clientOf(...results: unknown[]) {
  const asked: { query: string; variables: object }[] = [];
  const graphql = async (query: string, variables: Record<string, unknown>) => {
    asked.push({ query, variables });
    const result = results.shift();
    if (result instanceof Error) throw result;
    return result;
  };
  return { asked, client: jointQueries({ graphql }, 2) };
}

function ask(client: ReturnType<typeof jointQueries>, count: number) {
  return Promise.allSettled(
    Array.from({ length: count }, (_, number) => client.graphql(QUERY, { owner: "acme", number })),
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
  const { asked, client } = clientOf(
    { q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: "b" },
    { q0_viewer: 1, q0_repository: "c" },
  );
  const answers = await ask(client, 3);
  expect(answers.map((answer) => "value" in answer && answer.value)).toEqual([
    { viewer: 1, repository: "a" },
    { viewer: 1, repository: "b" },
    { viewer: 1, repository: "c" },
  ]);
  expect(asked[0]?.variables).toEqual({
    owner_0: "acme",
    number_0: 0,
    owner_1: "acme",
    number_1: 1,
  });
  const [joint = ""] = asked.map(({ query }) => query.replaceAll(/\s+/g, " "));
  expect(joint).toBe(
    'query ($owner_0: String!, $number_0: Int!, $owner_1: String!, $number_1: Int!) { q0_viewer: viewer { login } q0_repository: repository(owner: $owner_0, name: "x") { pull(number: $number_0) { ...pull } } q1_viewer: viewer { login } q1_repository: repository(owner: $owner_1, name: "x") { pull(number: $number_1) { ...pull } } } fragment pull on PullRequest { title }',
  );
});

test("what one question may not see is that question's alone", async () => {
  const data = { q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: null };
  const { asked, client } = clientOf(
    refusal(data, [{ type: "NOT_FOUND", path: ["q1_repository", "pull"] }]),
  );
  const [first, second] = await ask(client, 2);
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
  const { asked, client } = clientOf(LOST, { q0_repository: "a" }, LOST);
  const [first, second] = await ask(client, 2);
  expect(first).toMatchObject({ value: { repository: "a" } });
  expect(second).toMatchObject({ reason: LOST });
  expect(asked).toHaveLength(3);
});

test("a question of several that GitHub could not answer is asked once more", async () => {
  const data = { q0_repository: "a", q1_repository: null };
  const { asked, client } = clientOf(refusal(data, [{ path: ["q1_repository"] }]), {
    q0_repository: "b",
  });
  const answers = await ask(client, 2);
  expect(answers).toMatchObject([{ value: { repository: "a" } }, { value: { repository: "b" } }]);
  expect(asked).toHaveLength(2);
});

test.each([
  ["a limit", refusal(null, [{ type: "RATE_LIMITED" }])],
  ["a field that the server does not know", refusal(null, [{ path: ["query", "x"] }])],
])("after %s, nothing is asked again", async (_, error) => {
  const { asked, client } = clientOf(error);
  expect(await ask(client, 2)).toMatchObject([{ reason: error }, { reason: error }]);
  expect(asked).toHaveLength(1);
});
