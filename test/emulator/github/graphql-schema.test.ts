import { readFileSync } from "node:fs";
import * as graphql from "graphql";
import { expect, test } from "vitest";
import { schemaFor } from "../../../emulator/github/routes/graphql-schema.ts";

const file = import.meta.resolve("@octokit/graphql-schema").replace("index.js", "schema.graphql");
const whole = graphql.buildSchema(readFileSync(new URL(file), "utf8"), { assumeValid: true });

test.each([
  "{ viewer { login } }",
  "{ viewer { logins } }",
  '{ repository(owner: "a", name: "b") { pullRequests(first: 1) { nodes { author { login } } } } }',
  '{ repository(owner: "a", name: "b") { pullRequests(first: 1) { nodes { author { id } } } } }',
  '{ repository(owner: "a") { id } }',
  '{ repository(owner: "a", name: "b") { pullRequests(states: OPEN, first: "1") { totalCount } } }',
  '{ repository(owner: "a", name: "b") { pullRequests(states: LOST) { totalCount } } }',
  '{ node(id: "1") { ... on PullRequestReviewThread { isResolved } } }',
  '{ node(id: "1") { ... on Thread { isResolved } } }',
  '{ repository(owner: "a", name: "b") { object(expression: "c") { ... on Tree { entries { name } } } } }',
  '{ repository(owner: "a", name: "b") { object(expression: "c") { entries { name } } } }',
  "mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }",
  "mutation ($id: ID!) { resolveReviewThread(input: { thread: $id }) { thread { id } } }",
  "mutation ($id: Int!) { resolveReviewThread(input: { threadId: $id }) { clientMutationId } }",
])("a query is as valid under its own schema as under all of GitHub's: %s", (query) => {
  const isValid = (schema: graphql.GraphQLSchema) =>
    graphql.validate(schema, graphql.parse(query)).length === 0;
  expect(isValid(schemaFor(query, graphql))).toBe(isValid(whole));
});

test("whoever is asked for as an actor may be any kind of one", () => {
  const schema = schemaFor('{ repository(owner: "a", name: "b") { owner { login } } }', graphql);
  const owner = schema.getType("RepositoryOwner");
  const kinds = graphql.isAbstractType(owner) ? schema.getPossibleTypes(owner) : [];
  expect(kinds.map(({ name }) => name)).toEqual(expect.arrayContaining(["User", "Organization"]));
});
