import { describe, expect, test } from "vitest";
import { holdRun, startSuite } from "../../../emulator/github/checks.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

interface Suite {
  status: string;
  conclusion: string | null;
  workflowRun: { event: string } | null;
  checkRuns: { totalCount: number };
}

interface Head {
  mergeStateStatus: string;
  statusCheckRollup: {
    state: string;
    contexts: { totalCount: number; nodes: { name: string; conclusion: string | null }[] };
  } | null;
  commits: { nodes: { commit: { checkSuites: { nodes: Suite[] } } }[] };
}

const CONTEXTS =
  "contexts(first: 100) { totalCount nodes { ... on CheckRun { name conclusion } } }";
const SUITES =
  "checkSuites(first: 50) { nodes { status conclusion workflowRun { event } checkRuns(first: 9) { totalCount } } }";

const CONCLUSIONS = [
  "neutral",
  "skipped",
  "cancelled",
  "timed_out",
  "stale",
  "action_required",
  "startup_failure",
];

/** One pull request, and what GraphQL says of its head. */
function scene(rule: { checks?: string[] } = {}) {
  const world = gitHub();
  const { repository, get, ask } = world;
  repository.mergeRule = rule;
  const { number, head } = repository.openPull();
  const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) {
    mergeStateStatus statusCheckRollup { state ${CONTEXTS} }
    commits(last: 1) { nodes { commit { ${SUITES} } } } } } }`;
  const read = (as = WORKFLOW): Head => {
    type Answer = { data: { repository: { pullRequest: Head } } };
    return get<Answer>("POST /graphql", { body: { query }, as }).data.repository.pullRequest;
  };
  const suites = () => read().commits.nodes[0]?.commit.checkSuites.nodes;
  const results = () =>
    read().statusCheckRollup?.contexts.nodes.map(({ name, conclusion }) => `${name} ${conclusion}`);
  return { ...world, ask, number, head, read, suites, results };
}

describe("checks", () => {
  test("of two events are two, and a green one does not clear a red one of the same name", () => {
    const { repository, head, read, results } = scene({ checks: ["gate"] });
    const report = (event: string, conclusion: string) =>
      repository.report({ name: "gate", head_sha: head, app: WORKFLOW, event, conclusion });
    report("pull_request", "failure");
    report("pull_request_review", "success");
    expect(results()).toEqual(["gate FAILURE", "gate SUCCESS"]);
    expect(read()).toMatchObject({ mergeStateStatus: "BLOCKED" });
    report("pull_request", "success");
    expect(results()).toEqual(["gate SUCCESS", "gate SUCCESS"]);
    expect(read()).toMatchObject({ mergeStateStatus: "CLEAN" });
  });

  test("of a run that was superseded stay in the rollup", () => {
    const { repository, head, results } = scene();
    for (const conclusion of ["cancelled", "success"]) {
      const suite = startSuite(repository, { sha: head, app: WORKFLOW, event: "pull_request" }).id;
      repository.report({ name: "lint", head_sha: head, app: WORKFLOW, suite, conclusion });
    }
    expect(results()).toEqual(["lint CANCELLED", "lint SUCCESS"]);
  });

  test("of a re-run replace those of its own suite only", () => {
    const { repository, head, results } = scene();
    const report = (app: string, conclusion: string) =>
      repository.report({ name: "lint", head_sha: head, app, conclusion });
    report("ci[bot]", "failure");
    report("other[bot]", "failure");
    report("ci[bot]", "success");
    expect(results()).toEqual(["lint SUCCESS", "lint FAILURE"]);
  });

  test("and a status of one name are both required", () => {
    const { repository, head, get, read } = scene({ checks: ["gate"] });
    repository.report({ name: "gate", head_sha: head, conclusion: "success" });
    get(`POST /statuses/${head}`, { body: { state: "failure", context: "gate" } });
    expect(read()).toMatchObject({ mergeStateStatus: "BLOCKED" });
  });

  test("a status has a description of at most 140 characters, and GraphQL shows the newest of a name", () => {
    const { repository, head, get, ask } = scene();
    const set = (state: string, description: string) =>
      ask(`POST /statuses/${head}`, { body: { state, context: "gate", description } });
    expect(set("failure", "x".repeat(141)).status).toBe(422);
    for (const state of ["failure", "success"]) set(state, "x".repeat(140));
    const named = 'status { context(name: "gate") { state } none: context(name: "x") { state } }';
    const query = `{ repository(owner: "acme", name: "docs") { pullRequests(states: [OPEN], first: 9) {
      nodes { number commits(last: 1) { nodes { commit { ${named} } } } } } } }`;
    const [pull] = repository.pulls;
    const commit = { status: { context: { state: "SUCCESS" }, none: null } };
    const nodes = [{ number: pull?.number, commits: { nodes: [{ commit }] } }];
    expect(get("POST /graphql", { body: { query } })).toEqual({
      data: { repository: { pullRequests: { nodes } } },
    });
  });

  test.each(CONCLUSIONS)("end with whatever is reported: %s", (conclusion) => {
    const { repository, head, results, read } = scene();
    repository.report({ name: "x", head_sha: head, conclusion });
    expect(results()).toEqual([`x ${conclusion.toUpperCase()}`]);
    const isWell = ["neutral", "skipped"].includes(conclusion);
    expect(read().mergeStateStatus).toBe(isWell ? "CLEAN" : "UNSTABLE");
  });

  test("appear late if the scenario says so", () => {
    const { github, repository, head, read, pass } = scene();
    github.site.switches.checksLate = 5_000;
    repository.report({ name: "lint", head_sha: head, conclusion: "failure" });
    expect(read().statusCheckRollup).toBeNull();
    pass(5_000);
    expect(read().statusCheckRollup).toMatchObject({ state: "FAILURE" });
  });

  test("of workflows do not name their workflow to a token without actions: read", () => {
    const { github, repository, head, get, number } = scene();
    repository.report({ name: "lint", head_sha: head, app: WORKFLOW, event: "push" });
    const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) {
      statusCheckRollup { contexts(first: 1) { nodes { ... on CheckRun { name checkSuite {
        app { slug } workflowRun { event workflow { name } } } } } } } } } }`;
    const read = () => get("POST /graphql", { body: { query }, as: WORKFLOW });
    const workflowRun = { event: "push", workflow: { name: "CI" } };
    expect(JSON.stringify(read())).toContain(JSON.stringify({ workflowRun }).slice(1, -1));
    github.restrict(WORKFLOW, { actions: "none" });
    expect(JSON.stringify(read())).toContain('"workflowRun":null');
    expect(read()).toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
  });

  test("that a token may not read are null in the rollup, beside an error", () => {
    const { github, repository, head, get, number } = scene();
    repository.report({ name: "lint", head_sha: head, conclusion: "success" });
    github.restrict(WORKFLOW, { checks: "none" });
    const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) {
      statusCheckRollup { ${CONTEXTS} } } } }`;
    const answer = get("POST /graphql", { body: { query }, as: WORKFLOW });
    expect(answer).toMatchObject({
      data: { repository: { pullRequest: { statusCheckRollup: { contexts: { nodes: [null] } } } } },
      errors: [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }],
    });
  });
});

test("the log of a job is on another host", () => {
  const { repository, head, ask } = scene();
  const { id } = repository.report({ name: "lint", head_sha: head, app: WORKFLOW, event: "push" });
  expect(ask(`GET /actions/jobs/${id}/logs`).status).toBe(404);
  repository.jobLogs.set(id, "It failed.");
  const { status, headers } = ask(`GET /actions/jobs/${id}/logs`);
  expect({ status, location: headers.location }).toEqual({
    status: 302,
    location: `https://logs.github.com/_logs/${id}`,
  });
});

test("a run that is held for approval has a suite and no check, so the rollup may be green without it", () => {
  const { repository, head, read, suites } = scene();
  holdRun(repository, { sha: head, app: WORKFLOW, event: "pull_request" });
  expect(read().statusCheckRollup).toBeNull();
  repository.report({ name: "preview", head_sha: head, conclusion: "success" });
  expect(read().statusCheckRollup).toMatchObject({ state: "SUCCESS", contexts: { totalCount: 1 } });
  expect(suites()).toEqual([
    {
      status: "COMPLETED",
      conclusion: "ACTION_REQUIRED",
      workflowRun: { event: "pull_request" },
      checkRuns: { totalCount: 0 },
    },
    { status: "COMPLETED", conclusion: "SUCCESS", workflowRun: null, checkRuns: { totalCount: 1 } },
  ]);
});

test("suites are listed in REST, too, with those that have no check", () => {
  const { repository, head, get } = scene();
  holdRun(repository, { sha: head, app: WORKFLOW, event: "pull_request" });
  repository.report({ name: "lint", head_sha: head });
  expect(get(`GET /commits/${head}/check-suites`)).toMatchObject({
    total_count: 2,
    check_suites: [
      { status: "completed", conclusion: "action_required", latest_check_runs_count: 0 },
      { status: "in_progress", conclusion: null, latest_check_runs_count: 1 },
    ],
  });
});

test("a head without any run, for example with [skip ci] in its message, has no suites and no rollup", () => {
  const { read, suites } = scene();
  expect([read().statusCheckRollup, suites()]).toEqual([null, []]);
});
