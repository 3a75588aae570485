/** The question about a docs pull request in GitHub's GraphQL API, and its answer. */

import * as z from "zod/mini";

export const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      number title url state isDraft createdAt mergedAt closedAt author { login }
      headRefOid headRefName baseRefName mergeable mergeStateStatus isMergeQueueEnabled changedFiles deletions
      commits(first: 100) {
        totalCount
        nodes { commit { committedDate author { email user { login } } committer { email user { login } } } }
      }
      reviews(last: 100) {
        nodes { databaseId author { login } authorCanPushToRepository state body submittedAt commit { oid } }
      }
      reviewThreads(last: 100) {
        nodes {
          isResolved path line
          comments(first: 50) {
            nodes {
              databaseId author { login } body diffHunk createdAt
              pullRequestReview { authorCanPushToRepository }
            }
          }
        }
      }
      comments(last: 20) { nodes { createdAt viewerDidAuthor } }
      statusCheckRollup {
        contexts(first: 100) {
          totalCount
          nodes {
            __typename
            ... on CheckRun {
              databaseId name status conclusion title summary
              annotations(first: 50) { nodes { path message location { start { line } } } }
            }
            ... on StatusContext { id context state description }
          }
        }
      }
    }
  }
}`;

const login = z.catch(z.nullable(z.object({ login: z.string() })), null);
const text = z.catch(z.string(), "");
const nodes = <T extends z.ZodMiniType>(node: T) => z.object({ nodes: z.array(node) });
const writer = z.catch(z.nullable(z.object({ authorCanPushToRepository: z.boolean() })), null);
const actor = z.catch(z.nullable(z.object({ email: text, user: login })), null);

const annotation = z.object({
  ...{ path: text, message: text },
  location: z.catch(z.object({ start: z.object({ line: z.nullable(z.number()) }) }), {
    start: { line: null },
  }),
});

const context = z.discriminatedUnion("__typename", [
  z.object({
    ...{ __typename: z.literal("CheckRun"), databaseId: z.number(), name: z.string() },
    ...{ status: z.string(), conclusion: text, title: text, summary: text },
    annotations: z.nullable(nodes(annotation)),
  }),
  z.object({
    ...{ __typename: z.literal("StatusContext"), id: z.string(), context: z.string() },
    ...{ state: z.string(), description: text },
  }),
]);

/** What the query brings, as far as it is used. */
export const pullAnswer = z.object({
  ...{ number: z.number(), title: text, url: z.string(), state: z.string(), isDraft: z.boolean() },
  ...{ createdAt: z.string(), mergedAt: text, closedAt: text, author: login },
  ...{ headRefOid: z.string(), headRefName: z.string(), baseRefName: z.string() },
  ...{ mergeable: z.string(), mergeStateStatus: z.string(), isMergeQueueEnabled: z.boolean() },
  ...{ changedFiles: z.number(), deletions: z.number() },
  commits: z.object({
    totalCount: z.number(),
    nodes: z.array(
      z.object({ commit: z.object({ committedDate: text, author: actor, committer: actor }) }),
    ),
  }),
  reviews: nodes(
    z.object({
      ...{ databaseId: z.number(), author: login, authorCanPushToRepository: z.boolean() },
      ...{ state: z.string(), body: text, submittedAt: text },
      commit: z.nullable(z.object({ oid: z.string() })),
    }),
  ),
  reviewThreads: nodes(
    z.object({
      ...{ isResolved: z.boolean(), path: text, line: z.nullable(z.number()) },
      comments: nodes(
        z.object({
          ...{ databaseId: z.number(), author: login, body: text, diffHunk: text },
          ...{ createdAt: z.string(), pullRequestReview: writer },
        }),
      ),
    }),
  ),
  comments: nodes(z.object({ createdAt: z.string(), viewerDidAuthor: z.boolean() })),
  statusCheckRollup: z.nullable(
    z.object({ contexts: z.object({ totalCount: z.number(), nodes: z.array(context) }) }),
  ),
});

export type Answer = z.infer<typeof pullAnswer>;
export type ContextAnswer = z.infer<typeof context>;
/** Who made a commit, by its e-mail address, and the account that it belongs to, if GitHub knows one. */
export type ActorAnswer = z.infer<typeof actor>;
