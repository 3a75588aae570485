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
  if (!mayRead(call, "checks")) throw notAccessible();
  return suitesOf(repository, sha).map((suite) => {
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

/** The checks and statuses of a commit; null if it has none. If the token may not read one kind, it is an error. */
export function rollup(call: Call, repository: Repository, sha: string) {
  const [mayRuns, mayStatuses] = [mayRead(call, "checks"), mayRead(call, "statuses")];
  if (!mayRuns && !mayStatuses) throw notAccessible();
  const all = [
    ...runsOf(repository, sha).map((run) =>
      mayRuns ? runFields(call, repository, run) : notAccessible(),
    ),
    ...latestStatuses(repository, sha).map((status) =>
      mayStatuses ? statusFields(status) : notAccessible(),
    ),
  ];
  if (all.length === 0) return null;
  return { state: rollupState(repository, sha), contexts: listed(() => all) };
}

function runFields(call: Call, { checkSuites }: Repository, run: CheckRun) {
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
      return status === undefined ? null : statusFields(status);
    },
  };
}

function statusFields({ id, context, state, ...status }: Status) {
  return {
    __typename: "StatusContext",
    id: `SC_${id}`,
    context,
    state: state.toUpperCase(),
    description: status.description,
    targetUrl: status.target_url,
    createdAt: status.created_at,
  };
}
