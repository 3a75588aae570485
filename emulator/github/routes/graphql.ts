/** The little of GitHub's GraphQL API that its REST API lacks: threads, tags by date, many pulls' commits at once. */

import { createRequire } from "node:module";
import type { GraphQLSchema } from "graphql";
import { type Call, forbidden, found, type Routes } from "../call.ts";
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
  type PullRequest {
    commits(first: Int, after: String): PullRequestCommitConnection!
    reviewThreads(first: Int, after: String): PullRequestReviewThreadConnection!
  }
  type PullRequestCommitConnection { nodes: [PullRequestCommit] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestCommit { commit: Commit! }
  type PullRequestReviewThreadConnection { nodes: [PullRequestReviewThread] pageInfo: PageInfo! }
  type PullRequestReviewThread {
    id: ID! isResolved: Boolean!
    comments(first: Int, after: String): PullRequestReviewCommentConnection!
  }
  type PullRequestReviewCommentConnection { nodes: [PullRequestReviewComment] pageInfo: PageInfo! }
  type PullRequestReviewComment { databaseId: Int body: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  input RefOrder { field: RefOrderField! direction: OrderDirection! }
  enum RefOrderField { TAG_COMMIT_DATE ALPHABETICAL }
  enum OrderDirection { ASC DESC }
  type RefConnection { nodes: [Ref] pageInfo: PageInfo! }
  type Ref { name: String! target: GitObject }
  interface GitObject { oid: ID! }
  type Commit implements GitObject {
    oid: ID! message: String! author: GitActor authoredDate: String! committedDate: String!
  }
  type GitActor { name: String email: String }
  type Tag implements GitObject { oid: ID! target: GitObject! }
  type Mutation { addReaction(input: AddReactionInput!): AddReactionPayload }
  input AddReactionInput { subjectId: ID! content: ReactionContent! }
  enum ReactionContent { THUMBS_UP THUMBS_DOWN LAUGH HOORAY CONFUSED HEART ROCKET EYES }
  type AddReactionPayload { clientMutationId: String }
`;

/** Loaded when it is asked for first, which in most tests is never. */
const load = () => createRequire(import.meta.url)("graphql") as typeof import("graphql");
let schema: GraphQLSchema | undefined;

export const graphqlRoutes: Routes = {
  "POST /graphql": (call) => {
    const { buildSchema, graphqlSync } = load();
    const { actor } = call;
    schema ??= buildSchema(SCHEMA);
    const rootValue = {
      repository: (of: { owner: string; name: string }) => repositoryFields(call, of),
      addReaction: ({ input }: { input: AddReaction }) => addReaction(call, actor, input),
    };
    const variableValues = (call.given.variables ?? {}) as Record<string, unknown>;
    return graphqlSync({ schema, source: call.text("query") ?? "", rootValue, variableValues });
  },
};

function repositoryFields(call: Call, { owner, name }: { owner: string; name: string }) {
  const all = call.context.repositories;
  const repository = found(all.find(({ fullName }) => fullName === `${owner}/${name}`));
  return {
    pullRequest: ({ number }: { number: number }) => {
      if (call.site.permissions.get(call.actor)?.pull_requests === "none") throw forbidden();
      return {
        commits: (page: Page) => connection(commitsOf(repository, number), page),
        reviewThreads: (page: Page) => connection(threadsOf(repository, number), page),
      };
    },
    refs: ({ refPrefix, orderBy, ...page }: Page & { refPrefix: string; orderBy?: Order }) =>
      connection(sortedRefs(repository, refPrefix, orderBy), page),
  };
}

interface AddReaction {
  subjectId: string;
  content: string;
}

function addReaction(call: Call, login: string, { subjectId, content }: AddReaction) {
  const isReviewed = ({ reviews }: Repository) =>
    reviews.some(({ id }) => `PRR_${id}` === subjectId);
  const repository = call.context.repositories.find(isReviewed);
  if (repository === undefined) {
    throw new Error(`Could not resolve to a node with the global id of '${subjectId}'`);
  }
  const thumbs: Record<string, string> = { THUMBS_UP: "+1", THUMBS_DOWN: "-1" };
  react(repository, subjectId, login, thumbs[content] ?? content.toLowerCase());
  return { clientMutationId: null };
}

function commitsOf(repository: Repository, number: number) {
  const pull = repository.pulls.find((one) => one.number === number);
  const commits = pull === undefined ? [] : repository.commitsOf(pull);
  return commits.map(({ sha }) => ({ commit: objectFields(repository, sha) }));
}

function threadsOf({ reviewComments }: Repository, pull: number) {
  return reviewComments
    .filter((comment) => comment.pull === pull && comment.in_reply_to_id === undefined)
    .map(({ id, isResolved }) => ({
      ...{ id: `PRRT_${id}`, isResolved },
      comments: (page: Page) => {
        const all = reviewComments.filter((one) => one.id === id || one.in_reply_to_id === id);
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
  const refs = refsBelow(repository, prefix);
  const at = ([, sha]: [string, string]) => repository.objects.peel(sha)?.at ?? 0;
  if (order?.field === "TAG_COMMIT_DATE") refs.sort((one, other) => at(one) - at(other));
  if (order?.direction === "DESC") refs.reverse();
  return refs.map(([name, sha]) => ({ name, target: objectFields(repository, sha) }));
}

function objectFields(repository: Repository, oid: string): object {
  const { tags, commits } = repository.objects;
  const object = tags.get(oid)?.object;
  if (object !== undefined) {
    return { __typename: "Tag", oid, target: objectFields(repository, object) };
  }
  const { message, author, at = 0 } = commits.get(oid) ?? {};
  const authoredDate = iso(author?.at ?? 0);
  return {
    ...{ __typename: "Commit", oid, message, author, authoredDate },
    committedDate: iso(at),
  };
}

interface Page {
  first?: number;
  after?: string;
}

/** A list as GraphQL pages it: a cursor is the place of a record. */
function connection<T>(all: readonly T[], { first = 100, after = "0" }: Page) {
  const end = Number(after) + first;
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  return { nodes: all.slice(Number(after), end), pageInfo, totalCount: all.length };
}
