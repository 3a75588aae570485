/** The merge queue of a base: pull requests join it through GraphQL only. */

import { mergeabilityOf, mergePull } from "./merge.ts";
import { WORKFLOW } from "./people.ts";
import { GraphQLRefusal } from "./routes/graphql-parts.ts";
import type { Pull } from "./state.ts";
import type { RepositoryStore } from "./store.ts";

/** @param head the SHA that its head has to have; undefined for any @throws GraphQLRefusal */
export function enqueue(store: RepositoryStore, pull: Pull, login: string, head?: string): void {
  if (head !== undefined && head !== pull.head) {
    throw new GraphQLRefusal("UNPROCESSABLE", "Expected head oid does not match");
  }
  if (isQueued(store, pull)) {
    throw new GraphQLRefusal("UNPROCESSABLE", "Pull request is already in the queue");
  }
  const { state } = mergeabilityOf(store, pull, login);
  if (store.mergeRule.queue !== true || !["clean", "unstable", "has_hooks"].includes(state)) {
    throw new GraphQLRefusal("UNPROCESSABLE", "Pull request is not mergeable");
  }
  store.mergeQueue.set(pull.number, pull.head);
  if (login === WORKFLOW) store.queuedWithoutRuns.add(pull.number);
  else store.queuedWithoutRuns.delete(pull.number);
}

/** A push takes a pull request out. */
export function isQueued({ mergeQueue }: RepositoryStore, { number, head, state }: Pull): boolean {
  return state === "open" && mergeQueue.get(number) === head;
}

/** Merges what is in the queue, as GitHub does once the checks of the queue's groups are green. */
export function mergeQueued(store: RepositoryStore): void {
  const { checks = [] } = store.mergeRule;
  for (const pull of store.pulls) {
    if (!isQueued(store, pull)) continue;
    // What the token of a workflow does starts no runs.
    if (checks.length > 0 && store.queuedWithoutRuns.has(pull.number)) continue;
    store.mergeQueue.delete(pull.number);
    mergePull(store, pull, { method: "squash", by: "github-merge-queue[bot]", isOfQueue: true });
  }
}
