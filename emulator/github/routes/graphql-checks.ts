/** Check suites, check runs and statuses in GraphQL. */

import type { Call } from "../call.ts";
import { latestStatuses, rollupState, runsOf, suiteState, suitesOf } from "../checks.ts";
import type { Repository } from "../repository.ts";
import type { Scope } from "../site.ts";
import type { CheckRun, CheckSuite, Status } from "../state.ts";
import { listed, notAccessible } from "./graphql-parts.ts";

function mayRead(call: Call, scope: Scope): boolean {
  return call.site.permissions.get(call.actor)?.[scope] !== "none";
}

/** The suites of a commit, with those of workflows' runs that are held or have no job yet. */
export function suites(call: Call, repository: Repository, sha: string) {
  return suitesOf(repository, sha).map((suite) => {
    if (!mayRead(call, "checks")) return hidden(call);
    const { status, conclusion } = suiteState(repository, suite);
    const runs = runsOf(repository, sha).filter((run) => run.suite === suite.id);
    return {
      ...suiteFields(call, suite),
      status: status.toUpperCase(),
      conclusion: conclusion?.toUpperCase() ?? null,
      checkRuns: listed(
        () => runs,
        (run) => runFields(call, repository, run),
      ),
    };
  });
}

/** What a suite belongs to. Its workflow's run needs a permission of its own. */
function suiteFields(call: Call, { id, app, event, workflow, created_at }: CheckSuite) {
  const slug = app.replace("[bot]", "");
  return {
    id: `CS_${id}`,
    databaseId: id,
    app: { slug, name: slug },
    createdAt: created_at,
    workflowRun: () => {
      if (event === null) return null;
      if (!mayRead(call, "actions")) throw notAccessible();
      return { event, workflow: { id: `W_${workflow}`, name: workflow } };
    },
  };
}

/** What the token may not read is null in its list, with or without an error. */
function hidden({ site }: Call): Error | null {
  return site.switches.hidesInSilence ? null : notAccessible();
}

/** The checks and statuses of a commit; null if it has none. If the token may not read one kind, it is an error. */
export function rollup(call: Call, repository: Repository, sha: string) {
  const [mayRuns, mayStatuses] = [mayRead(call, "checks"), mayRead(call, "statuses")];
  if (!mayRuns && !mayStatuses && !call.site.switches.hidesInSilence) throw notAccessible();
  const all = [
    ...runsOf(repository, sha).map((run) =>
      mayRuns ? runFields(call, repository, run) : hidden(call),
    ),
    ...latestStatuses(repository, sha).map((status) =>
      mayStatuses ? statusFields(repository, status) : hidden(call),
    ),
  ];
  if (all.length === 0) return null;
  return { state: rollupState(repository, sha), contexts: listed(() => all) };
}

function runFields(call: Call, repository: Repository, run: CheckRun) {
  const { checkSuites, mergeRule } = repository;
  const { id, name, status, conclusion, output, annotations } = run;
  const suite = checkSuites.find((candidate) => candidate.id === run.suite);
  return {
    __typename: "CheckRun",
    id: `CR_${id}`,
    databaseId: id,
    name,
    status: status.toUpperCase(),
    conclusion: conclusion?.toUpperCase() ?? null,
    startedAt: run.started_at,
    isRequired: isRequired(mergeRule, name),
    checkSuite: suite && suiteFields(call, suite),
    title: output.title,
    summary: output.summary,
    annotations: listed(
      () => annotations,
      ({ path, message = "", start_line = 1, end_line = start_line }) => ({
        path,
        message,
        location: { start: { line: start_line }, end: { line: end_line } },
      }),
    ),
  };
}

/** The statuses of a commit; null if it has none. */
export function statusOf(call: Call, repository: Repository, sha: string) {
  if (!mayRead(call, "statuses")) throw notAccessible();
  const all = latestStatuses(repository, sha);
  if (all.length === 0) return null;
  return {
    context: ({ name }: { name: string }) => {
      const status = all.find(({ context }) => context === name);
      return status === undefined ? null : statusFields(repository, status);
    },
  };
}

/** Whether the rules of the default branch, which has all rules here, want a check. */
function isRequired({ checks = [] }: Repository["mergeRule"], name: string): boolean {
  return checks.includes(name);
}

function statusFields({ mergeRule }: Repository, { id, context, state, ...status }: Status) {
  return {
    __typename: "StatusContext",
    id: `SC_${id}`,
    context,
    state: state.toUpperCase(),
    isRequired: isRequired(mergeRule, context),
    description: status.description,
    targetUrl: status.target_url,
    createdAt: status.created_at,
  };
}
