/** https://docs.github.com/rest/checks/runs and /commits/statuses: the results of checks. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, invalid, linked, missing, type Routes } from "../call.ts";
import { latestStatuses, runsOf, suiteState, suitesOf } from "../checks.ts";
import { pageOf } from "../limits.ts";
import { appRecord, repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isBot, iso } from "../site.ts";
import type { CheckRun, CheckSuite, Status } from "../state.ts";
import { knownCommit } from "./commits.ts";

export const checkRoutes: Routes = {
  "POST /check-runs": (call) => {
    if (!isBot(call.actor)) throw new HttpError(403, "You must authenticate via a GitHub App.");
    const name = call.text("name");
    if (name === undefined) throw missing("CheckRun", "name");
    const head_sha = knownCommit(call.repository, call.text("head_sha") ?? "").sha;
    const { annotations = [], ...output } = (call.fields.output ?? {}) as NewOutput;
    const [status = "queued", conclusion = null] = [call.text("status"), call.text("conclusion")];
    const run = call.repository.report({
      name,
      head_sha,
      app: call.actor,
      status,
      conclusion,
      output,
      annotations,
    });
    return created(runRecord(call, run));
  },

  "GET /check-runs/{check_run_id}/annotations": (call) =>
    call.page(call.byId(call.repository.checkRuns, "check_run_id").annotations, (annotation) => ({
      start_column: null,
      end_column: null,
      title: null,
      raw_details: null,
      ...annotation,
      blob_href: `${call.repository.api}/contents/${annotation.path}`,
    })),

  "GET /commits/{ref}/check-runs": (call) => {
    const { repository } = call;
    const runs = runsOf(repository, askedSha(call)).reverse();
    const { items, link } = pageOf(runs, call.context.url);
    const check_runs = items.map((run) => runRecord(call, run));
    return linked({ total_count: runs.length, check_runs }, link);
  },

  "GET /commits/{ref}/check-suites": (call) => {
    const { repository } = call;
    const suites = suitesOf(repository, askedSha(call));
    const { items, link } = pageOf(suites, call.context.url);
    const check_suites = items.map((suite) => suiteRecord(repository, suite));
    return linked({ total_count: suites.length, check_suites }, link);
  },

  "GET /commits/{ref}/status": (call) => {
    const { repository } = call;
    const sha = askedSha(call);
    const latest = latestStatuses(repository, sha);
    const { items, link } = pageOf(latest, call.context.url);
    const states = latest.map(({ state }) => state);
    const isRed = states.some((state) => state === "failure" || state === "error");
    const isGreen = states.length > 0 && states.every((state) => state === "success");
    const state = isRed ? "failure" : isGreen ? "success" : "pending";
    const statuses = items.map((status) => {
      const { creator: _, ...record } = statusRecord(call, status);
      return record;
    });
    const url = `${repository.api}/commits/${sha}`;
    const combined = { state, statuses, sha, total_count: latest.length };
    const record = { ...combined, repository: repositoryRecord(repository) };
    return linked({ ...record, commit_url: url, url: `${url}/status` }, link);
  },

  "GET /commits/{ref}/statuses": (call) => {
    const sha = askedSha(call);
    const all = call.repository.statuses.filter((status) => status.sha === sha);
    return call.page(all.reverse(), (status) => statusRecord(call, status));
  },

  "POST /statuses/{sha}": (call) => {
    const status = newStatus(call);
    call.repository.add("statuses", status);
    return created(statusRecord(call, status));
  },
};

type NewOutput = Partial<CheckRun["output"] & Pick<CheckRun, "annotations">>;

/** Of a status. */
const STATES = ["error", "failure", "pending", "success"];
/** Of a status, in characters. */
const LONGEST_DESCRIPTION = 140;

function newStatus(call: Call): Status {
  const state = call.text("state") ?? "";
  if (!STATES.includes(state)) throw invalid("Status", "state");
  const { sha } = knownCommit(call.repository, call.param("sha"));
  const description = call.text("description") ?? null;
  if ((description ?? "").length > LONGEST_DESCRIPTION) {
    throw invalid(
      "Status",
      "description",
      "custom",
      "description is too long (maximum is 140 characters)",
    );
  }
  return {
    id: call.site.nextId(),
    sha,
    creator: call.actor,
    state,
    context: call.text("context") ?? "default",
    created_at: iso(call.site.second),
    description,
    target_url: call.text("target_url") ?? null,
  };
}

function runRecord({ repository, site }: Call, recorded: CheckRun) {
  const { app, annotations, output, suite, shownAt: _, job: _job, ...run } = recorded;
  const url = `${repository.api}/check-runs/${run.id}`;
  const html_url = `${repository.page}/runs/${run.id}`;
  const annotations_url = `${url}/annotations`;
  return {
    ...run,
    node_id: `CR_${run.id}`,
    url,
    html_url,
    app: appRecord(site, app),
    output: { ...output, annotations_count: annotations.length, annotations_url },
    check_suite: { id: suite },
    pull_requests: [],
  };
}

function suiteRecord(repository: Repository, suite: CheckSuite) {
  const { site, api } = repository;
  const { id, sha, app, created_at } = suite;
  const url = `${api}/check-suites/${id}`;
  const commit = repository.find(sha);
  const runs = runsOf(repository, sha).filter((run) => run.suite === id);
  return {
    id,
    node_id: `CS_${id}`,
    ...suiteState(repository, suite),
    head_branch: null,
    head_sha: sha,
    before: null,
    after: null,
    url,
    check_runs_url: `${url}/check-runs`,
    latest_check_runs_count: runs.length,
    pull_requests: [],
    app: appRecord(site, app),
    repository: repositoryRecord(repository),
    created_at,
    updated_at: created_at,
    head_commit: commit && {
      id: sha,
      tree_id: commit.tree,
      message: commit.message,
      timestamp: iso(commit.at),
      author: { name: commit.author.name, email: commit.author.email },
      committer: { name: commit.committer.name, email: commit.committer.email },
    },
  };
}

function askedSha(call: Call): string {
  return knownCommit(call.repository, call.param("ref")).sha;
}

function statusRecord({ repository, site }: Call, { sha, creator, ...status }: Status) {
  const user = userRecord(site, creator);
  return {
    ...status,
    node_id: `SC_${status.id}`,
    url: `${repository.api}/statuses/${sha}`,
    creator: user,
    avatar_url: user.avatar_url,
    updated_at: status.created_at,
  };
}
