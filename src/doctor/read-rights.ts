/** Tries the token's permissions: by reads, and by requests that GitHub is bound to refuse for their content. */

import type { GitHub } from "../github/api/client.ts";
import { reasonOf, type Sent, type TokenPermission } from "../github/api/explain.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { PullChecks, Rights } from "./facts.ts";

/** A commit that no repository has. */
const NO_COMMIT = "0".repeat(40);

/** One way to try a permission in a repository. */
/** GitHub checks the permission before the content, so its answer to whoever may not write says only that. */
const TRIALS: Readonly<
  Partial<Record<TokenPermission, (github: GitHub, repository: string) => Promise<Fact<boolean>>>>
> = {
  "contents: write": async ({ refs }, repository) =>
    mayWrite(await refs.create({ repository, ref: "docs-agent", sha: NO_COMMIT })),
  "issues: write": async ({ issues }, repository) =>
    mayWrite(await issues.open({ repository, title: "", body: null, labels: null })),
  "pull-requests: write": async ({ pulls }, repository) =>
    mayWrite(await pulls.tryOpening({ repository })),
  "statuses: write": async ({ commits }, repository) => {
    const fields = { state: "none", context: null, description: null, target_url: null };
    return mayWrite(await commits.setStatus({ repository, sha: NO_COMMIT, ...fields }));
  },
  "deployments: write": async ({ deployments }, repository) => {
    const fields = { ref: "", environment: null, transient_environment: null, payload: null };
    return mayWrite(await deployments.create({ repository, ...fields }));
  },
  "contents: read": async ({ commits }, repository) =>
    mayRead(await commits.newest({ repository })),
  "actions: read": async ({ actions }, repository) =>
    mayRead(await actions.workflows({ repository })),
};

/** Tries each of these permissions in a repository, except for those of {@link readNewestPull}. */
export async function tryRights(
  ask: GitHubAsker,
  repository: string,
  rights: readonly TokenPermission[],
): Promise<Rights> {
  const facts: Partial<Record<TokenPermission, Fact<boolean>>> = {};
  for (const right of rights) {
    const attempt = TRIALS[right];
    if (attempt === undefined) continue;
    facts[right] = await ask.read((github) => attempt(github, repository));
  }
  return facts;
}

/** A setting of the repository, which does not matter here: the actions open no pull requests. */
const MAY_NOT_OPEN = /not permitted to create or approve pull requests/i;
const ARCHIVED = /archived/i;

/** What became of a write that was to be refused says about the permission for it. */
export function mayWrite(sent: Sent<unknown>): Fact<boolean> {
  if (sent.type === "accepted") return known(true);
  const isRefused = sent.type === "refused";
  const { status, message } = isRefused ? sent : { status: null, message: "" };
  if (status !== null && [400, 409, 410, 422].includes(status)) return known(true);
  if (status === 403 && MAY_NOT_OPEN.test(message)) return known(true);
  const isOfRight = status === 404 || (status === 403 && !ARCHIVED.test(message));
  if (isOfRight) return known(false);
  return {
    type: "unread",
    cause: isRefused ? "refused" : "unanswered",
    reason: reasonOf(sent),
    isPassing: !isRefused,
    status,
  };
}

/** What the answer to a read says about the permission for it. */
function mayRead(fact: Fact<unknown>): Fact<boolean> {
  if (fact.type !== "unread") return known(fact.type === "known");
  // An empty repository has no commits, but GitHub says so only to those who may read them.
  if (fact.status === 409 || fact.status === 422) return known(true);
  return fact.status === 403 || fact.status === 404 ? known(false) : fact;
}

/** Reads the checks of the newest pull request, or else of a branch's tip, and so tries the permissions for that. */
export async function readNewestPull(
  ask: GitHubAsker,
  repository: string,
  branch: string,
): Promise<{ rights: Rights; newestPull: Fact<PullChecks> }> {
  const list = await ask.read(({ pulls }) => pulls.newest({ repository }));
  const [pull] = list.type === "known" ? list.value : [];
  const place = { repository, ref: pull?.head.sha ?? branch };
  const runs = await ask.read(({ commits }) => commits.checkRuns(place));
  const statuses = await ask.read(({ commits }) => commits.status(place));
  const rights = {
    "pull-requests: read": mayRead(list),
    "checks: read": mayRead(runs),
    "statuses: read": mayRead(statuses),
  };
  if (list.type !== "known") return { rights, newestPull: list };
  if (pull === undefined) return { rights, newestPull: ABSENT };
  if (runs.type !== "known") return { rights, newestPull: runs };
  const newestPull = mapFact(statuses, (answer) => ({
    number: pull.number,
    url: pull.html_url,
    checks: [
      ...runs.value.check_runs.map(({ name }) => name),
      ...answer.statuses.map(({ context }) => context),
    ],
    heldRuns: 0,
  }));
  return { rights, newestPull };
}
