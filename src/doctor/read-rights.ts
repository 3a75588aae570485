/** Tries the token's permissions: by reads, and by requests that GitHub is bound to refuse for their content. */

import type { GitHub } from "../github/api/client.ts";
import { OF_PERMISSION, reasonOf, type Sent, type TokenPermission } from "../github/api/explain.ts";
import { WORKFLOWS_APP } from "../github/changes/docs-pull-checks.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { PullChecks, Rights } from "./facts.ts";

/** A commit that no repository has. */
const NO_COMMIT = "0".repeat(40);

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
};

/** The same by reads. */
const READS: Readonly<
  Partial<Record<TokenPermission, (github: GitHub, repository: string) => Promise<Fact<unknown>>>>
> = {
  "contents: read": ({ commits }, repository) => commits.newest({ repository }),
  "actions: read": ({ actions }, repository) => actions.workflows({ repository }),
};

/** Tries each of these permissions in a repository, except for those of {@link readNewestPull}. */
export async function tryRights(
  ask: GitHubAsker,
  repository: string,
  rights: readonly TokenPermission[],
): Promise<Rights> {
  const facts: Partial<Record<TokenPermission, Fact<boolean>>> = {};
  for (const right of rights) {
    const [attempt, read] = [TRIALS[right], READS[right]];
    if (attempt !== undefined) {
      facts[right] = await ask.read((github) => attempt(github, repository));
    } else if (read !== undefined) {
      facts[right] = (await ask.readWithRight((github) => read(github, repository))).right;
    }
  }
  return facts;
}

/** A setting of the repository, which does not matter here: the actions open no pull requests. */
const MAY_NOT_OPEN = /not permitted to create or approve pull requests/i;

/** What became of a write that was to be refused says about the permission for it. */
export function mayWrite(sent: Sent<unknown>): Fact<boolean> {
  if (sent.type === "accepted") return known(true);
  const isRefused = sent.type === "refused";
  const { status, message } = isRefused ? sent : { status: null, message: "" };
  if (status !== null && [400, 409, 410, 422].includes(status)) return known(true);
  if (status === 403 && MAY_NOT_OPEN.test(message)) return known(true);
  // Any other 403 is about something else, such as single sign-on, the address or an archive.
  const isOfRight = status === 404 || (status === 403 && OF_PERMISSION.test(message));
  if (isOfRight) return known(false);
  return {
    type: "unread",
    cause: isRefused ? "refused" : "unanswered",
    reason: reasonOf(sent),
    isPassing: !isRefused,
    status,
  };
}

/**
 * Reads the checks of the newest pull request towards a branch, whose rules are compared with them, or else of its tip,
 * and so tries the permissions for that.
 */
export async function readNewestPull(
  ask: GitHubAsker,
  repository: string,
  branch: string,
): Promise<{ rights: Rights; newestPull: Fact<PullChecks> }> {
  const list = await ask.readWithRight(({ pulls }) => pulls.newest({ repository, base: branch }));
  const [pull] = list.fact.type === "known" ? list.fact.value : [];
  const place = { repository, ref: pull?.head.sha ?? branch };
  const runs = await ask.readWithRight(({ commits }) => commits.checkRuns(place));
  const statuses = await ask.readWithRight(({ commits }) => commits.status(place));
  const rights = {
    "pull-requests: read": list.right,
    "checks: read": runs.right,
    "statuses: read": statuses.right,
  };
  if (list.fact.type !== "known") return { rights, newestPull: list.fact };
  if (pull === undefined) return { rights, newestPull: ABSENT };
  if (runs.fact.type !== "known") return { rights, newestPull: runs.fact };
  const { items: reported, isComplete } = runs.fact.value;
  const ofOthers = reported.filter(({ app }) => app?.slug !== WORKFLOWS_APP);
  const newestPull = mapFact(statuses.fact, (answer) => {
    const contexts = answer.items.map(({ context }) => context);
    return {
      number: pull.number,
      url: pull.html_url,
      checks: [...reported.map(({ name }) => name), ...contexts],
      fromElsewhere: [...ofOthers.map(({ name }) => name), ...contexts],
      isComplete: isComplete && answer.isComplete,
      changedAt: Date.parse(pull.updated_at),
      // Which runs there are is not read; of a fork's pull request, they may wait for somebody's approval.
      heldRuns: pull.head.repo?.id === pull.base.repo.id ? 0 : null,
    };
  });
  return { rights, newestPull };
}
