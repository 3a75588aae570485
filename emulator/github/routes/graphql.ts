/** The little of GitHub's GraphQL API that its REST API lacks: threads, tags by date, reactions to reviews. */

import { createRequire } from "node:module";
import type { GraphQLSchema } from "graphql";
import type { Call, Routes } from "../call.ts";
import { nodeId } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { react } from "./comments.ts";
import { refsBelow } from "./repositories.ts";

/** Part of https://docs.github.com/public/fpt/schema.docs.graphql, with the same names. */
const SCHEMA = `
  type Query { repository(owner: String!, name: String!): Repository }
  type Repository {
    pullRequest(number: Int!): PullRequest
    refs(refPrefix: String!, first: Int, after: String, orderBy: RefOrder): RefConnection
  }
  type PullRequest { reviewThreads(first: Int, after: String): PullRequestReviewThreadConnection! }
  type PullRequestReviewThreadConnection {
    nodes: [PullRequestReviewThread] pageInfo: PageInfo! totalCount: Int!
  }
  type PullRequestReviewThread {
    id: ID! isResolved: Boolean!
    comments(first: Int, after: String): PullRequestReviewCommentConnection!
  }
  type PullRequestReviewCommentConnection {
    nodes: [PullRequestReviewComment] pageInfo: PageInfo! totalCount: Int!
  }
  type PullRequestReviewComment { databaseId: Int body: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  input RefOrder { field: RefOrderField! direction: OrderDirection! }
  enum RefOrderField { TAG_COMMIT_DATE ALPHABETICAL }
  enum OrderDirection { ASC DESC }
  type RefConnection { nodes: [Ref] pageInfo: PageInfo! totalCount: Int! }
  type Ref { name: String! target: GitObject }
  interface GitObject { oid: ID! }
  type Commit implements GitObject { oid: ID! committedDate: String! }
  type Tag implements GitObject { oid: ID! target: GitObject! }
  type Mutation { addReaction(input: AddReactionInput!): AddReactionPayload }
  input AddReactionInput { subjectId: ID! content: ReactionContent! }
  enum ReactionContent { THUMBS_UP THUMBS_DOWN LAUGH HOORAY CONFUSED HEART ROCKET EYES }
  type AddReactionPayload { clientMutationId: String }
`;

interface Page {
  first?: number;
  after?: string;
}

/** Loaded when it is asked for first, which in most tests is never. */
const load = () => createRequire(import.meta.url)("graphql") as typeof import("graphql");
let schema: GraphQLSchema | undefined;

export const graphqlRoutes: Routes = { "POST /graphql": answer };

function answer(call: Call): unknown {
  const all = call.repositories;
  const { query = "", variables } = call.given<{ query: string; variables: object }>();
  const login = call.actor;
  const { buildSchema, graphqlSync } = load();
  schema ??= buildSchema(SCHEMA);
  const rootValue = {
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repository = all.find(({ fullName }) => fullName === `${owner}/${name}`);
      return repository === undefined ? null : repositoryFields(repository);
    },
    addReaction: ({ input }: { input: { subjectId: string; content: string } }) => {
      const { subjectId, content } = input;
      const isIt = ({ id }: { id: number }) => nodeId("PRR", id) === subjectId;
      const repository = all.find(({ reviews }) => reviews.some(isIt));
      if (repository === undefined) {
        throw new Error(`Could not resolve to a node with the global id of '${subjectId}'.`);
      }
      const thumbs: Record<string, string> = { THUMBS_UP: "+1", THUMBS_DOWN: "-1" };
      react(repository, subjectId, login, thumbs[content] ?? content.toLowerCase());
      return { clientMutationId: null };
    },
  };
  return graphqlSync({ schema, source: query, rootValue, variableValues: { ...variables } });
}

function repositoryFields(repository: Repository) {
  return {
    pullRequest: ({ number }: { number: number }) => ({
      reviewThreads: (page: Page) => connection(threadsOf(repository, number), page),
    }),
    refs: ({ refPrefix, orderBy, ...page }: Page & { refPrefix: string; orderBy?: Order }) =>
      connection(sortedRefs(repository, refPrefix, orderBy), page),
  };
}

function threadsOf({ reviewComments }: Repository, pull: number) {
  return reviewComments
    .filter((comment) => comment.pull === pull && comment.replyTo === null)
    .map(({ id, isResolved }) => ({
      ...{ id: nodeId("PRRT", id), isResolved },
      comments: (page: Page) => {
        const all = reviewComments.filter((one) => one.id === id || one.replyTo === id);
        return connection(
          all.map((one) => ({ databaseId: one.id, body: one.body })),
          page,
        );
      },
    }));
}

interface Order {
  field: "TAG_COMMIT_DATE" | "ALPHABETICAL";
  direction: "ASC" | "DESC";
}

function sortedRefs(repository: Repository, prefix: string, order?: Order) {
  const { objects } = repository;
  const refs = refsBelow(repository, prefix);
  if (order?.field === "TAG_COMMIT_DATE") {
    const at = ([, sha]: [string, string]) => objects.peel(sha)?.at ?? 0;
    refs.sort((one, other) => at(one) - at(other));
  }
  if (order?.direction === "DESC") refs.reverse();
  return refs.map(([name, sha]) => ({ name, target: objectFields(repository, sha) }));
}

function objectFields(repository: Repository, oid: string): object {
  const { objects } = repository;
  const tag = objects.tags.get(oid);
  if (tag !== undefined) {
    return { __typename: "Tag", oid, target: objectFields(repository, tag.object) };
  }
  return { __typename: "Commit", oid, committedDate: iso(objects.commits.get(oid)?.at ?? 0) };
}

/** A list as GraphQL pages it: a cursor is the place of a record. */
function connection<T>(all: readonly T[], { first = 100, after }: Page) {
  const start = after === undefined ? 0 : Number(after);
  const nodes = all.slice(start, start + first);
  const end = start + nodes.length;
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  return { nodes, pageInfo, totalCount: all.length };
}
