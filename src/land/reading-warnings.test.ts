import { expect, test } from "vitest";
import {
  endedState,
  entryOf,
  factsOf,
  landLedger,
  lastRead,
  pullOf,
} from "../../test/support/land-facts.ts";
import type { PullFacts } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { readingWarnings } from "./reading-warnings.ts";

const UNREAD_CHECKS = pullOf({ checksRead: "none" });
const UNSEEN = { onPull: [], inLog: ["acme/api"] };
const REST =
  "Nothing of them is sent, and it is not merged. Check that the token has the permissions `checks: read` and `statuses: read`.";

function warningsOf(entry: Entry, facts: PullFacts): string[] {
  const pulls = new Map([[entry.url, { type: "read", facts, build: null } as const]]);
  const others = { missingRefs: [], areAny: true, unusable: [] };
  return readingWarnings(others, landLedger([entry]), pulls, "acme/api");
}

test.each<[string, Partial<Entry>, Partial<PullFacts>, string[]]>([
  [
    "whose checks the token cannot read",
    {},
    { pull: UNREAD_CHECKS },
    [`${UNREAD_CHECKS.url}: The token cannot read its checks. ${REST}`],
  ],
  [
    "that not everyone can see",
    {},
    { pull: UNREAD_CHECKS, sight: UNSEEN },
    [
      `The token cannot read the checks of a docs pull request in a repository that not everyone here can see. ${REST}`,
    ],
  ],
  ["that an earlier run has read", { lastRead: lastRead() }, { pull: UNREAD_CHECKS }, []],
  ["that is merged", {}, { pull: pullOf({ checksRead: "none", state: endedState("merged") }) }, []],
  ["whose checks could be read", {}, {}, []],
])("what a run warns of after reading one %s", (_, entry, facts, expected) => {
  expect(warningsOf(entryOf(entry), factsOf(facts))).toEqual(expected);
});
