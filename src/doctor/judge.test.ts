import { describe, expect, test } from "vitest";
import {
  ALL_RIGHTS,
  DAY,
  DOCS,
  factsOf,
  OWN,
  pullOf,
  WORKFLOW,
} from "../../test/support/doctor-facts.ts";
import { unread as unreadOf } from "../../test/support/facts.ts";
import type { TokenPermission } from "../github/api/explain.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import { NEEDED } from "./check-rights.ts";
import type { Facts, GitHubFacts, Rights, Schedule } from "./facts.ts";
import { isReady, verdictOf } from "./findings.ts";
import type { CheckedAction } from "./inputs.ts";
import { judge } from "./judge.ts";

const without = (...missing: TokenPermission[]): Rights => ({
  ...ALL_RIGHTS,
  ...Object.fromEntries(missing.map((right) => [right, known(false)])),
});
const SCHEDULE: Schedule = {
  path: WORKFLOW,
  crons: ["17 5 * * *"],
  isUtc: true,
  state: "active",
  since: 0,
  runs: known({ newestAt: 99.5 * DAY, concluded: concludedAs("success") }),
};
function concludedAs(conclusion: string) {
  return { conclusion, isFailed: conclusion !== "success", url: "javascript:alert(1)" };
}
const scheduled = (over: Partial<Schedule>): Facts =>
  factsOf({ schedules: known({ named: [{ ...SCHEDULE, ...over }], unreadFiles: [] }) });
/** @param newestAt the day on which the newest run began */
const ran = (newestAt: number | null, conclusion: string | null, over: Partial<Schedule> = {}) => {
  const concluded = conclusion === null ? null : concludedAs(conclusion);
  const at = newestAt === null ? null : newestAt * DAY;
  return scheduled({ runs: known({ newestAt: at, concluded }), ...over });
};
const ledger = (written: number, isBehind: Fact<boolean>, closedDashboard: Fact<number> = ABSENT) =>
  factsOf({
    ledgers: known({
      ages: [
        { ref: "refs/docs-agent/upkeep/a", writtenAt: written * DAY, isBehind, closedDashboard },
      ],
      unread: 0,
    }),
  });

/** Everything is wrong that only some actions need. */
const WITH_ALL_WRONG: Partial<GitHubFacts> = {
  ledgers: ledger(60, known(true)).github.ledgers,
  own: known({ ...OWN, hasIssues: false }),
  trial: { type: "refused", reason: "no" },
  docs: {
    ...DOCS,
    isOwn: false,
    facts: known({ ...OWN, isArchived: true, visibility: "private" }),
    rules: known({ requiredChecks: ["lint"], hasMergeQueue: true }),
    agentPull: known(pullOf({ checks: [] })),
  },
};

const statesOf = (facts: Facts, check: string) =>
  judge(facts)
    .filter((finding) => finding.check === check)
    .map(({ state }) => state)
    .join(" ");

const unread = unreadOf("unanswered");
const reason = "GitHub returned 502";

test("nothing is wrong with a set-up as it should be", () => {
  expect(verdictOf(judge(factsOf()))).toBe("healthy");
});

test("without access to the repository, everything on GitHub is unknown", () => {
  const nothing = factsOf({
    token: { type: "unknown", problem: "GitHub returned 502." },
    own: unread,
    rights: {},
    trial: { type: "unknown", reason },
    workflows: unread,
    schedules: unread,
    docs: {
      repository: "acme/manual",
      isOwn: false,
      isNamed: true,
      facts: unread,
      rights: {},
      rules: unread,
      workflows: unread,
      newestPull: unread,
      agentPull: unread,
    },
    ledgers: unread,
  });
  const ofService = ["service-address", "api-key", "api-key-write-scope", "project-id"];
  const onGitHub = judge(nothing).filter(({ check }) => !ofService.includes(check));
  expect(onGitHub.filter(({ state }) => state !== "unknown")).toEqual([]);
  const expected = new Set(judge(factsOf()).map(({ check }) => check));
  expect(new Set(judge(nothing).map(({ check }) => check))).toEqual(
    expected.add("docs-repository"),
  );
});

test.each<[boolean, string, Facts]>([
  [true, "nothing is wrong", factsOf()],
  [true, "only a setting is wrong", factsOf({ own: known({ ...OWN, isFork: true }) })],
  [false, "the key is wrong", factsOf({}, { apiKey: { type: "invalid", problem: "None." } })],
  [
    false,
    "the project is wrong",
    factsOf({}, { projectId: { type: "invalid", problem: "None." } }),
  ],
  [
    false,
    "a named action lacks a right",
    factsOf({ rights: without("issues: write") }, { actions: ["root"] }),
  ],
  [
    true,
    "another action lacks a right",
    factsOf({ rights: without("statuses: write") }, { actions: ["root"] }),
  ],
  [false, "the token is refused", factsOf({ token: { type: "refused", problem: "It is." } })],
  [true, "the token is not known", factsOf({ token: { type: "unknown", problem: "It is." } })],
])("a set-up is ready: %s, if %s", (expected, _, facts) => {
  expect(isReady(judge(facts))).toBe(expected);
});

describe("on GitHub", () => {
  test.each<[string, string, Facts, string]>([
    ["a ref that is refused", "ledger-ref", trial({ type: "refused", reason: "no" }), "wrong"],
    ["a ref that is left", "ledger-ref", trial({ type: "left", ref: "r", reason }), "wrong"],
    ["a ref that was not tried", "ledger-ref", trial({ type: "unknown", reason }), "unknown"],
    ["no Issues", "issues", factsOf({ own: known({ ...OWN, hasIssues: false }) }), "wrong"],
    ["an archive", "archived", factsOf({ own: known({ ...OWN, isArchived: true }) }), "wrong"],
    ["a fork", "fork", factsOf({ own: known({ ...OWN, isFork: true }) }), "wrong"],
    ["a file elsewhere", "workflow-file", factsOf({ workflows: known([]) }), "wrong"],
    ["files not read", "workflow-file", factsOf({ workflows: unread }), "unknown"],
    ["no file named", "workflow-file", { ...factsOf(), workflow: null }, "unknown"],
    ["schedules not read", "schedule", factsOf({ schedules: unread }), "unknown"],
    ["no schedule", "schedule", factsOf(), "fine"],
    ["a disabled schedule", "schedule", scheduled({ state: "disabled_fork" }), "wrong"],
    ["a new kind of state", "schedule", scheduled({ state: "paused" }), "wrong"],
    ["a schedule not listed", "schedule", scheduled({ state: null }), "unknown"],
    ["no run of a new file", "schedule", ran(null, null, { since: 99 * DAY }), "unknown"],
    ["no run of an old file", "schedule", ran(null, null), "wrong"],
    ["a file of unknown age", "schedule", ran(null, null, { since: null }), "unknown"],
    ["runs not read", "schedule", scheduled({ runs: unread }), "unknown"],
    ["a run that succeeded", "schedule", scheduled({}), "fine"],
    ["three runs that did not come", "schedule", ran(97.1, "success"), "wrong"],
    ["two runs that did not come", "schedule", ran(97.9, "success"), "fine"],
    ["a schedule in a time zone", "schedule", ran(97.1, "success", { isUtc: false }), "fine"],
    ["a schedule not readable", "schedule", ran(99, "success", { crons: ["@daily"] }), "unknown"],
    ["a schedule enabled again", "schedule", ran(9, "success", { since: 99 * DAY }), "unknown"],
    ["runs that said nothing", "schedule", ran(99.5, null), "unknown"],
    ["a run that failed", "schedule", ran(99.5, "failure"), "wrong"],
    ["a file not read", "schedule", files([WORKFLOW]), "unknown"],
    ["no ledger", "ledger", factsOf(), "fine"],
    ["ledgers not read", "ledger", factsOf({ ledgers: unread }), "unknown"],
    ["a ledger that is up to date", "ledger", ledger(70, known(false)), "fine"],
    ["a ledger that is behind", "ledger", ledger(69.9, known(true)), "wrong"],
    ["a ledger that is paused", "ledger", ledger(60, known(true), known(4)), "fine"],
    ["a ledger that may be paused", "ledger", ledger(60, known(true), unread), "unknown"],
    ["a ledger of a source not read", "ledger", ledger(60, unread), "unknown"],
    ["more ledgers", "ledger", factsOf({ ledgers: known({ ages: [], unread: 2 }) }), "unknown"],
  ])("%s: %s", (_, check, facts, state) => {
    expect(statesOf(facts, check)).toBe(state);
  });

  test("no access is wrong if somebody has to correct it, and else unknown", () => {
    const problem = "It could not be read.";
    const access = (type: "refused" | "unknown") => factsOf({ token: { type, problem } });
    expect(statesOf(access("refused"), "github-token")).toBe("wrong");
    expect(statesOf(access("unknown"), "github-token")).toBe("unknown");
  });

  test.each<[string, CheckedAction, string, string]>([
    ["issues", "upkeep", "wrong", "no Issues"],
    ["issues", "queue", "wrong", "no Issues"],
    ["issues", "deploy", "fine", "no Issues"],
    ["issues", "root", "fine", "no Issues"],
    ["visibility", "land", "wrong", "readers of the documentation"],
    ["visibility", "deploy", "fine", "readers of the documentation"],
    ["docs-repository", "upkeep", "wrong", "an archive of the documentation"],
    ["docs-repository", "deploy", "unknown", "an archive of the documentation"],
    ["agent-checks", "root", "wrong", "checks that do not start"],
    ["agent-checks", "deploy", "fine", "checks that do not start"],
    ["required-checks", "land", "wrong", "a check that nothing makes"],
    ["required-checks", "deploy", "fine", "a check that nothing makes"],
    ["merge-queue", "queue", "wrong", "a queue without a workflow"],
    ["merge-queue", "deploy", "fine", "a queue without a workflow"],
    ["ledger", "upkeep", "wrong", "a ledger that is behind"],
    ["ledger", "land", "fine", "a ledger that is behind"],
    ["ledger-ref", "queue", "wrong", "a ref that is refused"],
    ["ledger-ref", "root", "unknown", "a ref that is refused"],
  ])("%s for %s is %s with %s", (check, action, state) => {
    const needed = NEEDED.get(action) ?? [];
    const others = Object.keys(ALL_RIGHTS) as TokenPermission[];
    const rights = without(...others.filter((right) => !needed.includes(right)));
    for (const actions of [[action], null]) {
      expect(statesOf(factsOf({ ...WITH_ALL_WRONG, rights }, { actions }), check)).toBe(state);
    }
  });

  test("the command that enables a workflow has only plain names in it", () => {
    const [finding] = judge(
      scheduled({ path: ".github/workflows/$(x).yml", state: "disabled_manually" }),
    );
    expect(finding?.advice).toBe("Enable it at https://github.test/acme/docs/actions");
  });

  function files(unreadFiles: string[]): Facts {
    return factsOf({ schedules: known({ named: [], unreadFiles }) });
  }

  function trial(result: GitHubFacts["trial"]): Facts {
    return factsOf({ trial: result });
  }
});

describe("permissions", () => {
  test.each(
    [...NEEDED].flatMap(([action, rights]) => rights.map((right) => [action, right] as const)),
  )("%s lacks %s: wrong if it is named, unknown if not", (action, right) => {
    const rights = without(right);
    const named = factsOf({ rights }, { actions: [action] });
    expect(statesOf(named, `permissions-${action}`)).toBe("wrong");
    expect(statesOf(factsOf({ rights }), `permissions-${action}`)).toBe("unknown");
  });

  test("that are not known make an action unknown", () => {
    const rights = { ...ALL_RIGHTS, "deployments: write": unread };
    expect(statesOf(factsOf({ rights }, { actions: ["deploy"] }), "permissions-deploy")).toBe(
      "unknown",
    );
  });

  test("for none of the actions are wrong, unless some are not known", () => {
    const none = without(...(Object.keys(ALL_RIGHTS) as TokenPermission[]));
    expect(statesOf(factsOf({ rights: none }), "permissions")).toBe("wrong");
    const rights = { ...none, "deployments: write": unread };
    expect(statesOf(factsOf({ rights }), "permissions")).toBe("");
  });

  test("without a project allow only the gate", () => {
    const facts = factsOf(
      {},
      { projectId: { type: "invalid", problem: "project-id is not set." } },
    );
    expect(statesOf(facts, "permissions-root")).toBe("unknown");
    expect(statesOf(facts, "permissions-gate")).toBe("fine");
  });
});
