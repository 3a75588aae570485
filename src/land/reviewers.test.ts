import { expect, test } from "vitest";
import {
  CHANGE,
  entryOf,
  factsOf,
  judgedPull,
  landInputs,
  type PullFacts,
  pullOf,
  readsOf,
  reviewOf,
} from "../../test/support/land-facts.ts";
import { known, type Unread } from "../runtime/fact.ts";
import type { JudgedDocsPull } from "./acts.ts";
import { mentionsOf, reviewersOf } from "./reviewers.ts";

const SECRET = { ...CHANGE, key: "9#3", repository: "acme/secret", author: "eve" };
const BY_BOT = { ...CHANGE, author: "Copilot" };
const MERGED_BY: Partial<PullFacts> = { merger: known("bo") };
const UNREAD: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "GitHub returned 502",
  isPassing: true,
  status: 502,
};
const approvedBy = (author: string, head = "head"): Partial<JudgedDocsPull> => ({
  pull: pullOf({ reviews: [reviewOf(author, "approved", { head })] }),
});

test.each<[string, Partial<JudgedDocsPull>, Partial<PullFacts>, readonly string[], boolean]>([
  ["of a change: its author", {}, {}, ["ada"], true],
  [
    "of a bot's change: whoever merged it",
    { entry: entryOf({ changes: [BY_BOT] }) },
    MERGED_BY,
    ["bo"],
    true,
  ],
  [
    "of a bot's change that a bot merged: nobody",
    { entry: entryOf({ changes: [BY_BOT] }) },
    {},
    [],
    true,
  ],
  [
    "of a change that may not be named: nobody",
    { entry: entryOf({ changes: [SECRET] }) },
    {},
    [],
    true,
  ],
  [
    "of whom GitHub does not say: nobody yet",
    { entry: entryOf({ changes: [BY_BOT] }) },
    { merger: UNREAD },
    [],
    false,
  ],
  ["who has approved the head: nobody", approvedBy("Ada"), {}, [], true],
  ["who has approved an earlier commit", approvedBy("ada", "older"), {}, ["ada"], true],
])("authors %s", async (_, over, facts, names, areAll) => {
  const judged = judgedPull({ entry: entryOf({ changes: [CHANGE] }), ...over });
  const reads = readsOf(factsOf(facts));
  const rules = landInputs({ reviewers: "authors" });
  expect(await reviewersOf(judged, reads, rules)).toEqual({ names, areAll });
});

test("people and teams are mentioned, and no bot", async () => {
  const asked = ["ada", "team:docs", "Copilot", "helper[bot]"];
  const judged = judgedPull({ entry: entryOf({ asked }) });
  expect(await mentionsOf(judged, readsOf(factsOf()))).toBe("@ada, @acme/docs: ");
  const none = judgedPull({ entry: entryOf({ asked: ["Copilot"] }) });
  expect(await mentionsOf(none, readsOf(factsOf()))).toBe("");
});
