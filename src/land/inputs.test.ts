import { expect, test } from "vitest";
import { landInputs } from "../../test/support/land-facts.ts";

test("the input `name` of version 1.0.0 is an error that says how to go on with its ledger", () => {
  expect(() => landInputs({ name: " api " })).toThrow(
    /^name: land no longer has this input\. .*set `ledger-ref: refs\/docs-agent\/land\/api`\.$/,
  );
});

test.each([
  ["refs/heads/docs-ledger\nrefs/docs/b", ["refs/heads/docs-ledger", "refs/docs/b"]],
  ["", []],
])("the ledgers %j are read as %j", (ledgers, expected) => {
  expect(landInputs({ ledgers }).ledgers).toEqual(expected);
});

test.each(["main", "refs/heads/a b", "refs/heads/..", "heads/x"])("%j is no ledger", (ledgers) => {
  expect(() => landInputs({ ledgers })).toThrow(/^ledgers: .*the full names of refs/);
});
