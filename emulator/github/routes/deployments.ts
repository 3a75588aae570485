/** https://docs.github.com/rest/deployments: deployments and their statuses. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, type Call, created, invalid, type Routes } from "../call.ts";
import { latestStatuses, runsOf } from "../checks.ts";
import { between } from "../git/graph.ts";
import { userRecord } from "../records.ts";
import { iso } from "../site.ts";
import type { Deployment, DeploymentStatus } from "../state.ts";
import type { RepositoryStore } from "../store.ts";

const DEPLOYMENT = "/deployments/{deployment_id}";

export const deploymentRoutes: Routes = {
  "GET /deployments": (call) => {
    const asked = ["sha", "ref", "task", "environment"] as const;
    const shown = call.repository.deployments.filter((deployment) =>
      asked.every((name) => (call.query(name) ?? deployment[name]) === deployment[name]),
    );
    return call.page(shown.reverse(), (deployment) => deploymentRecord(call, deployment));
  },

  "POST /deployments": (call) => {
    const { repository } = call;
    const ref = call.text("ref") ?? "";
    const commit = repository.resolve(ref);
    if (commit === undefined) throw new HttpError(422, `No ref found for: ${ref}`);
    const { auto_merge = true, required_contexts = null } = call.fields;
    if (auto_merge === true && isBehind(repository, commit.sha)) {
      const message = `Auto-merged ${repository.defaultBranch} into ${ref} on deployment.`;
      return new Answer(202, { message });
    }
    checkContexts(repository, commit.sha, required_contexts);
    const deployment = newDeployment(call, ref, commit.sha);
    repository.deployments.push(deployment);
    return created(deploymentRecord(call, deployment));
  },

  [`GET ${DEPLOYMENT}`]: (call) => deploymentRecord(call, deploymentOf(call)),

  [`GET ${DEPLOYMENT}/statuses`]: (call) => {
    const deployment = deploymentOf(call);
    return call.page(deployment.statuses.toReversed(), (status) =>
      statusRecord(call, deployment, status),
    );
  },

  [`POST ${DEPLOYMENT}/statuses`]: (call) => {
    const deployment = deploymentOf(call);
    const status = newStatus(call, deployment);
    if (status.state === "success" && call.fields.auto_inactive !== false) {
      retireEarlier(call, deployment);
    }
    addStatus(deployment, status);
    return created(statusRecord(call, deployment, status));
  },
};

function deploymentOf(call: Call): Deployment {
  return call.byId(call.repository.deployments, "deployment_id");
}

/** Whether the default branch has commits that this one lacks. */
function isBehind(repository: RepositoryStore, sha: string): boolean {
  return between(repository.find, sha, repository.tip()).length > 0;
}

/** @param required names of checks and statuses that have to be green; by default, all */
function checkContexts(repository: RepositoryStore, sha: string, required: unknown): void {
  const newest = new Map(runsOf(repository, sha).map((run) => [run.name, run]));
  const results = [
    ...[...newest.values()].map(({ name, conclusion }) => ({ name, state: conclusion })),
    ...latestStatuses(repository, sha).map(({ context, state }) => ({ name: context, state })),
  ];
  const isRequired = (name: string) => !Array.isArray(required) || required.includes(name);
  const contexts = results
    .filter(({ name }) => isRequired(name))
    .map(({ name, state }) => ({ context: name, state: state ?? "pending" }));
  if (contexts.every(({ state }) => state === "success")) return;
  const message = "Conflict: Commit status checks failed for the ref.";
  const errors = [
    { contexts, resource: "Deployment", field: "required_contexts", code: "invalid" },
  ];
  throw new HttpError(409, message, {}, { errors });
}

function newDeployment(call: Call, ref: string, sha: string): Deployment {
  const { fields, site } = call;
  const environment = call.text("environment") ?? "production";
  const at = iso(site.second);
  return {
    id: site.nextId(),
    sha,
    ref,
    task: call.text("task") ?? "deploy",
    payload: fields.payload ?? {},
    environment,
    description: call.text("description") ?? null,
    creator: call.actor,
    created_at: at,
    updated_at: at,
    transient_environment: fields.transient_environment === true,
    production_environment:
      typeof fields.production_environment === "boolean"
        ? fields.production_environment
        : environment === "production",
    statuses: [],
  };
}

const STATES = ["error", "failure", "inactive", "in_progress", "queued", "pending", "success"];
const MAX_DESCRIPTION = 140;

function newStatus(call: Call, { environment }: Deployment): DeploymentStatus {
  const state = call.text("state") ?? "";
  if (!STATES.includes(state)) throw invalid("DeploymentStatus", "state");
  const description = call.text("description") ?? "";
  if (description.length > MAX_DESCRIPTION) {
    const message = "description is too long (maximum is 140 characters)";
    throw invalid("DeploymentStatus", "description", "custom", message);
  }
  return {
    id: call.site.nextId(),
    state,
    creator: call.actor,
    description,
    environment: call.text("environment") ?? environment,
    environment_url: webAddress(call, "environment_url"),
    log_url: webAddress(call, "log_url"),
    created_at: iso(call.site.second),
  };
}

/** @throws HttpError 422 */
function webAddress(call: Call, name: string): string {
  const text = call.text(name) ?? "";
  if (text === "" || /^https?:\/\/\S+$/.test(text)) return text;
  throw invalid("DeploymentStatus", name, "custom", `${name} must use http(s) scheme`);
}

/** The earlier successes of the same environment are over, unless it is transient or production. */
function retireEarlier(call: Call, { id, environment }: Deployment): void {
  for (const earlier of call.repository.deployments) {
    const isSame = earlier.environment === environment && earlier.id < id;
    const isKept = earlier.transient_environment || earlier.production_environment;
    const last = earlier.statuses.at(-1);
    if (!isSame || isKept || last?.state !== "success") continue;
    addStatus(earlier, { ...last, id: call.site.nextId(), state: "inactive", description: "" });
  }
}

function addStatus(deployment: Deployment, status: DeploymentStatus): void {
  deployment.statuses.push(status);
  deployment.updated_at = status.created_at;
}

function deploymentRecord({ repository, site }: Call, deployment: Deployment) {
  const { statuses, creator, ...fields } = deployment;
  const url = `${repository.api}/deployments/${deployment.id}`;
  return {
    ...fields,
    node_id: `DE_${deployment.id}`,
    url,
    original_environment: deployment.environment,
    creator: userRecord(site, creator),
    statuses_url: `${url}/statuses`,
    repository_url: repository.api,
  };
}

function statusRecord(
  { repository, site }: Call,
  deployment: Deployment,
  { creator, ...status }: DeploymentStatus,
) {
  const deployment_url = `${repository.api}/deployments/${deployment.id}`;
  return {
    ...status,
    node_id: `DES_${status.id}`,
    url: `${deployment_url}/statuses/${status.id}`,
    creator: userRecord(site, creator),
    target_url: status.log_url,
    updated_at: status.created_at,
    deployment_url,
    repository_url: repository.api,
  };
}
