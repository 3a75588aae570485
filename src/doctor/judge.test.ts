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
import { ABSENT, known } from "../runtime/fact.ts";
import { NEEDED } from "./check-rights.ts";
import type { DocsFacts, Facts, GitHubFacts, LastRun, Rights, Schedule } from "./facts.ts";
import { verdictOf } from "./findings.ts";
import { judge } from "./judge.ts";

const withDocs = (docs: Partial<DocsFacts>) => factsOf({ docs: { ...DOCS, ...docs } });
const without = (...missing: TokenPermission[]): Rights => ({
  ...ALL_RIGHTS,
  ...Object.fromEntries(missing.map((right) => [right, known(false)])),
});
const scheduled = (over: Partial<Schedule>): Facts => {
  const lastRun: LastRun = { type: "begun", conclusion: "success", url: "https://github.test/1" };
  return factsOf({ schedules: known([{ path: WORKFLOW, state: "active", lastRun, ...over }]) });
};
const ended = (conclusion: string | null) =>
  scheduled({ lastRun: { type: "begun", conclusion, url: "javascript:alert(1)" } });
const ledger = (written: number, changed: number) => {
  const dates = { writtenAt: written * DAY, changedAt: changed * DAY };
  return factsOf({
    ledgers: known({ ages: [{ ref: "refs/docs-agent/upkeep/a", ...dates }], unread: 0 }),
  });
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

describe("on GitHub", () => {
  test.each<[string, string, Facts, string]>([
    ["a ref that is refused", "ledger-ref", trial({ type: "refused", reason: "no" }), "wrong"],
    ["a ref that is left", "ledger-ref", trial({ type: "left", ref: "r", reason }), "wrong"],
    ["a ref that was not tried", "ledger-ref", trial({ type: "unknown", reason }), "unknown"],
    ["no Issues", "issues", factsOf({ own: { ...OWN, hasIssues: false } }), "wrong"],
    ["an archive", "archived", factsOf({ own: { ...OWN, isArchived: true } }), "wrong"],
    ["a fork", "fork", factsOf({ own: { ...OWN, isFork: true } }), "wrong"],
    ["a file elsewhere", "workflow-file", factsOf({ workflows: known([]) }), "wrong"],
    ["files not read", "workflow-file", factsOf({ workflows: unread }), "unknown"],
    ["no file named", "workflow-file", { ...factsOf(), workflow: null }, "unknown"],
    ["schedules not read", "schedule", factsOf({ schedules: unread }), "unknown"],
    ["no schedule", "schedule", factsOf(), "fine"],
    ["a disabled schedule", "schedule", scheduled({ state: "disabled_fork" }), "wrong"],
    ["a new kind of state", "schedule", scheduled({ state: "paused" }), "wrong"],
    ["a schedule not listed", "schedule", scheduled({ state: null }), "unknown"],
    ["no run yet", "schedule", scheduled({ lastRun: { type: "none" } }), "fine"],
    ["a run not read", "schedule", scheduled({ lastRun: { type: "unread" } }), "unknown"],
    ["a run that succeeded", "schedule", ended("success"), "fine"],
    ["a run that was skipped", "schedule", ended("skipped"), "fine"],
    ["a run that goes on", "schedule", ended(null), "fine"],
    ["a run that failed", "schedule", ended("failure"), "wrong"],
    ["a run that never started", "schedule", ended("startup_failure"), "wrong"],
    ["no ledger", "ledger", factsOf(), "fine"],
    ["ledgers not read", "ledger", factsOf({ ledgers: unread }), "unknown"],
    ["a ledger of 30 days", "ledger", ledger(70, 99), "fine"],
    ["a ledger of more", "ledger", ledger(69.9, 99), "wrong"],
    ["an old ledger of a silent repository", "ledger", ledger(10, 9), "fine"],
    ["more ledgers", "ledger", factsOf({ ledgers: known({ ages: [], unread: 2 }) }), "unknown"],
  ])("%s: %s", (_, check, facts, state) => {
    expect(statesOf(facts, check)).toBe(state);
  });

  test("no access is wrong if somebody has to correct it, and else unknown", () => {
    const access = (isWrong: boolean): Facts => ({
      ...factsOf(),
      github: { type: "no-access", isWrong, problem: "It could not be read." },
    });
    expect(statesOf(access(true), "github-token")).toBe("wrong");
    expect(statesOf(access(false), "github-token")).toBe("unknown");
  });

  test("the command that enables a workflow has only plain names in it", () => {
    const [finding] = judge(
      scheduled({ path: ".github/workflows/$(x).yml", state: "disabled_manually" }),
    );
    expect(finding?.advice).toBe("Enable it at https://github.test/acme/docs/actions");
  });

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

describe("the documentation's pull requests", () => {
  const noChecks = { agentPull: known(pullOf({ checks: [] })) };
  const queue = (requiredChecks: string[], events: string[]) =>
    withDocs({
      rules: known({ requiredChecks, hasMergeQueue: true }),
      workflows: known([{ path: WORKFLOW, events, isOurs: false }]),
    });
  const other = { repository: "acme/manual", isOwn: false };
  const seenBy = (visibility: typeof OWN.visibility) => known({ ...OWN, visibility });
  const named = (docs: Partial<DocsFacts>) => withDocs({ ...other, ...docs });

  test.each<[string, string, Facts, string]>([
    ["none", "agent-checks", withDocs({ agentPull: ABSENT }), "unknown"],
    ["not read", "agent-checks", withDocs({ agentPull: unread }), "unknown"],
    ["held runs", "agent-checks", withDocs({ agentPull: known(pullOf({ heldRuns: 1 })) }), "wrong"],
    ["checks", "agent-checks", withDocs({}), "fine"],
    ["no checks, unlike others", "agent-checks", withDocs(noChecks), "wrong"],
    ["made checks", "required-checks", withDocs({}), "fine"],
    ["a check of none", "required-checks", withDocs({ ...noChecks, newestPull: unread }), "wrong"],
    ["rules not read", "required-checks", withDocs({ rules: unread }), "unknown"],
    ["no queue", "merge-queue", withDocs({}), "fine"],
    ["a queue without checks", "merge-queue", queue([], []), "fine"],
    ["a queue with a workflow", "merge-queue", queue(["build"], ["merge_group"]), "fine"],
    ["a queue without a workflow", "merge-queue", queue(["build"], []), "wrong"],
    ["in the own repository", "visibility", withDocs({}), "fine"],
    ["for the same people", "visibility", named({}), "fine"],
    ["for fewer people", "visibility", named({ facts: seenBy("private") }), "wrong"],
    ["for nobody knows whom", "visibility", named({ facts: seenBy(null) }), "unknown"],
    ["in a readable repository", "docs-repository", named({}), "fine"],
    [
      "not readable",
      "docs-repository",
      named({ facts: unreadOf("refused", { status: 404 }) }),
      "wrong",
    ],
    ["not answered", "docs-repository", named({ facts: unread }), "unknown"],
    ["archived", "docs-repository", named({ facts: known({ ...OWN, isArchived: true }) }), "wrong"],
    ["read only", "docs-repository", named({ rights: without("contents: write") }), "wrong"],
  ])("%s: %s", (_, check, facts, state) => {
    expect(statesOf(facts, check)).toBe(state);
  });
});
