import { expect, test } from "vitest";
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
import { ABSENT, known } from "../runtime/fact.ts";
import type { DocsFacts, Facts } from "./facts.ts";
import { judge } from "./judge.ts";

const unread = unreadOf("unanswered");
const withDocs = (docs: Partial<DocsFacts>) => factsOf({ docs: { ...DOCS, ...docs } });

const statesOf = (facts: Facts, check: string) =>
  judge(facts)
    .filter((finding) => finding.check === check)
    .map(({ state }) => state)
    .join(" ");

const noChecks = { agentPull: known(pullOf({ checks: [] })) };
const none = known(pullOf({ checks: [] }));
const [YOUNG, CUT, RUNS_UNREAD, HELD] = [
  pullOf({ checks: [], changedAt: 100 * DAY - 599_000 }),
  pullOf({ checks: [], isComplete: false }),
  pullOf({ heldRuns: null }),
  pullOf({ checks: [], heldRuns: 1 }),
];
const silent = (docs: Partial<DocsFacts>) => {
  const rules = known({ requiredChecks: [], hasMergeQueue: false });
  return withDocs({ rules, agentPull: none, newestPull: none, ...docs });
};
const queueUnread = () =>
  withDocs({
    rules: known({ requiredChecks: ["build"], hasMergeQueue: true }),
    workflows: known([{ path: WORKFLOW, triggers: null, isOurs: false }]),
  });
const byOthers = { newestPull: known(pullOf({ fromElsewhere: ["build"] })) };
const queue = (requiredChecks: string[], events: string[], docs: Partial<DocsFacts> = {}) =>
  withDocs({
    ...docs,
    rules: known({ requiredChecks, hasMergeQueue: true }),
    workflows: known([
      { path: WORKFLOW, triggers: { events, crons: [], isUtc: true }, isOurs: false },
    ]),
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
  ["no checks yet", "agent-checks", withDocs({ agentPull: known(YOUNG) }), "unknown"],
  ["not all checks", "agent-checks", withDocs({ agentPull: known(CUT) }), "unknown"],
  ["runs not read", "agent-checks", withDocs({ agentPull: known(RUNS_UNREAD) }), "unknown"],
  ["no checks, others not read", "agent-checks", silent({ newestPull: unread }), "unknown"],
  ["no checks, rules not read", "agent-checks", silent({ rules: unread }), "unknown"],
  ["made checks", "required-checks", withDocs({}), "fine"],
  ["a check of none", "required-checks", withDocs({ ...noChecks, newestPull: none }), "wrong"],
  ["a check not read", "required-checks", withDocs({ ...noChecks, newestPull: unread }), "unknown"],
  [
    "a check to come",
    "required-checks",
    withDocs({ ...noChecks, newestPull: known(YOUNG) }),
    "unknown",
  ],
  [
    "a check beyond",
    "required-checks",
    withDocs({ ...noChecks, newestPull: known(CUT) }),
    "unknown",
  ],
  [
    "a check that waits",
    "required-checks",
    withDocs({ ...noChecks, newestPull: known(HELD) }),
    "unknown",
  ],
  [
    "a check that may wait, on a fork's",
    "required-checks",
    withDocs({ agentPull: ABSENT, newestPull: known(pullOf({ checks: [], heldRuns: null })) }),
    "unknown",
  ],
  ["rules not read", "required-checks", withDocs({ rules: unread }), "unknown"],
  ["no queue", "merge-queue", withDocs({}), "fine"],
  ["a queue without checks", "merge-queue", queue([], []), "fine"],
  ["a queue with a workflow", "merge-queue", queue(["build"], ["merge_group"]), "fine"],
  ["a queue without a workflow", "merge-queue", queue(["build"], []), "wrong"],
  ["a queue with checks of others", "merge-queue", queue(["build"], [], byOthers), "unknown"],
  ["a queue with some of others", "merge-queue", queue(["build", "lint"], [], byOthers), "wrong"],
  ["a queue with a file not read", "merge-queue", queueUnread(), "unknown"],
  ["in the own repository", "visibility", withDocs({}), "fine"],
  ["nobody knows where", "visibility", withDocs({ isNamed: false }), "unknown"],
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
  [
    "read only",
    "docs-repository",
    named({ rights: { ...ALL_RIGHTS, "contents: write": known(false) } }),
    "wrong",
  ],
])("%s: %s", (_, check, facts, state) => {
  expect(statesOf(facts, check)).toBe(state);
});
