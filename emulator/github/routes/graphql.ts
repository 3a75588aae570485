/** The part of GitHub's GraphQL API that tells at once, or alone, what the actions ask for. */

import { createRequire } from "node:module";
import type { GraphQLError, GraphQLSchema } from "graphql";
import type { Call, Routes } from "../call.ts";
import type { Repository } from "../repository.ts";
import { react } from "./comments.ts";
import { pullFields, threadFields } from "./graphql-pull.ts";
import {
  GraphQLRefusal,
  listed,
  notAccessible,
  notFound,
  objectFields,
  type Page,
} from "./graphql-records.ts";
import { SCHEMA } from "./graphql-schema.ts";
import { refsBelow } from "./repositories.ts";

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
      resolveReviewThread: ({ input }: { input: { threadId: string } }) =>
        resolveThread(call, input.threadId),
    };
    const variableValues = (call.given.variables ?? {}) as Record<string, unknown>;
    const source = call.text("query") ?? "";
    const { data, errors } = graphqlSync({ schema, source, rootValue, variableValues });
    if (errors === undefined) return { data };
    return { ...(data === undefined ? {} : { data }), errors: errors.map(errorRecord) };
  },
};

/** GitHub says of what kind its own refusals are. */
function errorRecord(error: GraphQLError) {
  const { originalError } = error;
  const type = originalError instanceof GraphQLRefusal ? { type: originalError.type } : {};
  return { ...type, ...error.toJSON() };
}

function repositoryFields(call: Call, { owner, name }: { owner: string; name: string }) {
  const fullName = `${owner}/${name}`.toLowerCase();
  const repository = call.context.repositories.find((one) =>
    [one.fullName, ...one.formerNames].some((known) => known.toLowerCase() === fullName),
  );
  if (repository?.may(call.actor, "read") !== true) {
    throw notFound(`a Repository with the name '${owner}/${name}'`);
  }
  return {
    pullRequest: ({ number }: { number: number }) => {
      if (call.site.permissions.get(call.actor)?.pull_requests === "none") throw notAccessible();
      const pull = repository.pulls.find((one) => one.number === number);
      if (pull === undefined) throw notFound(`a PullRequest with the number of ${number}`);
      return pullFields(call, repository, pull);
    },
    refs: listed(
      ({ refPrefix, orderBy }: Page & { refPrefix: string; orderBy?: Order }) =>
        sortedRefs(repository, refPrefix, orderBy),
      ([ref, sha]) => ({ name: ref, target: objectFields(repository, sha) }),
    ),
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
  if (repository === undefined) throw notFound(`a node with the global id of '${subjectId}'`);
  const thumbs: Record<string, string> = { THUMBS_UP: "+1", THUMBS_DOWN: "-1" };
  react(repository, subjectId, login, thumbs[content] ?? content.toLowerCase());
  return { clientMutationId: null };
}

function resolveThread(call: Call, threadId: string) {
  for (const repository of call.context.repositories) {
    const thread = repository.reviewComments.find(({ id }) => `PRRT_${id}` === threadId);
    if (thread === undefined) continue;
    const { author } = repository.issues.get(thread.pull) ?? {};
    if (author !== call.actor && !repository.may(call.actor, "write")) throw notAccessible();
    repository.resolveThread(thread.id);
    return { thread: threadFields(repository, thread) };
  }
  throw notFound(`a node with the global id of '${threadId}'`);
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
  return refs;
}
