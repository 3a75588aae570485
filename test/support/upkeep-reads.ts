import type { MergedChange } from "../../src/github/changes/change-details.ts";
import { detailsOfKnown } from "../../src/github/changes/change-details.ts";
import type { ChangedFile } from "../../src/github/changes/history-records.ts";
import type { UpkeepReads } from "../../src/upkeep/reads.ts";
import { readsOf } from "./batch-reads.ts";
import { landed, sourceFacts } from "./upkeep-examples.ts";

export const FILE: ChangedFile = {
  path: "src/index.ts",
  previousPath: "src/index.ts",
  isRemoved: false,
  patch: "",
  additions: 1,
  deletions: 0,
};

/** Reads of upkeep that know nothing but what a test gives. @param changes that landed on `main` of `acme/code` */
export function upkeepReadsOf(
  changes: readonly MergedChange[] = [],
  answers: Partial<UpkeepReads> = {},
): UpkeepReads & { asked: string[] } {
  const value = sourceFacts({ landed: changes.map((change) => landed(change)) });
  return {
    readsLeft: () => 150,
    requestsLeft: () => 300,
    place: async () => ({ type: "known", value }),
    source: async () => ({ type: "known", value }),
    releaseTags: async () => ({ type: "absent" }),
    release: async () => ({ type: "absent" }),
    details: async (change) => ({ type: "known", value: detailsOfKnown(change) }),
    files: async () => ({ type: "known", value: { files: [FILE], isComplete: true } }),
    handedOver: async () => null,
    file: async () => ({ type: "absent" }),
    present: () => Promise.reject(new Error("nothing is confirmed")),
    ...answers,
    ...readsOf(answers),
  };
}
