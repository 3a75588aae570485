/** Reads the facts about the workflow's repository and the documentation's. */

import type { TokenPermission } from "../github/api/explain.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import type { RepositoryFacts } from "../github/changes/history-records.ts";
import { ProxySettingsError } from "../net/proxy.ts";
import { valueOrError } from "../runtime/errors.ts";
import { whyUnknown } from "../runtime/fact.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { GitHubAsker } from "./ask.ts";
import {
  type GitHubAnswers,
  type GitHubFacts,
  isRefusedRead,
  type RefTrial,
  type Rights,
} from "./facts.ts";
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
): Promise<GitHubAnswers> {
  const { inputs, context, dependencies } = run;
  const { githubToken, githubApiUrl } = inputs;
  const none = { type: "no-access", isWrong: true } as const;
  if (githubToken.type === "invalid")
    return { ...none, problem: inlineCode(githubToken.problem, 500) };
  const access = { githubToken: githubToken.value, githubApiUrl };
  const read = async () => {
    const ask = new GitHubAsker(access, dependencies);
    const own = await ask.read((github) => new HistoryReader(github, context.repository).facts());
    if (own.type === "known") return await readAll(run, ask, own.value, pullLinks);
    const problem = `The repository ${context.repository} could not be read: ${whyUnknown(own)}.`;
    return { ...none, isWrong: isRefusedRead(own), problem };
  };
  const answers = await valueOrError(read(), ProxySettingsError);
  return answers instanceof ProxySettingsError ? { ...none, problem: answers.message } : answers;
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
  own: RepositoryFacts,
  pullLinks: readonly string[],
): Promise<GitHubFacts> {
  const { repository } = run.context;
  const tried = own.isArchived
    ? await tryRights(ask, repository, ["contents: read", "actions: read"])
    : await tryRights(ask, repository, TRIED);
  const trial = drawTrial(repository, run.dependencies);
  const git = trialRef(trial, ask.connect, run.dependencies);
  ask.throwIfStopped();
  // Before most of the reads: then there are always requests left for the deletion.
  const refTrial = await tryLedgerRef(tried, own, () => tryRef(git, trial, run.save));
  ask.throwIfStopped();
  const newest = await readNewestPull(ask, repository, own.defaultBranch);
  const rights = { ...tried, ...newest.rights };
  const { ledgers, pullLinks: ledgerLinks, abandoned } = await readLedgers(ask, trial, run);
  await removeAbandoned(abandoned, repository, ask.connect, run.dependencies);
  const workflows = await readWorkflows(ask, repository);
  const schedules = await readSchedules(ask, run.context, workflows);
  const links = [...ledgerLinks, ...pullLinks];
  const place = docsPlaceOf(run, links, { own, rights, workflows, newestPull: newest.newestPull });
  const docs = await readDocs(ask, place);
  return {
    type: "access",
    own,
    rights,
    trial: refTrial,
    workflows,
    schedules,
    docs,
    ledgers,
    now: ask.now,
  };
}

async function tryLedgerRef(
  rights: Rights,
  { isArchived }: RepositoryFacts,
  attempt: () => Promise<RefTrial>,
): Promise<RefTrial> {
  if (isArchived) return { type: "unknown", reason: "the repository is archived" };
  const right = rights["contents: write"];
  if (right?.type === "known" && right.value) return await attempt();
  const lacks = "the token does not have the permission `contents: write`";
  return { type: "unknown", reason: right?.type === "unread" ? right.reason : lacks };
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
    agentPull: numbers.length === 0 ? null : Math.max(...numbers),
    own,
  };
}
