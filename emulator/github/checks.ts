/** Check suites, check runs and statuses of commits, and which of them count. */

import { iso } from "./site.ts";
import type { CheckRun, CheckSuite, Status } from "./state.ts";
import type { RepositoryStore } from "./store.ts";

/** What a suite belongs to. An app has one for each commit; a workflow one for each event. */
export interface SuiteKey {
  sha: string;
  /** Login. */
  app: string;
  /** Null if the app itself reports. */
  event: string | null;
  /** Name of the workflow. */
  workflow?: string | undefined;
}

/** The workflow of runs whose workflow is not named. */
const SOME_WORKFLOW = "CI";

function workflowOf({ event, workflow }: SuiteKey): string {
  return event === null ? "" : (workflow ?? SOME_WORKFLOW);
}

/** Starts a suite, as each run of a workflow does. */
export function startSuite(store: RepositoryStore, key: SuiteKey): CheckSuite {
  const suite: CheckSuite = {
    id: store.site.nextId(),
    ...key,
    workflow: workflowOf(key),
    isHeld: false,
    created_at: iso(store.site.second),
  };
  store.add("checkSuites", suite);
  return suite;
}

/** A workflow's run that waits for somebody's approval: a suite without check runs. */
export function holdRun(store: RepositoryStore, key: SuiteKey): CheckSuite {
  const suite = startSuite(store, key);
  suite.isHeld = true;
  return suite;
}

/** The suite that a report without one belongs to; started if there is none. */
export function suiteFor(store: RepositoryStore, key: SuiteKey): CheckSuite {
  const same = store.checkSuites.findLast(
    ({ sha, app, event, workflow, isHeld }) =>
      sha === key.sha &&
      app === key.app &&
      event === key.event &&
      workflow === workflowOf(key) &&
      !isHeld,
  );
  return same ?? startSuite(store, key);
}

export function suitesOf(store: RepositoryStore, sha: string): CheckSuite[] {
  return store.checkSuites.filter((suite) => suite.sha === sha);
}

/** The check runs that can be seen: of each suite the newest of each job. Suites do not replace each other's. */
export function runsOf(store: RepositoryStore, sha: string): CheckRun[] {
  const own = store.checkRuns.filter((run) => run.head_sha === sha && run.shownAt <= store.readAt);
  return [...new Map(own.map((run) => [`${run.suite} ${run.job}`, run])).values()];
}

/** Status and conclusion of a suite, by its runs. */
export function suiteState(store: RepositoryStore, { id, sha, isHeld }: CheckSuite) {
  if (isHeld) return { status: "completed", conclusion: "action_required" };
  const results = runsOf(store, sha)
    .filter(({ suite }) => suite === id)
    .map(({ conclusion }) => conclusion);
  if (results.length === 0) return { status: "queued", conclusion: null };
  if (results.includes(null)) return { status: "in_progress", conclusion: null };
  const conclusion = results.find((result) => !isGreen(result)) ?? "success";
  return { status: "completed", conclusion };
}

/** The statuses that count: the newest one of each context. */
export function latestStatuses(store: RepositoryStore, sha: string): Status[] {
  const own = store.statuses.filter((status) => status.sha === sha);
  return [...new Map(own.map((status) => [status.context, status])).values()];
}

function isGreen(conclusion: string | null): boolean {
  return ["success", "neutral", "skipped"].includes(conclusion ?? "");
}

/** Whether all check runs and statuses of a commit are green, by their names. */
export function resultsOf(store: RepositoryStore, sha: string): Map<string, boolean> {
  const all = [
    ...latestStatuses(store, sha).map(
      ({ context, state }) => [context, state === "success"] as const,
    ),
    ...runsOf(store, sha).map(({ name, conclusion }) => [name, isGreen(conclusion)] as const),
  ];
  const results = new Map<string, boolean>();
  for (const [name, isWell] of all) results.set(name, isWell && (results.get(name) ?? true));
  return results;
}

/** The state of all checks and statuses together, as GraphQL names it. */
export function rollupState(store: RepositoryStore, sha: string): string {
  const isPending =
    runsOf(store, sha).some(({ conclusion }) => conclusion === null) ||
    latestStatuses(store, sha).some(({ state }) => state === "pending");
  if (isPending) return "PENDING";
  return [...resultsOf(store, sha).values()].every(Boolean) ? "SUCCESS" : "FAILURE";
}
