/** https://docs.github.com/rest/actions/workflows and /workflow-runs: workflows, and their runs on a schedule. */

import { type Call, found, linked, type Routes } from "../call.ts";
import { entryAt, filesIn } from "../git/trees.ts";
import { pageOf } from "../limits.ts";
import { repositoryRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { ScheduledRun } from "../state.ts";

const FOLDER = ".github/workflows";

export const workflowRoutes: Routes = {
  "GET /actions/workflows": (call) => {
    const all = workflowsOf(call.repository);
    const { items, link } = pageOf(all, call.context.url);
    return linked({ total_count: all.length, workflows: items }, link);
  },

  // Only runs that a schedule started are emulated.
  "GET /actions/workflows/{workflow_id}/runs": (call) => {
    const { repository } = call;
    const id = Number(call.param("workflow_id"));
    const { path } = found(workflowsOf(repository).find((workflow) => workflow.id === id));
    const isListed = (run: ScheduledRun) =>
      run.path === path && (call.query("event") ?? "schedule") === "schedule";
    const all = repository.scheduledRuns.filter(isListed).reverse();
    const { items, link } = pageOf(all, call.context.url);
    const workflow_runs = items.map((run) => runRecord(call, run, id));
    return linked({ total_count: all.length, workflow_runs }, link);
  },
};

/** The workflow files of the default branch. */
export function workflowFiles(repository: Repository): { name: string; text: string }[] {
  const { objects } = repository;
  const tree = repository.find(repository.tip())?.tree ?? "";
  const folder = entryAt(objects, tree, FOLDER);
  const files = folder === undefined ? [] : filesIn(objects, folder.sha);
  return files.map(({ path, sha }) => ({
    name: path,
    text: objects.blobs.get(sha)?.toString("utf8") ?? "",
  }));
}

function workflowsOf(repository: Repository) {
  const { site, api, page, createdAt, workflowStates, workflowsEnabledAt } = repository;
  return workflowFiles(repository).map(({ name, text }) => {
    const path = `${FOLDER}/${name}`;
    const id = site.idOf(`workflow ${repository.id}/${path}`);
    return {
      id,
      node_id: `W_${id}`,
      name: /^name: *(.+)$/m.exec(text)?.[1] ?? path,
      path,
      state: workflowStates.get(path) ?? "active",
      created_at: iso(createdAt),
      updated_at: iso(workflowsEnabledAt.get(path) ?? createdAt),
      url: `${api}/actions/workflows/${id}`,
      html_url: `${page}/blob/${repository.defaultBranch}/${path}`,
      badge_url: `${page}/workflows/${name}/badge.svg`,
    };
  });
}

function runRecord({ repository }: Call, run: ScheduledRun, workflow_id: number) {
  const { id, path, conclusion, at } = run;
  const url = `${repository.api}/actions/runs/${id}`;
  const record = repositoryRecord(repository);
  return {
    id,
    node_id: `WFR_${id}`,
    name: path,
    path,
    head_branch: repository.defaultBranch,
    head_sha: repository.tip(),
    run_number: 1,
    run_attempt: 1,
    event: "schedule",
    display_title: path,
    status: "completed",
    conclusion,
    workflow_id,
    url,
    html_url: `${repository.page}/actions/runs/${id}`,
    pull_requests: [],
    created_at: iso(at),
    updated_at: iso(at),
    run_started_at: iso(at),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repository.api}/check-suites/${id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    workflow_url: `${repository.api}/actions/workflows/${workflow_id}`,
    head_commit: null,
    repository: record,
    head_repository: record,
  };
}
