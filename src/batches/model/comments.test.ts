import { expect, test } from "vitest";
import {
  AT,
  EMPTY,
  pendingComment,
  refusedBy,
  revision,
  UNCERTAIN,
} from "../../../test/support/ledger-examples.ts";
import { expireClaims, recordComment } from "./comments.ts";

test("of the claims of dead runs, the last try is given up with an event", () => {
  const claim = { id: "dead", at: AT };
  const pendingComments = [
    pendingComment(1, { claim, tries: 23 }),
    pendingComment(2, { claim, tries: 22 }),
    pendingComment(3),
  ];
  const { ledger, events } = expireClaims(revision({ ...EMPTY, pendingComments }), () => true);
  expect(ledger.pendingComments).toEqual([pendingComment(2, { tries: 23 }), pendingComment(3)]);
  expect(events).toEqual(["Give up the comments on #1"]);
});

test("a claim of a dead run that is tried again is no event", () => {
  const pendingComments = [pendingComment(1, { claim: { id: "dead", at: AT } })];
  const { ledger, events } = expireClaims(revision({ ...EMPTY, pendingComments }), () => true);
  expect(ledger.pendingComments).toEqual([pendingComment(1, { tries: 1 })]);
  expect(events).toEqual([]);
});

test.each([
  ["not known to be written", UNCERTAIN, { tries: 23 }],
  ["not allowed", refusedBy("right"), { refusals: 2 }],
] as const)(
  "a comment that is %s in its last run is given up with an event",
  (_, delivery, before) => {
    const pendingComments = [pendingComment(1, { claim: { id: "c", at: AT }, ...before })];
    const from = revision({ ...EMPTY, pendingComments });
    const { ledger, events } = recordComment(from, "c", delivery, "Comment on pull requests");
    expect(ledger.pendingComments).toEqual([]);
    expect(events).toEqual(["Give up the comments on #1"]);
  },
);
