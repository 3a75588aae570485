/** https://docs.github.com/rest/checks/runs and /commits/statuses: what says whether a commit is good. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, invalid, linked, missing, type Routes } from "../call.ts";
import { pageOf } from "../limits.ts";
import { appRecord, repositoryRecord, userRecord } from "../records.ts";
import { isBot, iso } from "../site.ts";
import type { CheckRun, Status } from "../state.ts";
import type { RepositoryStore } from "../store.ts";
import { knownCommit } from "./commits.ts";

const RUN = "/check-runs/{check_run_id}";

export const checkRoutes: Routes = {
  "POST /check-runs": (call) => {
    if (!isBot(call.actor)) throw new HttpError(403, "You must authenticate via a GitHub App.");
    const name = call.text("name");
    if (name === undefined) throw missing("CheckRun", "name");
    const head_sha = knownCommit(call.repository, call.text("head_sha") ?? "").sha;
    const run: CheckRun = {
      ...{ id: call.site.nextId(), name, head_sha, app: call.actor, status: "queued" },
      ...{ conclusion: null, started_at: iso(call.site.second), completed_at: null },
      ...{ details_url: null, external_id: "", annotations: [] },
      output: { title: null, summary: null, text: null },
    };
    call.repository.checkRuns.push(update(call, run));
    return created(runRecord(call, run));
  },

  [`GET ${RUN}`]: (call) => runRecord(call, runOf(call)),
  [`PATCH ${RUN}`]: (call) => runRecord(call, update(call, runOf(call))),

  [`GET ${RUN}/annotations`]: (call) =>
    call.page(runOf(call).annotations, (annotation) => ({
      ...{ start_column: null, end_column: null, title: null, raw_details: null, ...annotation },
      blob_href: `${call.repository.api}/contents/${annotation.path}`,
    })),

  "GET /commits/{ref}/check-runs": (call) => {
    const sha = askedSha(call);
    const [name, status] = [call.query("check_name"), call.query("status")];
    const { repository } = call;
    const runs = (call.query("filter") === "all" ? runsOf : latestRuns)(repository, sha)
      .filter((run) => (name ?? run.name) === run.name && (status ?? run.status) === run.status)
      .reverse();
    const { items, link } = pageOf(runs, call.context.url);
    const check_runs = items.map((run) => runRecord(call, run));
    return linked({ total_count: runs.length, check_runs }, link);
  },

  "POST /statuses/{sha}": (call) => {
    const state = call.text("state") ?? "";
    if (!["error", "failure", "pending", "success"].includes(state)) {
      throw invalid("Status", "state");
    }
    const { sha } = knownCommit(call.repository, call.param("sha"));
    const status: Status = {
      ...{ id: call.site.nextId(), sha, creator: call.actor, state },
      ...{ context: call.text("context") ?? "default", created_at: iso(call.site.second) },
      description: call.text("description") ?? null,
      target_url: call.text("target_url") ?? null,
    };
    call.repository.statuses.push(status);
    return created(statusRecord(call, status));
  },

  "GET /commits/{ref}/statuses": (call) =>
    call.page(statusesOf(call.repository, askedSha(call)).reverse(), (status) =>
      statusRecord(call, status),
    ),

  "GET /commits/{ref}/status": (call) => {
    const sha = askedSha(call);
    const statuses = latestStatuses(call.repository, sha).map((status) => {
      const { creator: _, ...record } = statusRecord(call, status);
      return record;
    });
    const states = new Set(statuses.map(({ state }) => state));
    const isBad = states.has("failure") || states.has("error");
    const isGood = states.size === 1 && states.has("success");
    const url = `${call.repository.api}/commits/${sha}`;
    return {
      ...{ state: isBad ? "failure" : isGood ? "success" : "pending", statuses, sha },
      ...{ total_count: statuses.length, repository: repositoryRecord(call.repository) },
      ...{ commit_url: url, url: `${url}/status` },
    };
  },
};

function runOf(call: Call): CheckRun {
  return call.byId(call.repository.checkRuns, "check_run_id");
}

/** Takes over what a request says of a run. A conclusion completes it. @throws HttpError 422 */
function update(call: Call, run: CheckRun): CheckRun {
  const given = (call.given.output ?? {}) as Partial<
    CheckRun["output"] & Pick<CheckRun, "annotations">
  >;
  const { annotations = [], ...output } = given;
  const conclusion = call.text("conclusion");
  const status = conclusion === undefined ? (call.text("status") ?? run.status) : "completed";
  if (status === "completed" && conclusion === undefined) throw missing("CheckRun", "conclusion");
  return Object.assign(run, {
    ...{ status, output: { ...run.output, ...output } },
    ...(conclusion && { conclusion, completed_at: iso(call.site.second) }),
    details_url: call.text("details_url") ?? run.details_url,
    external_id: call.text("external_id") ?? run.external_id,
    annotations: [...run.annotations, ...annotations],
  });
}

function runRecord({ repository, site }: Call, { app, annotations, output, ...run }: CheckRun) {
  const url = `${repository.api}/check-runs/${run.id}`;
  const html_url = `${repository.page}/runs/${run.id}`;
  const annotations_url = `${url}/annotations`;
  return {
    ...{ ...run, node_id: `CR_${run.id}`, url, html_url, app: appRecord(site, app) },
    output: { ...output, annotations_count: annotations.length, annotations_url },
    check_suite: { id: site.idOf(`suite ${run.head_sha} ${app}`) },
    pull_requests: [],
  };
}

/** @throws HttpError 422 */
function askedSha(call: Call): string {
  return knownCommit(call.repository, call.param("ref")).sha;
}

function runsOf({ checkRuns }: RepositoryStore, sha: string): CheckRun[] {
  return checkRuns.filter((run) => run.head_sha === sha);
}

/** Those that count: each app's newest run of each name. */
export function latestRuns(store: RepositoryStore, sha: string): CheckRun[] {
  return [...new Map(runsOf(store, sha).map((run) => [`${run.app} ${run.name}`, run])).values()];
}

function statusesOf({ statuses }: RepositoryStore, sha: string): Status[] {
  return statuses.filter((status) => status.sha === sha);
}

/** Those that count: the newest of each context. */
export function latestStatuses(store: RepositoryStore, sha: string): Status[] {
  return [...new Map(statusesOf(store, sha).map((one) => [one.context, one])).values()];
}

function statusRecord({ repository, site }: Call, { sha, creator, ...status }: Status) {
  const user = userRecord(site, creator);
  return {
    ...{ ...status, node_id: `SC_${status.id}`, url: `${repository.api}/statuses/${sha}` },
    ...{ creator: user, avatar_url: user.avatar_url, updated_at: status.created_at },
  };
}
