import { expect, test } from "vitest";
import { checkOf, landInputs, pullOf } from "../../test/support/land-facts.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { areChecksPending, countingChecks, missingChecks } from "./checks.ts";
import type { LandReason } from "./reasons.ts";

const RULES = landInputs({
  merge: "checks",
  "allowed-paths": "docs/**",
  "required-checks": "build\nlinks",
  "ignore-checks": "cla",
});
const build = checkOf({});
const links = checkOf({ id: "2", name: "links" });
const RULED = checkOf({ id: "5", name: "x", isRequired: true, conclusion: "skipped" });
const cla = (over: Partial<Check>) => checkOf({ id: "3", name: "cla", ...over });

test("checks that are ignored count for nothing", () => {
  const pull = pullOf({ checks: [build, cla({ state: "pending" })] });
  expect(countingChecks(pull, RULES)).toEqual([build]);
  expect(areChecksPending(pull, RULES)).toBe(false);
});

test.each<[string, Check[], LandReason | null]>([
  ["all there", [build, links], null],
  ["one missing", [build], { code: "check-missing", name: "links" }],
  ["one of two skipped", [build, links, { ...links, id: "4", conclusion: "skipped" }], null],
  [
    "one of two running",
    [build, links, { ...links, id: "4", state: "pending", conclusion: "queued" }],
    { code: "check-missing", name: "links" },
  ],
  [
    "skipped",
    [build, { ...links, conclusion: "skipped" }],
    { code: "check-without-success", name: "links", conclusion: "skipped" },
  ],
  ["one that the rules want skipped", [build, links, RULED], null],
  [
    "one that the rules want cancelled",
    [build, links, { ...RULED, state: "dropped", conclusion: "cancelled" }],
    { code: "check-without-success", name: "x", conclusion: "cancelled" },
  ],
  [
    "one running",
    [build, { ...links, state: "pending", conclusion: "queued" }],
    { code: "check-missing", name: "links" },
  ],
  ["another one cancelled", [build, links, cla({ name: "x", state: "dropped" })], null],
  ["an ignored one red", [build, links, cla({ state: "red", conclusion: "failure" })], null],
])("required checks: %s", (_, checks, reason) => {
  expect(missingChecks(pullOf({ checks }), RULES, false)).toEqual(reason);
});
