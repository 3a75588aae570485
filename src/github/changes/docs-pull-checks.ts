/** The checks of a docs pull request's head: which of GitHub's results count, and what they mean. */

import type * as z from "zod/mini";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import { idOf } from "./docs-pull-words.ts";

/** The slug of the app that reports the jobs of workflows. */
export const WORKFLOWS_APP = "github-actions";

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
  /** Whether the rules of the base want it to succeed. */
  isRequired: boolean;
  text: string;
  /** Messages about lines of files: the newest that GitHub gives, at most 50. */
  annotations: {
    path: string;
    message: string;
    line: number | null;
  }[];
}

/** Conclusions and states that do not prevent a merge. */
const GREEN = ["success", "neutral", "skipped"];
/** Those that fail. Nobody knows what a conclusion says that GitHub does not document: the check counts as not ended. */
export const RED = ["failure", "timed_out", "startup_failure", "error"];
const DROPPED = ["cancelled", "stale"];
/** A conclusion and a status that somebody has to end. */
const HELD = ["action_required", "waiting"];
/** States of a commit status without a result. */
const UNDECIDED = ["pending", "expected"];

type CheckAnswer = z.infer<typeof docsPullAnswers.check>;

/**
 * The results that count: only one of the same check replaces another. Of a check's runs, the newest counts that came
 * to a conclusion, beside a newer one that has not ended or that somebody has to end. One that was skipped or cancelled
 * says nothing, and counts only where nothing else does.
 */
export function checksOf(answers: readonly CheckAnswer[]): Check[] {
  const bySource = Map.groupBy(answers.toSorted(compareAge), sourceOf);
  return [...bySource.values()].flatMap(countingOf).map(checkOf);
}

/** @param answers of one check, oldest first */
function countingOf(answers: readonly CheckAnswer[]): CheckAnswer[] {
  const runs = [...Map.groupBy(answers, runOfCheck).values()].flatMap(strictestOf);
  const last = runs.findLastIndex((run) => CONCLUSIONS.includes(meaningOf(run)));
  const open = runs.slice(last + 1).findLast((run) => OPEN.includes(meaningOf(run)));
  const counting = last === -1 ? [] : runs.slice(last, last + 1);
  if (open !== undefined) counting.push(open);
  return counting.length === 0 ? runs.slice(-1) : counting;
}

/**
 * What a result is of: a run of a workflow, of which two jobs may have one name; GitHub does not list those that were
 * run again. Other apps report all they have to say about a commit in one suite, so that each result is by itself.
 */
function runOfCheck({ id, checkSuite: suite }: CheckAnswer): string {
  return suite?.app?.slug === WORKFLOWS_APP ? suite.id : id;
}

/** The job of a run that says most against a merge, among those with one name; the newest of several. */
function strictestOf(answers: readonly CheckAnswer[]): CheckAnswer[] {
  const by = (answer: CheckAnswer) => STRICTNESS.indexOf(meaningOf(answer));
  return answers.toSorted((answer, other) => by(answer) - by(other)).slice(-1);
}

/** What a result says; `silent`: it did not run. */
type Meaning = Exclude<Check["state"], "green"> | "silent" | "success";

const STRICTNESS: readonly Meaning[] = ["silent", "dropped", "success", "held", "pending", "red"];
const CONCLUSIONS: readonly Meaning[] = ["success", "red"];
/** They have not ended. */
const OPEN: readonly Meaning[] = ["pending", "held"];

function meaningOf(answer: CheckAnswer): Meaning {
  const { conclusion, isPending } = resultOf(answer);
  const state = isPending ? "pending" : endOf(conclusion);
  if (state !== "green") return state;
  return conclusion === "success" ? "success" : "silent";
}

/** The older run of a workflow, and the older result, first. What has not begun is the newest; GitHub's IDs grow. */
function compareAge(check: CheckAnswer, other: CheckAnswer): number {
  return (
    compareTimes(runSince(check), runSince(other)) ||
    compareTimes(check.startedAt, other.startedAt) ||
    (check.databaseId ?? 0) - (other.databaseId ?? 0)
  );
}

/** When the run of a workflow began, which a job that is run again does not change. */
function runSince({ startedAt, checkSuite: suite }: CheckAnswer): string | null {
  return suite?.app?.slug === WORKFLOWS_APP ? suite.createdAt : startedAt;
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

/** The check that a result is of. */
function sourceOf({ id, name, state, checkSuite: suite }: CheckAnswer): string {
  if (state !== "") return JSON.stringify(["status", name]);
  return JSON.stringify([name, suite === null || suite === undefined ? id : reporterOf(suite)]);
}

/**
 * The app that reports a suite, or the workflow and the event of its run: anybody may cause some events. Without
 * permission to read the workflow, each suite is its own.
 */
function reporterOf({ id, app, workflowRun: run }: SuiteAnswer): string {
  const isOfActions = app?.slug === WORKFLOWS_APP;
  if (!isOfActions) return app?.slug ?? id;
  return run === null || run === undefined
    ? id
    : `${WORKFLOWS_APP} ${run.workflow.id} ${run.event}`;
}

function checkOf(answer: CheckAnswer): Check {
  const { conclusion, isPending } = resultOf(answer);
  return {
    id: idOf(answer),
    name: answer.name,
    state: isPending ? "pending" : endOf(conclusion),
    conclusion,
    isJob: answer.checkSuite?.app?.slug === WORKFLOWS_APP,
    isRequired: answer.isRequired,
    text: [answer.title, answer.summary, answer.description].filter(Boolean).join("\n\n"),
    annotations: (answer.annotations?.nodes ?? []).map(annotationOf),
  };
}

function endOf(conclusion: string): Check["state"] {
  if (GREEN.includes(conclusion)) return "green";
  if (RED.includes(conclusion)) return "red";
  if (DROPPED.includes(conclusion)) return "dropped";
  return HELD.includes(conclusion) ? "held" : "pending";
}

/** The state of a commit status, or the conclusion of a check run; its status until then. */
function resultOf(answer: CheckAnswer): {
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
const NOT_SHOWN = { held: 0, pending: 1 };

/**
 * The workflows' runs on a head that have not finished: those that wait for an approval, and all others; null if they
 * were not all read.
 */
export function unfinishedRuns(
  commit: z.infer<typeof docsPullAnswers.headCommit> | undefined,
  head: string,
): { held: number; pending: number } | null {
  if (commit?.oid !== head) return NOT_SHOWN;
  const suites = commit.checkSuites;
  if (suites === null || suites === undefined) return null;
  const readable = suites.nodes.filter((suite) => suite !== null);
  if (suites.totalCount > readable.length) return null;
  const own = readable.filter(({ app }) => app?.slug === WORKFLOWS_APP);
  const byAge = own.toSorted((suite, other) => compareTimes(suite.createdAt, other.createdAt));
  const open = [...Map.groupBy(byAge, runOf).values()].flatMap(openRun);
  const held = open.filter(isHeld).length;
  return { held, pending: open.length - held };
}

/** The newest run that has not ended, or waits for a person. Only one that came to a conclusion replaces it. */
function openRun(suites: readonly SuiteAnswer[]): SuiteAnswer[] {
  const isConclusive = (suite: SuiteAnswer) =>
    isCompleted(suite) && !isHeld(suite) && !SILENT.includes(suite.conclusion.toLowerCase());
  return suites
    .slice(suites.findLastIndex(isConclusive) + 1)
    .filter((suite) => isHeld(suite) || !isCompleted(suite))
    .slice(-1);
}

type SuiteAnswer = z.infer<typeof docsPullAnswers.suite>;

/** The conclusions of runs that say nothing about the head. */
const SILENT = ["skipped", "neutral", "cancelled", "stale"];

function isCompleted({ status }: SuiteAnswer): boolean {
  return status.toLowerCase() === "completed";
}

function isHeld({ status, conclusion }: SuiteAnswer): boolean {
  return HELD.includes(status.toLowerCase()) || HELD.includes(conclusion.toLowerCase());
}

/** The workflow and the event of a run. */
function runOf({ id, workflowRun: run }: SuiteAnswer): string {
  return run === null || run === undefined ? id : `${run.workflow.id} ${run.event}`;
}
