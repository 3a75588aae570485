/** The seed of the emulated GitHub: what goes wrong there, and what becomes of repositories, a line for each. */

import * as z from "zod";
import { FAULT } from "./faults.ts";
import type { GitHub } from "./github.ts";
import { WORKFLOW } from "./people.ts";
import type { Repository } from "./repository.ts";
import { isPull } from "./state.ts";

const FULL_NAME = z.string().regex(/^[\w.-]+\/[\w.-]+$/, "Expected owner/name");
const ACCESS = z.enum(["none", "read", "write"]).exactOptional();

/** What becomes of a repository. */
const CHANGE = z.strictObject({
  /** How long after the start, in milliseconds of GitHub's clock. Default: at the start. */
  afterMs: z.number().nonnegative().exactOptional(),
  /** By its name at the start. Default: the one with the documentation. */
  repository: FULL_NAME.exactOptional(),
  visibility: z.enum(["public", "private"]).exactOptional(),
  /** It gets another name or owner. Another repository may take the name that it had. */
  rename: z
    .strictObject({ to: FULL_NAME, isFormerTaken: z.boolean().exactOptional() })
    .exactOptional(),
  /** Login of a bot that closes every open issue. */
  issuesClosedBy: z.string().min(1).exactOptional(),
  /** States of workflows, by the paths of their files. */
  workflows: z
    .record(z.string(), z.enum(["disabled_inactivity", "disabled_manually"]))
    .exactOptional(),
  /** Numbers of pull requests that GraphQL cannot resolve, so that it answers in part. */
  unresolvable: z.array(z.int().positive()).exactOptional(),
});

const SEED = z.strictObject({
  /** For the workflow's token, unless they name another account. */
  faults: z.array(FAULT).exactOptional(),
  /** With more fields of the root, a query of GraphQL is answered with `RESOURCE_LIMITS_EXCEEDED`. */
  mostRootFields: z.int().positive().exactOptional(),
  /** What the workflow's token may do. Default: everything that its role may. */
  permissions: z
    .strictObject({
      contents: ACCESS,
      issues: ACCESS,
      pull_requests: ACCESS,
      checks: ACCESS,
      statuses: ACCESS,
      deployments: ACCESS,
      actions: ACCESS,
    })
    .exactOptional(),
  /** Whether GraphQL has `null` for what the token may not read, without an error. */
  hidesInSilence: z.boolean().exactOptional(),
  /** Names of further repositories. */
  repositories: z.array(FULL_NAME).exactOptional(),
  changes: z.array(CHANGE).exactOptional(),
});

export type GitHubSeed = z.infer<typeof SEED>;

/** Applies a seed. @param home the repository with the documentation @throws an error that names each wrong field */
export function seedGitHub(github: GitHub, home: Repository, seed: GitHubSeed): void {
  const { error, data } = SEED.safeParse(seed);
  if (error !== undefined) {
    const wrong = error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`);
    throw new Error(`The seed of GitHub is wrong. ${wrong.join("; ")}`);
  }
  for (const fault of data.faults ?? []) github.addFault({ login: WORKFLOW, ...fault });
  const { switches } = github.site;
  switches.mostRootFields = data.mostRootFields ?? null;
  switches.hidesInSilence = data.hidesInSilence ?? false;
  github.restrict(WORKFLOW, data.permissions ?? {});
  for (const name of data.repositories ?? []) github.create(name);
  const planned = (data.changes ?? []).map((change, index) => {
    const { repository: name = home.fullName } = change;
    const repository = github.lookUp(name);
    if (repository !== undefined) return { change, repository };
    const advice = `There is no ${name}. Name it in repositories`;
    throw new Error(`The seed of GitHub is wrong. changes[${index}].repository: ${advice}`);
  });
  for (const { change, repository } of planned) {
    github.later(change.afterMs ?? 0, () => apply(github, repository, change));
  }
}

function apply(github: GitHub, repository: Repository, change: z.infer<typeof CHANGE>): void {
  const { visibility, rename, issuesClosedBy, workflows = {}, unresolvable = [] } = change;
  repository.visibility = visibility ?? repository.visibility;
  if (rename !== undefined) {
    const { fullName } = repository;
    repository.rename(rename.to);
    if (rename.isFormerTaken === true) github.create(fullName);
  }
  if (issuesClosedBy !== undefined) {
    const issues = [...repository.issues.values()].filter((issue) => !isPull(issue));
    for (const issue of issues) repository.close(issue, issuesClosedBy);
  }
  for (const [path, state] of Object.entries(workflows)) repository.workflowStates.set(path, state);
  for (const number of unresolvable) repository.switches.unresolvable.add(number);
}
