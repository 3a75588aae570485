import fc from "fast-check";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { runs } from "../../../test/support/sample.ts";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import { checksOf, unfinishedRuns } from "./docs-pull-checks.ts";

const minute = (at: number) => `2026-11-22T12:0${at}:00Z`;

interface From {
  /** Null for another app than Actions. */
  workflow?: string | null;
  event?: string;
  suite?: string;
  app?: string;
  /** The minute in which the suite was made. */
  at?: number;
}

function suiteOf(
  { workflow = "CI", event = "push", suite = "CS_1", app = "github-actions", at = 0 }: From,
  over: Partial<z.infer<typeof docsPullAnswers.suite>> = {},
): z.infer<typeof docsPullAnswers.suite> {
  const workflowRun = workflow === null ? null : { event, workflow: { id: workflow } };
  const ended = { status: "COMPLETED", conclusion: "SUCCESS" };
  return { id: suite, createdAt: minute(at), app: { slug: app }, workflowRun, ...ended, ...over };
}

/** A check run. @param at the minute in which it began; null if it has not */
function run(databaseId: number, conclusion: string, at: number | null, from: From = {}) {
  const check: z.infer<typeof docsPullAnswers.check> = {
    id: `CR_${databaseId}`,
    databaseId,
    name: "build",
    status: conclusion === "" ? "QUEUED" : "COMPLETED",
    conclusion,
    state: "",
    startedAt: at === null ? null : minute(at),
    isRequired: false,
    checkSuite: suiteOf(from),
    title: "",
    summary: "",
    description: "",
    annotations: null,
  };
  return check;
}

const status = (id: string, state: string): z.infer<typeof docsPullAnswers.check> => ({
  ...run(0, "", 0),
  id,
  databaseId: null,
  status: "",
  state,
  checkSuite: null,
});

const REVIEW = { event: "pull_request_review", suite: "CS_2" };
const LATER = { suite: "CS_2", at: 5 };

test.each<[string, z.infer<typeof docsPullAnswers.check>[], string[]]>([
  [
    "of two events, which do not replace each other",
    [run(1, "FAILURE", 0), run(2, "SUCCESS", 1, REVIEW)],
    ["failure", "success"],
  ],
  [
    "skipped by another event",
    [run(1, "FAILURE", 0), run(2, "SKIPPED", 1, REVIEW)],
    ["failure", "skipped"],
  ],
  ["in any order", [run(2, "SUCCESS", 1, LATER), run(1, "FAILURE", 0)], ["success"]],
  [
    "begun in the same second, by their IDs",
    [run(2, "SUCCESS", 1, LATER), run(1, "FAILURE", 1)],
    ["success"],
  ],
  [
    "run again after a newer run began",
    [run(3, "SUCCESS", 9), run(2, "FAILURE", 6, LATER)],
    ["failure"],
  ],
  ["of two jobs of a run", [run(1, "FAILURE", 0), run(2, "SKIPPED", 1)], ["failure"]],
  ["of two jobs of a run, one at work", [run(1, "SUCCESS", 0), run(2, "", 1)], ["queued"]],
  [
    "not begun, beside the last result",
    [run(2, "", null, LATER), run(1, "SUCCESS", 1)],
    ["queued", "success"],
  ],
  [
    "waiting for a person, beside the last result",
    [run(2, "ACTION_REQUIRED", 6, LATER), run(1, "SUCCESS", 1)],
    ["action_required", "success"],
  ],
  [
    "waiting for a person, and skipped since",
    [run(1, "ACTION_REQUIRED", 1), run(2, "SKIPPED", 6, LATER)],
    ["action_required"],
  ],
  [
    "cancelled, which replace nothing",
    [run(1, "FAILURE", 0), run(2, "CANCELLED", 6, LATER)],
    ["failure"],
  ],
  [
    "skipped, which replace nothing",
    [run(1, "FAILURE", 0), run(2, "SKIPPED", 6, LATER)],
    ["failure"],
  ],
  ["none of which ran", [run(1, "CANCELLED", 0), run(2, "SKIPPED", 6, LATER)], ["skipped"]],
  [
    "of an app, the newest",
    [
      run(1, "FAILURE", 0, { workflow: null, app: "one" }),
      run(2, "SUCCESS", 1, { workflow: null, app: "one" }),
    ],
    ["success"],
  ],
  [
    "of an app, the newest that says something",
    [
      run(1, "FAILURE", 0, { workflow: null, app: "one" }),
      run(2, "NEUTRAL", 1, { workflow: null, app: "one" }),
    ],
    ["failure"],
  ],
  [
    "of two workflows, which are two",
    [run(1, "FAILURE", 0), run(2, "SUCCESS", 1, { workflow: "Lint" })],
    ["failure", "success"],
  ],
  [
    "of two apps, which are two",
    [
      run(1, "FAILURE", 0, { workflow: null, app: "one" }),
      run(2, "SUCCESS", 1, { workflow: null, app: "two" }),
    ],
    ["failure", "success"],
  ],
  [
    "of two suites of an app",
    [
      run(1, "FAILURE", 0, { workflow: null, app: "one", suite: "CS_1" }),
      run(2, "SUCCESS", 1, { workflow: null, app: "one", suite: "CS_2" }),
    ],
    ["success"],
  ],
  [
    "of unknown workflows, which may be two",
    [
      run(1, "FAILURE", 0, { workflow: null, suite: "CS_1" }),
      run(2, "SUCCESS", 1, { workflow: null, suite: "CS_2" }),
    ],
    ["failure", "success"],
  ],
  [
    "beside a status of the same name",
    [run(1, "SUCCESS", 0), status("SC_1", "FAILURE")],
    ["success", "failure"],
  ],
])("checks of one name: %s", (_, answers, expected) => {
  const conclusions = checksOf(answers).map(({ conclusion }) => conclusion);
  expect(conclusions.toSorted()).toEqual(expected.toSorted());
});

const QUEUED = { status: "QUEUED", conclusion: "" };
const HELD = { status: "COMPLETED", conclusion: "ACTION_REQUIRED" };

test.each<[string, z.infer<typeof docsPullAnswers.suite>[], { held: number; pending: number }]>([
  ["none", [], { held: 0, pending: 0 }],
  ["finished", [suiteOf({})], { held: 0, pending: 0 }],
  ["queued", [suiteOf({}, QUEUED)], { held: 0, pending: 1 }],
  [
    "queued, of another app",
    [suiteOf({ workflow: null, app: "one" }, QUEUED)],
    { held: 0, pending: 0 },
  ],
  ["waiting", [suiteOf({}, { status: "WAITING", conclusion: "" })], { held: 1, pending: 0 }],
  ["held", [suiteOf({}, HELD)], { held: 1, pending: 0 }],
  [
    "held, and replaced by a newer one",
    [suiteOf({ suite: "CS_2" }, { createdAt: minute(1) }), suiteOf({}, HELD)],
    { held: 0, pending: 0 },
  ],
  [
    "held, beside one of another event",
    [
      suiteOf({}, HELD),
      suiteOf({ event: "pull_request", suite: "CS_2" }, { createdAt: minute(1) }),
    ],
    { held: 1, pending: 0 },
  ],
  [
    "held, and skipped since",
    [suiteOf({}, HELD), suiteOf(LATER, { conclusion: "SKIPPED" })],
    { held: 1, pending: 0 },
  ],
  [
    "queued, and cancelled since",
    [suiteOf({}, QUEUED), suiteOf(LATER, { conclusion: "CANCELLED" })],
    { held: 0, pending: 1 },
  ],
  [
    "without a time, which are the newest",
    [suiteOf({}, { ...HELD, createdAt: null }), suiteOf({ suite: "CS_2" })],
    { held: 1, pending: 0 },
  ],
  ["held, of an unknown workflow", [suiteOf({ workflow: null }, HELD)], { held: 1, pending: 0 }],
])("runs of workflows: %s", (_, nodes, expected) => {
  const commit: z.infer<typeof docsPullAnswers.headCommit> = {
    oid: "head",
    checkSuites: { totalCount: nodes.length, nodes },
  };
  expect(unfinishedRuns(commit, "head")).toEqual(expected);
});

test.each([
  [{ oid: "head", checkSuites: null }],
  [{ oid: "head", checkSuites: { totalCount: 101, nodes: [suiteOf({})] } }],
])("runs that were not all read: %j", (commit) => {
  expect(unfinishedRuns(commit, "head")).toBeNull();
});

test.each([[undefined], [{ oid: "older", checkSuites: { totalCount: 0, nodes: [] } }]])(
  "runs of another head than the one that is judged are not finished: %j",
  (commit) => {
    expect(unfinishedRuns(commit, "head")).toEqual({ held: 0, pending: 1 });
  },
);

const conclusion = fc.constantFrom("SUCCESS", "FAILURE", "CANCELLED", "");
const from = fc.record({
  workflow: fc.constantFrom("CI", "Lint", null),
  event: fc.constantFrom("push", "pull_request"),
  suite: fc.constantFrom("CS_1", "CS_2"),
  app: fc.constantFrom("github-actions", "other"),
});
const reported = fc
  .array(fc.tuple(conclusion, fc.option(fc.nat({ max: 9 })), from), { maxLength: 12 })
  .map((all) => all.map(([end, at, of], nth) => run(nth + 1, end, at, of)));

test("the order in which GitHub lists checks decides nothing, and no check is made up", () => {
  const lists = reported.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
    ),
  );
  fc.assert(
    fc.property(lists, ([all, shuffled]) => {
      const idsOf = (answers: readonly z.infer<typeof docsPullAnswers.check>[]) =>
        checksOf(answers).map(({ id }) => id);
      expect(idsOf(shuffled).toSorted()).toEqual(idsOf(all).toSorted());
      expect(idsOf(all).length > 0).toBe(all.length > 0);
    }),
    { numRuns: runs(300) },
  );
});
