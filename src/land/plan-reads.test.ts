import { expect, test } from "vitest";
import {
  APPROVED,
  endedState,
  factsOf,
  factsWith,
  landInputs,
  landLedger,
  NOW,
  type PullFacts,
  RED,
  readsOf,
  reviewOf,
  SETTLED,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { unchanged } from "../ledger/file.ts";
import type { PullEntry } from "./ledger.ts";
import { planLand } from "./plan.ts";

const QUIET = { comment: "false" };
const HELD: Partial<PullEntry> = {
  intent: { decision: "other", at: timeBefore(0), followUp: null, circumstances: null },
};

/** @returns the names of the reads that are asked, but for those that always are */
async function askedAbout(
  entry: Partial<PullEntry>,
  facts: PullFacts,
  inputs = {},
): Promise<string[]> {
  const reads = readsOf(facts);
  const rules = {
    inputs: landInputs({ ...QUIET, ...inputs }),
    repository: "acme/api",
    isByHand: false,
  };
  const from = unchanged(landLedger([{ ...SETTLED, ...entry }]));
  await planLand(from, reads, { now: NOW, name: "run" }, rules);
  const common = ["otherLedgers", "askedJobs", "pull", "visibility"];
  return [...new Set(reads.asked)].filter((name) => !common.includes(name)).sort();
}

const LIMITED = { merge: "approved", "allowed-paths": "docs/**" };

test.each<[string, Partial<PullEntry>, PullFacts, Record<string, string>, string[]]>([
  ["was merged: nothing", {}, factsWith({ state: endedState("merged") }), {}, []],
  ["another run is at work on: nothing", HELD, APPROVED, LIMITED, []],
  ["waits: its job", {}, factsOf(), LIMITED, ["job"]],
  [
    "is to be merged within limits: its files, and what they are",
    {},
    APPROVED,
    LIMITED,
    ["files", "job", "links", "rules"],
  ],
  [
    "is to be merged without limits: no files",
    {},
    APPROVED,
    { merge: "approved" },
    ["job", "rules"],
  ],
  [
    "is blocked: the rules of its base",
    {},
    factsWith({ mergeState: "blocked", reviews: [reviewOf("ada", "approved")] }),
    { merge: "approved" },
    ["job", "rules"],
  ],
  [
    "GitHub has not worked out: the same again",
    {},
    factsWith({ mergeState: "unknown", reviews: [reviewOf("ada", "approved")] }),
    { merge: "approved" },
    ["job", "settledPull"],
  ],
  ["is on hold: nothing", {}, factsWith({ labels: ["wait"] }), { "hold-labels": "wait" }, []],
  [
    "has more files than GitHub lists: its files",
    {},
    factsWith({ listedPaths: null }),
    LIMITED,
    ["files", "job"],
  ],
  ["conflicts: its files", {}, factsWith({ isConflicting: true }), {}, ["files", "job"]],
  [
    "has a failed job: its log, and the checks of its base",
    {},
    RED,
    {},
    ["job", "log", "redOnBase"],
  ],
  ["has a failed job that was sent: no log", { sent: ["check build on head"] }, RED, {}, ["job"]],
  ["has a failed job that is ignored: no log", {}, RED, { "ignore-checks": "build" }, ["job"]],
  [
    "has a failed job, and no follow-up left: no log",
    {},
    RED,
    { "max-follow-ups": "0" },
    ["job", "redOnBase"],
  ],
  ["has a failed job, and another run's: no log", HELD, RED, {}, []],
  [
    "has a preview that is being built: its build",
    { preview: { head: "head", state: "building", statusId: "s", url: "" } },
    factsOf(),
    {},
    ["build", "job"],
  ],
  [
    "is a draft: the code pull request",
    { codePull: { url: "https://github.com/acme/api/pull/3", branch: null } },
    factsOf(),
    {},
    ["job", "stateOf"],
  ],
])("what is read about one that %s", async (_, entry, facts, inputs, expected) => {
  expect(await askedAbout(entry, facts, inputs)).toEqual(expected);
});
