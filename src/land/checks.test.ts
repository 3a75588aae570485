import { expect, test } from "vitest";
import { checkOf, landInputs, pullOf } from "../../test/support/land-facts.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { areChecksPending, countingChecks, obstacleOfChecks } from "./checks.ts";

const RULES = landInputs({
  merge: "checks",
  "allowed-paths": "docs/**",
  "required-checks": "build\nlinks",
  "ignore-checks": "cla",
});
const build = checkOf({});
const links = checkOf({ id: "2", name: "links" });
const cla = (over: Partial<Check>) => checkOf({ id: "3", name: "cla", ...over });

test("checks that are ignored count for nothing", () => {
  const pull = pullOf({ checks: [build, cla({ state: "pending" })] });
  expect(countingChecks(pull, RULES)).toEqual([build]);
  expect(areChecksPending(pull, RULES)).toBe(false);
});

test.each<[string, Check[], string | null]>([
  ["all there", [build, links], null],
  ["one missing", [build], "It is merged once the check `links` has succeeded."],
  [
    "one of two skipped",
    [build, links, { ...links, id: "4", conclusion: "skipped" }],
    "It is merged once the check `links` has succeeded, and it ended with `skipped`: run it again.",
  ],
  [
    "one running",
    [build, { ...links, state: "pending", conclusion: "queued" }],
    "It is merged once the check `links` has succeeded.",
  ],
  ["another one cancelled", [build, links, cla({ name: "x", state: "dropped" })], null],
  ["an ignored one red", [build, links, cla({ state: "red", conclusion: "failure" })], null],
])("required checks: %s", (_, checks, reason) => {
  const obstacle = obstacleOfChecks(pullOf({ checks }), RULES, false);
  expect(obstacle?.reason ?? null).toBe(reason);
});
