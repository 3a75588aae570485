/** The part of GitHub's GraphQL API that the actions use: it answers in one request, or has what REST has not. */

import { createRequire } from "node:module";
import type { DocumentNode, GraphQLError, GraphQLSchema } from "graphql";
import type { Call, Routes } from "../call.ts";
import { entryAt } from "../git/trees.ts";
import { enqueue } from "../merge-queue.ts";
import type { Repository } from "../repository.ts";
import type { Pull, Release } from "../state.ts";
import { react } from "./comments.ts";
import { GraphQLRefusal, listed, notAccessible } from "./graphql-parts.ts";
import { commitFields, pullFields, pullIdOf, threadFields, threadIdOf } from "./graphql-pull.ts";
import { schemaFor } from "./graphql-schema.ts";
import { refsBelow } from "./repositories.ts";
import { workflowFiles } from "./workflows.ts";

/** Loaded on first use, because most tests need none of it. */
const load = () => createRequire(import.meta.url)("graphql") as typeof import("graphql");

/** A query, and the schema for it. A field that is not emulated is null, which is an error if the schema requires it. */
interface Checked {
  schema: GraphQLSchema;
  document: DocumentNode;
}

/** The actions send the same few queries again and again: each is checked once. */
const checked = new Map<string, Checked>();

/** @returns the errors if the query is invalid */
function check(source: string): Checked | readonly GraphQLError[] {
  const known = checked.get(source);
  if (known !== undefined) return known;
  const { parse, validate } = load();
  const document = parse(source);
  const schema = schemaFor(source, load());
  const wrong = validate(schema, document);
  if (wrong.length > 0) return wrong;
  const valid = { schema, document };
  checked.set(source, valid);
  return valid;
}

export const graphqlRoutes: Routes = {
  "POST /graphql": (call) => {
    const { actor } = call;
    const rootValue = {
      viewer: { login: actor },
      enqueuePullRequest: ({ input }: { input: Enqueue }) => enqueuePull(call, input),
      repository: (of: { owner: string; name: string }) => repositoryFields(call, of),
      node: ({ id }: { id: string }) => threadNode(call, id),
      resolveReviewThread: ({ input }: { input: { threadId: string } }) =>
        resolveThread(call, input.threadId),
      addReaction: ({ input }: { input: AddReaction }) => addReaction(call, actor, input),
    };
    const variableValues = (call.fields.variables ?? {}) as Record<string, unknown>;
    const source = call.text("query") ?? "";
    const unknown = call.site.switches.unknownFields.find((field) => source.includes(field));
    if (unknown !== undefined) return { errors: [{ message: `Field '${unknown}' doesn't exist` }] };
    const query = check(source);
    if (!("document" in query)) return { errors: query.map(errorRecord) };
    const { data, errors } = load().executeSync({ ...query, rootValue, variableValues });
    const { mostRootFields } = call.site.switches;
    const names = Object.keys(data ?? {});
    if (mostRootFields !== null && names.length > mostRootFields) return tooCostly(names);
    return { data, errors: errors?.map(errorRecord) };
  },
};

/** GitHub leaves out parts of a query that costs too much, wherever it was when it noticed. */
function tooCostly(names: readonly string[]) {
  const message = "Resource limits for this query exceeded.";
  const errors = names.map((name) => ({ type: "RESOURCE_LIMITS_EXCEEDED", message, path: [name] }));
  return { data: Object.fromEntries(names.map((name) => [name, null])), errors };
}

/** GitHub's own refusals have a `type`. */
function errorRecord(error: GraphQLError) {
  const { originalError } = error;
  const type = originalError instanceof GraphQLRefusal ? { type: originalError.type } : {};
  return { ...type, ...error.toJSON() };
}

/** @param node as GitHub names it: `a Repository with the name 'acme/docs'` */
function notFound(node: string): GraphQLRefusal {
  return new GraphQLRefusal("NOT_FOUND", `Could not resolve to ${node}.`);
}

const UNRESOLVABLE = "Something went wrong while executing your query.";

function repositoryFields(call: Call, { owner, name }: { owner: string; name: string }) {
  const isSame = (known: string) => known.toLowerCase() === `${owner}/${name}`.toLowerCase();
  const { repositories } = call.context;
  const repository =
    repositories.find(({ fullName }) => isSame(fullName)) ??
    repositories.find(({ formerNames }) => formerNames.some(isSame));
  if (repository?.may(call.actor, "read") !== true) {
    throw notFound(`a Repository with the name '${owner}/${name}'`);
  }
  return {
    databaseId: repository.id,
    nameWithOwner: repository.fullName,
    visibility: repository.visibility.toUpperCase(),
    isArchived: repository.isArchived,
    isFork: repository.parent !== null,
    hasIssuesEnabled: repository.hasIssues,
    defaultBranchRef: () => branchFields(call, repository, repository.defaultBranch),
    ref: ({ qualifiedName }: { qualifiedName: string }) =>
      branchFields(call, repository, qualifiedName.replace("refs/heads/", "")),
    pullRequest: ({ number }: { number: number }) => {
      if (call.site.permissions.get(call.actor)?.pull_requests === "none") throw notAccessible();
      const pull = repository.pulls.find((candidate) => candidate.number === number);
      if (pull === undefined) throw notFound(`a PullRequest with the number of ${number}`);
      if (repository.switches.unresolvable.has(number)) throw new Error(UNRESOLVABLE);
      return pullFields(call, repository, pull);
    },
    object: ({ expression, oid }: { expression?: string; oid?: string }) =>
      oid === undefined
        ? treeFields(call, repository, expression ?? "")
        : commitWithFiles(call, repository, oid),
    pullRequests: listed(
      (args) => pullsIn(call, repository, args as PullsArguments),
      (pull) => pullFields(call, repository, pull),
    ),
    refs: listed(
      (args: RefsArguments) => sortedRefs(repository, args),
      ([ref, sha]) => ({ name: ref, target: targetFields(call, repository, sha) }),
    ),
    releases: listed(
      () => releasesOf(call, repository),
      (release) => releaseFields(repository, release),
    ),
  };
}

/** A branch; null for none. Unlike REST, GraphQL does not follow the former name of one that was renamed. */
function branchFields(call: Call, repository: Repository, name: string) {
  if (call.site.permissions.get(call.actor)?.contents === "none") throw notAccessible();
  const oid = repository.tip(name);
  return oid === "" ? null : { name, target: { __typename: "Commit", oid } };
}

/** The newest first. Only those who may push see drafts. */
function releasesOf({ actor }: Call, repository: Repository): Release[] {
  const isShown = ({ draft }: Release) => !draft || repository.may(actor, "write");
  return repository.releases.filter(isShown).reverse();
}

function releaseFields(repository: Repository, release: Release) {
  const { tag_name, draft, prerelease, published_at } = release;
  const { sha } = repository.resolve(`tags/${tag_name}`) ?? {};
  return {
    tagName: tag_name,
    isDraft: draft,
    isPrerelease: prerelease,
    publishedAt: published_at,
    tagCommit: sha === undefined ? null : { __typename: "Commit", oid: sha },
  };
}

interface PullsArguments {
  states?: string[];
}

/** Pull requests by their states, in the order of their numbers. */
function pullsIn(call: Call, repository: Repository, { states = [] }: PullsArguments): Pull[] {
  if (call.site.permissions.get(call.actor)?.pull_requests === "none") throw notAccessible();
  const stateOf = ({ state, mergedAt }: Pull) =>
    mergedAt === null ? state.toUpperCase() : "MERGED";
  return repository.pulls.filter((pull) => states.length === 0 || states.includes(stateOf(pull)));
}

/** The folder of workflows on the default branch; no other object is emulated. */
function treeFields(call: Call, repository: Repository, expression: string) {
  if (call.site.permissions.get(call.actor)?.contents === "none") throw notAccessible();
  const files = expression === "HEAD:.github/workflows" ? workflowFiles(repository) : [];
  const entries = files.map(({ name, text }) => ({
    name,
    object: { __typename: "Blob", text },
  }));
  return files.length === 0 ? null : { __typename: "Tree", entries };
}

/** A commit whose files can be asked for. */
function commitWithFiles(call: Call, repository: Repository, oid: string) {
  if (call.site.permissions.get(call.actor)?.contents === "none") throw notAccessible();
  const commit = repository.find(oid);
  if (commit === undefined) return null;
  return {
    ...commitFields(call, repository, oid),
    file: ({ path }: { path: string }) => {
      const found = entryAt(repository.objects, commit.tree, path);
      return found === undefined ? null : { path, mode: Number.parseInt(found.mode, 8) };
    },
  };
}

/** A commit, or an annotated tag of one. */
function targetFields(call: Call, repository: Repository, sha: string) {
  const tag = repository.objects.tags.get(sha);
  if (tag === undefined) return commitFields(call, repository, sha);
  return { __typename: "Tag", oid: sha, target: commitFields(call, repository, tag.target) };
}

/** The first comment of a thread. */
function findThread({ context }: Call, threadId: string) {
  for (const repository of context.repositories) {
    const comment = repository.reviewComments.find(({ id }) => threadIdOf(id) === threadId);
    if (comment !== undefined) return { repository, comment };
  }
  throw notFound(`a node with the global id of '${threadId}'`);
}

/** Only threads are asked for by their IDs. */
function threadNode(call: Call, id: string) {
  const { repository, comment } = findThread(call, id);
  if (!repository.may(call.actor, "read")) throw notFound(`a node with the global id of '${id}'`);
  return threadFields(call, repository, comment);
}

function resolveThread(call: Call, threadId: string) {
  const { actor } = call;
  const { repository, comment } = findThread(call, threadId);
  const pull = repository.pulls.find(({ number }) => number === comment.pull);
  // Its author may do so, too.
  if (!repository.may(actor, "write") && pull?.author !== actor) throw notAccessible();
  comment.isResolved = true;
  comment.resolvedBy = actor;
  return { thread: { id: threadId } };
}

interface Enqueue {
  pullRequestId: string;
  expectedHeadOid?: string;
}

function enqueuePull({ context, actor }: Call, { pullRequestId, expectedHeadOid }: Enqueue) {
  for (const repository of context.repositories) {
    const pull = repository.pulls.find((candidate) => pullIdOf(candidate) === pullRequestId);
    if (pull === undefined) continue;
    if (!repository.may(actor, "write")) throw notAccessible();
    enqueue(repository, pull, actor, expectedHeadOid);
    return { clientMutationId: null };
  }
  throw notFound(`a node with the global id of '${pullRequestId}'`);
}

type AddReaction = { subjectId: string; content: string };

function addReaction(call: Call, login: string, { subjectId, content }: AddReaction) {
  const isReviewed = ({ reviews }: Repository) =>
    reviews.some(({ id }) => `PRR_${id}` === subjectId);
  const repository = call.context.repositories.find(isReviewed);
  if (repository === undefined) throw notFound(`a node with the global id of '${subjectId}'`);
  const thumbs: Record<string, string> = { THUMBS_UP: "+1", THUMBS_DOWN: "-1" };
  react(repository, subjectId, login, thumbs[content] ?? content.toLowerCase());
  return { clientMutationId: null };
}

interface RefsArguments {
  refPrefix: string;
  orderBy?: { field: "TAG_COMMIT_DATE" | "ALPHABETICAL"; direction: "ASC" | "DESC" };
}

function sortedRefs(repository: Repository, { refPrefix, orderBy }: RefsArguments) {
  const refs = refsBelow(repository, refPrefix);
  const { tags } = repository.objects;
  const at = ([, sha]: [string, string]) => tags.get(sha)?.at ?? repository.find(sha)?.at ?? 0;
  if (orderBy?.field === "TAG_COMMIT_DATE") refs.sort((first, second) => at(first) - at(second));
  if (orderBy?.direction === "DESC") refs.reverse();
  return refs;
}
