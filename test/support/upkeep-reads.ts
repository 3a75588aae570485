import type { MergedChange } from "../../src/github/changes/change-details.ts";
import { detailsOfKnown } from "../../src/github/changes/change-details.ts";
import type { UpkeepReads } from "../../src/upkeep/reads.ts";
import { readsOf } from "./batch-reads.ts";
import { landed, sourceFacts } from "./upkeep-examples.ts";

/** Reads of upkeep that know nothing but what a test gives. @param changes that landed on `main` of `acme/code` */
export function upkeepReadsOf(
  changes: readonly MergedChange[] = [],
  answers: Partial<UpkeepReads> = {},
): UpkeepReads & { asked: string[] } {
  const value = sourceFacts({ landed: changes.map((change) => landed(change)) });
  return {
    requestsLeft: () => 300,
    source: async () => ({ type: "known", value }),
    release: async () => ({ type: "absent" }),
    details: async (change) => ({ type: "known", value: detailsOfKnown(change) }),
    known: detailsOfKnown,
    handedOver: async () => null,
    file: async () => ({ type: "absent" }),
    present: () => Promise.reject(new Error("nothing is confirmed")),
    ...answers,
    ...readsOf(answers),
  };
}
