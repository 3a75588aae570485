import { expect, test } from "vitest";
import {
  EVERYTHING_NAMED,
  endedState,
  entryOf,
  judgedPull,
  landLedger,
  lastRead,
  NO_LEDGERS,
  pullOf,
} from "../../test/support/land-facts.ts";
import type { JudgedDocsPull } from "./acts.ts";
import type { PullEntry } from "./ledger.ts";
import { readingWarnings } from "./reading-warnings.ts";

const UNREAD_CHECKS = pullOf({ checksRead: "none" });
const HIDDEN = { ...EVERYTHING_NAMED, inLog: ["acme/api"] };
const REST =
  "Nothing of them is sent, and it is not merged. Check that the token has the permissions `checks: read` and `statuses: read`.";

function warningsOf(before: PullEntry, over: Partial<JudgedDocsPull>): string[] {
  const judged = judgedPull({ entry: { ...before, lastRead: lastRead() }, ...over });
  return readingWarnings(NO_LEDGERS, landLedger([before]), [judged], "acme/api");
}

test.each<[string, Partial<PullEntry>, Partial<JudgedDocsPull>, string[]]>([
  [
    "whose checks the token cannot read",
    {},
    { pull: UNREAD_CHECKS },
    [`${UNREAD_CHECKS.url}: The token cannot read its checks. ${REST}`],
  ],
  [
    "that not everyone can see",
    {},
    { pull: UNREAD_CHECKS, visibility: HIDDEN },
    [
      `The token cannot read the checks of a docs pull request in a repository that not everyone here can see. ${REST}`,
    ],
  ],
  ["that an earlier run has read", { lastRead: lastRead() }, { pull: UNREAD_CHECKS }, []],
  ["that is merged", {}, { pull: pullOf({ checksRead: "none", state: endedState("merged") }) }, []],
  ["whose checks could be read", {}, {}, []],
])("what a run warns of after reading one %s", (_, entry, judged, expected) => {
  expect(warningsOf(entryOf(entry), judged)).toEqual(expected);
});
