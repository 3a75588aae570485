/** Pull requests that are merged by a push of their commits to the base. */

import { descendsFrom } from "./git/graph.ts";
import type { RepositoryStore } from "./store.ts";

/** Remembers which pull requests the move of a branch merged. */
export function noticePush(store: RepositoryStore, ref: string): void {
  const delay = store.site.switches.pushedMergeDelay;
  if (delay === null) return;
  for (const { number, state, base, head } of store.pulls) {
    const isBase = ref === `refs/heads/${base}`;
    if (state !== "open" || !isBase || !descendsFrom(store.find, store.tip(base), head)) continue;
    store.pushedMerges.set(number, store.site.now + delay);
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
