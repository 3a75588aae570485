import { expect, test } from "vitest";
import { ExchangeError } from "../../net/http.ts";
import { type QueryAnswer, questionBatcher, singleQuery } from "./graphql.ts";
import type { Question } from "./route.ts";

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

/** Asks so many questions, two together. GitHub's answers come one after the other. */
async function ask(count: number, ...answers: QueryAnswer[]) {
  const asked: { query: string; variables: object }[] = [];
  let pauses = 0;
  const batched = questionBatcher(PULL, 2, {
    send: async (query, variables) => {
      asked.push({ query, variables });
      return answers.shift() ?? LOST;
    },
    pause: async () => {
      pauses += 1;
    },
  });
  const numbers = Array.from({ length: count }, (_, number) => number);
  const got = await Promise.all(numbers.map((number) => batched({ owner: "acme", number })));
  return { got, asked, pauses };
}

function answered(data: object, errors: { type?: string; path?: string[] }[] = []): QueryAnswer {
  const parts = errors.map(({ type = null, path = null }) => ({ type, path, message: "No." }));
  return { type: "answered", data: { ...data }, errors: parts };
}

const error = new ExchangeError("sent", "network", "the connection was lost");
const LOST: QueryAnswer = { type: "failed", failure: { type: "unanswered", error } };

test("questions of the same moment are asked together, and each gets its own answer", async () => {
  const { got, asked } = await ask(
    3,
    answered({ q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: "b" }),
    answered({ viewer: 1, repository: "c" }),
  );
  expect(got).toEqual([
    answered({ viewer: 1, repository: "a" }),
    answered({ viewer: 1, repository: "b" }),
    answered({ viewer: 1, repository: "c" }),
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

test("a question that is asked alone has its own names", async () => {
  const { asked } = await ask(1, answered({ viewer: 1, repository: "a" }));
  expect(asked).toEqual([{ query: singleQuery(PULL), variables: { owner: "acme", number: 0 } }]);
  expect(asked[0]?.query).toContain(`query ($owner: String!, $number: Int!) {
  viewer: viewer { login }
  repository: repository(owner: $owner, name: "}x{") {`);
});

test("what one question may not see is that question's alone", async () => {
  const { got, asked } = await ask(
    2,
    answered({ q0_viewer: 1, q0_repository: "a", q1_viewer: 1, q1_repository: null }, [
      { type: "NOT_FOUND", path: ["q1_repository", "pull"] },
    ]),
  );
  expect(got).toEqual([
    answered({ viewer: 1, repository: "a" }),
    answered({ viewer: 1, repository: null }, [
      { type: "NOT_FOUND", path: ["repository", "pull"] },
    ]),
  ]);
  expect(asked).toHaveLength(1);
});

test("what fails in passing is asked again, each by itself, and once more after a pause", async () => {
  const { got, asked, pauses } = await ask(2, LOST, answered({ repository: "a" }), LOST, LOST);
  expect(got).toEqual([answered({ repository: "a" }), LOST]);
  expect({ asked: asked.length, pauses }).toEqual({ asked: 4, pauses: 1 });
});

test("an error that may pass is never beside data that counts", async () => {
  const partly = answered({ q0_repository: "a", q1_repository: null }, [
    { path: ["q1_repository"] },
  ]);
  const { got, asked } = await ask(
    2,
    partly,
    answered({ repository: "a" }),
    answered({ repository: "b" }),
  );
  expect(got).toEqual([answered({ repository: "a" }), answered({ repository: "b" })]);
  expect(asked).toHaveLength(3);
});

test.each<[string, QueryAnswer]>([
  [
    "a limit",
    { type: "failed", failure: { type: "refused", status: 429, headers: {}, message: "Wait" } },
  ],
  ["a field that the server does not know", answered({}, [{ path: ["query", "x"] }])],
])("after %s, nothing is asked again", async (_, answer) => {
  const { got, asked } = await ask(2, answer);
  expect(got.map(({ type }) => type)).toEqual(["failed", "failed"]);
  expect(asked).toHaveLength(1);
});
