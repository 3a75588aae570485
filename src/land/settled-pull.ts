/** Waits for GitHub to work out whether docs pull requests can be merged: the question makes it begin. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Fact } from "../runtime/fact.ts";
import type { LandRun } from "./land-run.ts";
import type { PullEntry } from "./ledger.ts";

/** How often it is asked again, and how long after that before, in milliseconds. */
const TRIES = 2;
const PAUSE = 3_000;

/** Those that wait at the same time are asked together. */
export function settledReader(
  read: (entry: PullEntry) => Promise<Fact<DocsPull>>,
  { dependencies }: Pick<LandRun, "dependencies">,
): (entry: PullEntry) => Promise<Fact<DocsPull>> {
  const { clock, cancellation } = dependencies;
  let pause: Promise<void> | null = null;
  const wait = () => {
    pause ??= clock.sleep(PAUSE, cancellation.stop).finally(() => {
      pause = null;
    });
    return pause;
  };
  return async (entry) => {
    await wait();
    let found = await read(entry);
    for (let count = 1; count < TRIES && isUnsettled(found); count++) {
      await wait();
      found = await read(entry);
    }
    return found;
  };
}

function isUnsettled(found: Fact<DocsPull>): boolean {
  return found.type === "known" && found.value.mergeState === "unknown";
}
