/** The checks of a docs pull request's head: which of GitHub's results count, and what they mean. */

import type * as z from "zod/mini";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import { idOf } from "./docs-pull-words.ts";

/** The slug of the app that reports the jobs of workflows. */
const ACTIONS = "github-actions";

/** A check run or a commit status of a pull request's head. */
export interface Check {
  /** Identifies this result permanently. */
  id: string;
  name: string;
  /**
   * `red` keeps it from being merged. `held` waits for a person. `dropped` was cancelled or is out of date, and says
   * nothing about the head.
   */
  state: "pending" | "green" | "red" | "held" | "dropped";
  /** As GitHub calls it, in lower case: `failure`, `timed_out`, `error`, … */
  conclusion: string;
  /** Whether it is a job of a workflow. */
  isJob: boolean;
  text: string;
  /** Messages about lines of files: the newest that GitHub gives, at most 50. */
  annotations: {
    path: string;
    message: string;
    line: number | null;
  }[];
}

/** The runs of workflows on a head that have not finished: those that wait for an approval, and all others. */
export interface UnfinishedRuns {
  held: number;
  pending: number;
}

/** Conclusions and states that do not prevent a merge. */
const GREEN = ["success", "neutral", "skipped"];
const DROPPED = ["cancelled", "stale"];
/** A conclusion and a status that somebody has to end. */
const HELD = ["action_required", "waiting"];
/** States of a commit status without a result. */
const UNDECIDED = ["pending", "expected"];

/**
 * The results that count: of one app's (for Actions: one workflow's) checks of one name, only the newest. GitHub keeps
 * those that newer ones replaced.
 */
export function checksOf(answers: readonly z.infer<typeof docsPullAnswers.check>[]): Check[] {
  const byAge = answers.toSorted(compareAge);
  return [...new Map(byAge.map((answer) => [sourceOf(answer), answer])).values()].map(checkOf);
}

/** The older one first. What has not begun is the newest; GitHub's IDs grow. */
function compareAge(
  check: z.infer<typeof docsPullAnswers.check>,
  other: z.infer<typeof docsPullAnswers.check>,
): number {
  return (
    compareTimes(check.startedAt, other.startedAt) ||
    (check.databaseId ?? 0) - (other.databaseId ?? 0)
  );
}

/** The earlier time first, and what has none last. */
function compareTimes(first: string | null, second: string | null): number {
  const [earlier, later] = [timeOf(first), timeOf(second)];
  return earlier === later ? 0 : earlier - later;
}

/** In milliseconds since 1970. */
function timeOf(text: string | null): number {
  return text === null ? Number.POSITIVE_INFINITY : Date.parse(text);
}

/** What a newer check replaces: those with the same source. */
function sourceOf({
  id,
  name,
  state,
  checkSuite: suite,
}: z.infer<typeof docsPullAnswers.check>): string {
  if (state !== "") return JSON.stringify(["status", name]);
  return JSON.stringify([name, suite === null || suite === undefined ? id : reporterOf(suite)]);
}

/** The app that reports a suite, or the workflow. Without permission to read the workflow, each suite is its own. */
function reporterOf({ id, app, workflowRun: run }: z.infer<typeof docsPullAnswers.suite>): string {
  const isOfActions = app?.slug === ACTIONS;
  if (!isOfActions) return app?.slug ?? id;
  return run === null || run === undefined ? id : `${ACTIONS} ${run.workflow.id}`;
}

function checkOf(answer: z.infer<typeof docsPullAnswers.check>): Check {
  const { conclusion, isPending } = resultOf(answer);
  return {
    id: idOf(answer),
    name: answer.name,
    state: isPending ? "pending" : endOf(conclusion),
    conclusion,
    isJob: answer.checkSuite?.app?.slug === ACTIONS,
    text: [answer.title, answer.summary, answer.description].filter(Boolean).join("\n\n"),
    annotations: (answer.annotations?.nodes ?? []).map(annotationOf),
  };
}

function endOf(conclusion: string): Check["state"] {
  if (GREEN.includes(conclusion)) return "green";
  if (DROPPED.includes(conclusion)) return "dropped";
  return HELD.includes(conclusion) ? "held" : "red";
}

/** The state of a commit status, or the conclusion of a check run; its status until then. */
function resultOf(answer: z.infer<typeof docsPullAnswers.check>): {
  conclusion: string;
  isPending: boolean;
} {
  const state = answer.state.toLowerCase();
  if (state !== "") return { conclusion: state, isPending: UNDECIDED.includes(state) };
  const status = answer.status.toLowerCase();
  if (status === "completed") {
    return { conclusion: answer.conclusion.toLowerCase(), isPending: false };
  }
  return { conclusion: status, isPending: !HELD.includes(status) };
}

function annotationOf({
  path,
  message,
  location,
}: z.infer<typeof docsPullAnswers.annotation>): Check["annotations"][number] {
  return {
    path,
    message,
    line: location?.start.line ?? null,
  };
}

/** GitHub does not show the head's runs yet. */
const NOT_SHOWN: UnfinishedRuns = { held: 0, pending: 1 };

/** The workflows' runs on a head that have not finished; null if they were not all read. */
export function unfinishedRuns(
  commit: z.infer<typeof docsPullAnswers.headCommit> | undefined,
  head: string,
): UnfinishedRuns | null {
  if (commit?.oid !== head) return NOT_SHOWN;
  const suites = commit.checkSuites;
  if (suites === null || suites === undefined) return null;
  const readable = suites.nodes.filter((suite) => suite !== null);
  if (suites.totalCount > readable.length) return null;
  const own = readable.filter(({ app }) => app?.slug === ACTIONS);
  const newest = own.toSorted((suite, other) => compareTimes(suite.createdAt, other.createdAt));
  const runs = [...new Map(newest.map((suite) => [runOf(suite), suite])).values()];
  const isHeld = ({ status, conclusion }: z.infer<typeof docsPullAnswers.suite>) =>
    HELD.includes(status.toLowerCase()) || HELD.includes(conclusion.toLowerCase());
  const held = runs.filter(isHeld);
  const pending = runs.filter((run) => run.status !== "COMPLETED" && !isHeld(run));
  return { held: held.length, pending: pending.length };
}

/** A newer run of the same workflow and event replaces an older one. */
function runOf({ id, workflowRun: run }: z.infer<typeof docsPullAnswers.suite>): string {
  return run === null || run === undefined ? id : `${run.workflow.id} ${run.event}`;
}
