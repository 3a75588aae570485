/** Reads the facts about the workflow's repository and the documentation's. */

import type { TokenPermission } from "../github/api/explain.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import type { RepositoryFacts } from "../github/changes/history-records.ts";
import { ProxySettingsError } from "../net/proxy.ts";
import { valueOrError } from "../runtime/errors.ts";
import { type Fact, type Unread, whyUnknown } from "../runtime/fact.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { GitHubAsker } from "./ask.ts";
import { type GitHubFacts, isRefusedRead, type Rights, type TokenFact } from "./facts.ts";
import { REF_ACTIONS } from "./inputs.ts";
import { type DocsPlace, readDocs } from "./read-docs.ts";
import { readLedgers } from "./read-ledgers.ts";
import { readNewestPull, tryRights } from "./read-rights.ts";
import { readSchedules, readWorkflows } from "./read-workflows.ts";
import type { DoctorRun } from "./run.ts";
import { drawTrial, removeAbandoned, trialRef, tryRef } from "./trial-ref.ts";

/** @param pullLinks addresses of docs pull requests, not checked */
export async function readGitHub(
  run: DoctorRun,
  pullLinks: readonly string[],
): Promise<GitHubFacts> {
  const { inputs, context, dependencies } = run;
  const { githubToken, githubApiUrl } = inputs;
  const withoutAccess = (problem: string) =>
    noAccess(run, { type: "refused", problem }, dependencies.clock.timeOfDay());
  if (githubToken.type === "invalid") return withoutAccess(inlineCode(githubToken.problem, 500));
  const access = { githubToken: githubToken.value, githubApiUrl };
  const read = async () => {
    const ask = new GitHubAsker(access, dependencies);
    const own = await ask.read((github) => new HistoryReader(github, context.repository).facts());
    if (own.type === "known") return await readAll(run, ask, own, { type: "accepted" }, pullLinks);
    const problem = `The repository ${context.repository} could not be read: ${whyUnknown(own)}.`;
    if (isRefusedRead(own)) return noAccess(run, { type: "refused", problem }, ask.now);
    return await readAll(run, ask, own, { type: "unknown", problem }, pullLinks);
  };
  const facts = await valueOrError(read(), ProxySettingsError);
  return facts instanceof ProxySettingsError ? withoutAccess(facts.message) : facts;
}

const WITHOUT_ACCESS: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "without access to the workflow's repository, nothing is read",
  isPassing: true,
  status: null,
};

/** What is known if nothing can be read. */
function noAccess({ inputs, context }: DoctorRun, token: TokenFact, now: number): GitHubFacts {
  const repository = inputs.repository ?? context.repository;
  return {
    token,
    own: WITHOUT_ACCESS,
    rights: {},
    trial: { type: "unknown", reason: WITHOUT_ACCESS.reason },
    workflows: WITHOUT_ACCESS,
    schedules: WITHOUT_ACCESS,
    docs: {
      repository,
      isOwn: repository === context.repository,
      isNamed: inputs.repository !== null,
      facts: WITHOUT_ACCESS,
      rights: {},
      rules: WITHOUT_ACCESS,
      workflows: WITHOUT_ACCESS,
      newestPull: WITHOUT_ACCESS,
      agentPull: WITHOUT_ACCESS,
    },
    ledgers: WITHOUT_ACCESS,
    now,
  };
}

/** The permissions that are tried in the workflow's repository; the others come with the newest pull request. */
const TRIED: readonly TokenPermission[] = [
  "contents: read",
  "contents: write",
  "issues: write",
  "pull-requests: write",
  "statuses: write",
  "deployments: write",
  "actions: read",
];

async function readAll(
  run: DoctorRun,
  ask: GitHubAsker,
  own: Fact<RepositoryFacts>,
  token: TokenFact,
  pullLinks: readonly string[],
): Promise<GitHubFacts> {
  const { inputs, context, dependencies } = run;
  const { repository } = context;
  const isArchived = own.type === "known" && own.value.isArchived;
  const tried = isArchived
    ? await tryRights(ask, repository, ["contents: read", "actions: read"])
    : await tryRights(ask, repository, TRIED);
  const trial = drawTrial(repository, inputs.ledgerRef, dependencies);
  const git = trialRef(trial, ask.connect, dependencies);
  ask.throwIfStopped();
  // Before most of the reads: then there are always requests left for the deletion.
  const untried = whyUntried(inputs, tried, isArchived);
  const refTrial: GitHubFacts["trial"] =
    untried === null ? await tryRef(git, trial, run.save) : { type: "unknown", reason: untried };
  ask.throwIfStopped();
  const newest = await readNewestPull(ask, repository, branchIn(own));
  const rights = { ...tried, ...newest.rights };
  const { ledgers, pullLinks: ledgerLinks, abandoned } = await readLedgers(ask, trial, run);
  await removeAbandoned(abandoned, repository, ask.connect, dependencies);
  const workflows = await readWorkflows(ask, repository);
  const schedules = await readSchedules(ask, context, workflows);
  const links = [...ledgerLinks, ...pullLinks];
  const { newestPull } = newest;
  const place = docsPlaceOf(run, links, { facts: own, rights, workflows, newestPull });
  const docs = await readDocs(ask, place);
  const { now } = ask;
  return { token, own, rights, trial: refTrial, workflows, schedules, docs, ledgers, now };
}

/** The default branch, by its name if that is known. */
function branchIn(repository: Fact<RepositoryFacts>): string {
  return repository.type === "known" ? repository.value.defaultBranch : "HEAD";
}

/** Why no ref is made: the rest of a sentence; null if one is made. */
function whyUntried(
  { trial, actions }: DoctorRun["inputs"],
  rights: Rights,
  isArchived: boolean,
): string | null {
  if (!trial) return "`trial` is `false`";
  if (isArchived) return "the repository is archived";
  if (actions !== null && !actions.some((action) => REF_ACTIONS.includes(action))) {
    return "none of the named actions has a ledger";
  }
  const right = rights["contents: write"];
  if (right?.type === "known" && right.value) return null;
  const lacks = "the token does not have the permission `contents: write`";
  return right?.type === "unread" ? right.reason : lacks;
}

/** What GitHub allows as `owner/name`. */
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/** The documentation's repository: the given one, or that of the newest docs pull request, or the workflow's own. */
function docsPlaceOf(
  { inputs, context }: DoctorRun,
  links: readonly string[],
  own: DocsPlace["own"],
): DocsPlace {
  const { serverUrl } = context;
  const pulls = links.flatMap((link) => {
    const safe = safeLink(link);
    const pull = safe === null ? null : pullRequestAt(safe, serverUrl);
    return pull !== null && REPOSITORY.test(pull.repository) ? [pull] : [];
  });
  const repository = inputs.repository ?? pulls[0]?.repository ?? context.repository;
  const isSame = (other: string) => other.toLowerCase() === repository.toLowerCase();
  const numbers = pulls.filter((pull) => isSame(pull.repository)).map(({ number }) => number);
  return {
    repository,
    isOwn: isSame(context.repository),
    isNamed: inputs.repository !== null || pulls.length > 0,
    agentPull: numbers.length === 0 ? null : Math.max(...numbers),
    own,
  };
}
