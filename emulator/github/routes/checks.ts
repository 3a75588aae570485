/** https://docs.github.com/rest/checks/runs and /commits/statuses: what says whether a commit is good. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, invalid, type Routes } from "../call.ts";
import { pageOf } from "../limits.ts";
import { apiPath, appRecord, nodeId, repositoryRecord, userRecord } from "../records.ts";
import { isBot, iso, isoOrNull } from "../site.ts";
import type { Annotation, CheckRun, Status } from "../state.ts";
import { knownCommit } from "./commits.ts";

const RUN = "/repos/{owner}/{repo}/check-runs/{check_run_id}";

export const checkRoutes: Routes = {
  "POST /repos/{owner}/{repo}/check-runs": (call) => {
    if (!isBot(call.actor)) throw new HttpError(403, "You must authenticate via a GitHub App.");
    const { name, head_sha = "" } = call.given<GivenRun>();
    if (name === undefined) throw invalid("CheckRun", "name", "missing_field");
    const { sha } = knownCommit(call.repository, head_sha);
    const run: CheckRun = {
      ...{ id: call.site.nextId(), name, sha, author: call.actor, status: "queued" },
      ...{ conclusion: null, startedAt: call.site.second, completedAt: null, detailsUrl: null },
      ...{ externalId: "", output: { title: null, summary: null, text: null }, annotations: [] },
    };
    call.repository.checkRuns.push(update(call, run));
    return created(runRecord(call, run));
  },

  [`GET ${RUN}`]: (call) => runRecord(call, runOf(call)),
  [`PATCH ${RUN}`]: (call) => runRecord(call, update(call, runOf(call))),

  [`GET ${RUN}/annotations`]: (call) =>
    call.page(runOf(call).annotations, (annotation) => ({
      ...{ start_column: null, end_column: null, title: null, raw_details: null, ...annotation },
      blob_href: `${apiPath(call.repository)}/contents/${annotation.path}`,
    })),

  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": (call) => {
    const { sha } = knownCommit(call.repository, call.param("ref"));
    const [name, status] = [call.query("check_name"), call.query("status")];
    const all = call.repository.checkRuns.filter(
      (run) => run.sha === sha && (name ?? run.name) === run.name,
    );
    // Each app's newest run of each name counts, unless all are asked for.
    const latest = new Map(all.map((run) => [`${run.author} ${run.name}`, run]));
    const runs = (call.query("filter") === "all" ? all : [...latest.values()]).filter(
      (run) => (status ?? run.status) === run.status,
    );
    const { items, link } = pageOf(runs.toReversed(), call.url);
    const check_runs = items.map((run) => runRecord(call, run));
    return call.linked({ total_count: runs.length, check_runs }, link);
  },

  "POST /repos/{owner}/{repo}/statuses/{sha}": (call) => {
    const { state, context = "default", description, target_url } = call.given<GivenStatus>();
    if (state === undefined || !STATES.includes(state)) throw invalid("Status", "state");
    const status: Status = {
      ...{ id: call.site.nextId(), sha: knownCommit(call.repository, call.param("sha")).sha },
      ...{ author: call.actor, state, context, description: description ?? null },
      ...{ targetUrl: target_url ?? null, at: call.site.second },
    };
    call.repository.statuses.push(status);
    return created(statusRecord(call, status));
  },

  "GET /repos/{owner}/{repo}/commits/{ref}/statuses": (call) =>
    call.page(statusesOf(call).toReversed(), (status) => statusRecord(call, status)),

  "GET /repos/{owner}/{repo}/commits/{ref}/status": (call) => {
    const { sha } = knownCommit(call.repository, call.param("ref"));
    const latest = new Map(statusesOf(call).map((status) => [status.context, status]));
    const statuses = [...latest.values()].map((status) => {
      const { creator: _, ...record } = statusRecord(call, status);
      return record;
    });
    const states = statuses.map(({ state }) => state);
    const isBad = states.some((state) => state === "failure" || state === "error");
    const isGood = states.length > 0 && states.every((state) => state === "success");
    const url = `${apiPath(call.repository)}/commits/${sha}`;
    return {
      ...{ state: isBad ? "failure" : isGood ? "success" : "pending", statuses, sha },
      ...{ total_count: statuses.length, repository: repositoryRecord(call.repository) },
      ...{ commit_url: url, url: `${url}/status` },
    };
  },
};

const STATES: readonly string[] = ["error", "failure", "pending", "success"];

interface GivenRun {
  name: string;
  head_sha: string;
  status: string;
  conclusion: string;
  details_url: string;
  external_id: string;
  output: Partial<CheckRun["output"]> & { annotations?: Annotation[] };
}

interface GivenStatus {
  state: Status["state"];
  context: string;
  description: string;
  target_url: string;
}

function runOf(call: Call): CheckRun {
  const id = call.number("check_run_id");
  return found(call.repository.checkRuns.find((run) => run.id === id));
}

/** Takes over what a request says of a run. A conclusion completes it. */
function update(call: Call, run: CheckRun): CheckRun {
  const given = call.given<GivenRun>();
  const { conclusion = null, details_url: detailsUrl = run.detailsUrl } = given;
  const { annotations = [], ...output } = given.output ?? {};
  const isComplete = conclusion !== null || given.status === "completed";
  if (isComplete && conclusion === null) throw invalid("CheckRun", "conclusion", "missing_field");
  return Object.assign(run, {
    ...{ detailsUrl, externalId: given.external_id ?? run.externalId },
    status: isComplete ? "completed" : (given.status ?? run.status),
    ...(isComplete ? { conclusion, completedAt: call.site.second } : {}),
    output: { ...run.output, ...output },
    annotations: [...run.annotations, ...annotations],
  });
}

function runRecord({ repository, site }: Call, run: CheckRun) {
  const { id, name, sha, author, status, conclusion, detailsUrl, externalId, output } = run;
  const url = `${apiPath(repository)}/check-runs/${id}`;
  const html_url = `${site.webUrl}/${repository.fullName}/runs/${id}`;
  const annotations = {
    annotations_count: run.annotations.length,
    annotations_url: `${url}/annotations`,
  };
  return {
    ...{ id, node_id: nodeId("CR", id), name, head_sha: sha, external_id: externalId, url },
    ...{ html_url, details_url: detailsUrl ?? html_url, status, conclusion },
    ...{ started_at: iso(run.startedAt), completed_at: isoOrNull(run.completedAt) },
    ...{ output: { ...output, ...annotations }, check_suite: { id: site.idOf(`suite ${sha}`) } },
    ...{ app: appRecord(site, author), pull_requests: [] },
  };
}

function statusesOf(call: Call): Status[] {
  const { sha } = knownCommit(call.repository, call.param("ref"));
  return call.repository.statuses.filter((status) => status.sha === sha);
}

function statusRecord({ repository, site }: Call, status: Status) {
  const { id, sha, author, state, context, description, targetUrl, at } = status;
  const creator = userRecord(site, author);
  return {
    ...{ id, node_id: nodeId("SC", id), url: `${apiPath(repository)}/statuses/${sha}`, state },
    ...{ context, description, target_url: targetUrl, avatar_url: creator.avatar_url, creator },
    ...{ created_at: iso(at), updated_at: iso(at) },
  };
}
