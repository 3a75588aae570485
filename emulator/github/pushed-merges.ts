/** Pull requests that are merged by a push of their commits to the base. */

import { descendsFrom } from "./git/graph.ts";
import type { RepositoryStore } from "./store.ts";

/** Remembers which pull requests the move of a branch merged. */
export function noticePush(store: RepositoryStore, ref: string): void {
  const { now, switches } = store.site;
  const aimed = store.pulls.filter(
    ({ state, base, commits }) =>
      state === "open" && ref === `refs/heads/${base}` && commits.length > 0,
  );
  for (const { number, base, head } of aimed) {
    if (!descendsFrom(store.find, store.tip(base), head)) continue;
    store.pushedMerges.set(number, now + switches.pushedMergeDelay);
  }
}

/** Marks the pull requests as merged whose time has come. */
export function settlePushes(store: RepositoryStore): void {
  for (const pull of store.pulls) {
    if ((store.pushedMerges.get(pull.number) ?? Number.POSITIVE_INFINITY) > store.site.now)
      continue;
    store.pushedMerges.delete(pull.number);
    const { head, commits } = pull;
    store.change(pull, { mergedAt: store.site.second, mergeSha: head, landed: commits });
    store.setState(pull, "closed", null);
  }
}
