/** Part of https://docs.github.com/public/fpt/schema.docs.graphql: the same names, types and arguments. */
export const SCHEMA = `
  scalar DateTime
  scalar GitObjectID
  scalar URI
  type Query { repository(owner: String!, name: String!): Repository }
  type Repository {
    pullRequest(number: Int!): PullRequest
    refs(refPrefix: String!, first: Int, last: Int, after: String, orderBy: RefOrder): RefConnection
  }
  interface Actor { login: String! }
  type User implements Actor { login: String! }
  type Bot implements Actor { login: String! }
  type PullRequest {
    id: ID! number: Int! title: String! url: URI! state: PullRequestState! isDraft: Boolean!
    createdAt: DateTime! mergedAt: DateTime closedAt: DateTime author: Actor
    headRefOid: GitObjectID! headRefName: String! baseRefName: String!
    mergeable: MergeableState! mergeStateStatus: MergeStateStatus! isMergeQueueEnabled: Boolean!
    changedFiles: Int! additions: Int! deletions: Int!
    commits(first: Int, last: Int, after: String): PullRequestCommitConnection!
    comments(first: Int, last: Int, after: String): IssueCommentConnection!
    reviews(first: Int, last: Int, after: String): PullRequestReviewConnection
    reviewThreads(first: Int, last: Int, after: String): PullRequestReviewThreadConnection!
    statusCheckRollup: StatusCheckRollup
  }
  enum PullRequestState { OPEN CLOSED MERGED }
  enum MergeableState { MERGEABLE CONFLICTING UNKNOWN }
  enum MergeStateStatus { BEHIND BLOCKED CLEAN DIRTY DRAFT HAS_HOOKS UNKNOWN UNSTABLE }
  type PullRequestCommitConnection { nodes: [PullRequestCommit] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestCommit { commit: Commit! }
  type IssueCommentConnection { nodes: [IssueComment] pageInfo: PageInfo! totalCount: Int! }
  type IssueComment {
    id: ID! databaseId: Int author: Actor body: String! createdAt: DateTime! viewerDidAuthor: Boolean!
  }
  type PullRequestReviewConnection { nodes: [PullRequestReview] pageInfo: PageInfo! totalCount: Int! }
  type PullRequestReview {
    id: ID! databaseId: Int author: Actor authorCanPushToRepository: Boolean! body: String!
    state: PullRequestReviewState! submittedAt: DateTime commit: Commit
  }
  enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
  type PullRequestReviewThreadConnection {
    nodes: [PullRequestReviewThread] pageInfo: PageInfo! totalCount: Int!
  }
  type PullRequestReviewThread {
    id: ID! isResolved: Boolean! path: String! line: Int
    comments(first: Int, last: Int, after: String): PullRequestReviewCommentConnection!
  }
  type PullRequestReviewCommentConnection {
    nodes: [PullRequestReviewComment] pageInfo: PageInfo! totalCount: Int!
  }
  type PullRequestReviewComment {
    id: ID! databaseId: Int author: Actor body: String! diffHunk: String! createdAt: DateTime!
    pullRequestReview: PullRequestReview
  }
  type StatusCheckRollup {
    contexts(first: Int, last: Int, after: String): StatusCheckRollupContextConnection!
  }
  type StatusCheckRollupContextConnection {
    nodes: [StatusCheckRollupContext] pageInfo: PageInfo! totalCount: Int!
  }
  union StatusCheckRollupContext = CheckRun | StatusContext
  type CheckRun {
    id: ID! databaseId: Int name: String! status: CheckStatusState! conclusion: CheckConclusionState
    title: String summary: String
    annotations(first: Int, last: Int, after: String): CheckAnnotationConnection
  }
  enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
  enum CheckConclusionState {
    ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT
  }
  type CheckAnnotationConnection { nodes: [CheckAnnotation] pageInfo: PageInfo! totalCount: Int! }
  type CheckAnnotation { path: String! message: String! location: CheckAnnotationSpan! }
  type CheckAnnotationSpan { start: CheckAnnotationPosition! end: CheckAnnotationPosition! }
  type CheckAnnotationPosition { line: Int! }
  type StatusContext { id: ID! context: String! state: StatusState! description: String }
  enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  input RefOrder { field: RefOrderField! direction: OrderDirection! }
  enum RefOrderField { TAG_COMMIT_DATE ALPHABETICAL }
  enum OrderDirection { ASC DESC }
  type RefConnection { nodes: [Ref] pageInfo: PageInfo! totalCount: Int! }
  type Ref { name: String! target: GitObject }
  interface GitObject { oid: GitObjectID! }
  type Commit implements GitObject {
    oid: GitObjectID! message: String! author: GitActor committer: GitActor
    authoredDate: DateTime! committedDate: DateTime!
  }
  type GitActor { name: String email: String user: User }
  type Tag implements GitObject { oid: GitObjectID! target: GitObject! }
  type Mutation {
    addReaction(input: AddReactionInput!): AddReactionPayload
    resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
  }
  input AddReactionInput { subjectId: ID! content: ReactionContent! }
  enum ReactionContent { THUMBS_UP THUMBS_DOWN LAUGH HOORAY CONFUSED HEART ROCKET EYES }
  type AddReactionPayload { clientMutationId: String }
  input ResolveReviewThreadInput { threadId: ID! }
  type ResolveReviewThreadPayload { thread: PullRequestReviewThread }
`;
