/** Reads the facts about the documentation's repository, which may be the workflow's own. */

import { branchRulesOf } from "../github/changes/branch-rules.ts";
import { docsPullAt } from "../github/changes/docs-pull.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { DocsBranchRules, DocsFacts, PullChecks } from "./facts.ts";
import { readNewestPull, tryRights } from "./read-rights.ts";
import { readWorkflows } from "./read-workflows.ts";

export interface DocsPlace extends Pick<DocsFacts, "repository" | "isOwn" | "isNamed"> {
  /** The number of the agent's newest pull request that is known; null for none. */
  agentPull: number | null;
  /** What is known of the workflow's own repository. */
  own: Pick<DocsFacts, "facts" | "rights" | "workflows" | "newestPull">;
}

export async function readDocs(ask: GitHubAsker, place: DocsPlace): Promise<DocsFacts> {
  const { repository, isOwn, isNamed, agentPull } = place;
  const read = isOwn ? place.own : await readElsewhere(ask, repository);
  const { facts } = read;
  const branch = facts.type === "known" ? facts.value.defaultBranch : null;
  return {
    ...read,
    repository,
    isOwn,
    isNamed,
    rules: branch === null ? UNREAD : await readRules(ask, repository, branch),
    agentPull: await readAgentPull(ask, repository, agentPull),
  };
}

const UNREAD: Unread = {
  type: "unread",
  cause: "unanswered",
  reason: "the repository could not be read",
  isPassing: true,
  status: null,
};

async function readElsewhere(
  ask: GitHubAsker,
  repository: string,
): Promise<Pick<DocsFacts, "facts" | "rights" | "workflows" | "newestPull">> {
  const facts = await ask.read((github) => new HistoryReader(github, repository).facts());
  if (facts.type !== "known") return { facts, rights: {}, workflows: UNREAD, newestPull: UNREAD };
  const { defaultBranch } = facts.value;
  const tried = await tryRights(ask, repository, ["contents: write", "pull-requests: write"]);
  const { rights, newestPull } = await readNewestPull(ask, repository, defaultBranch);
  const workflows = await readWorkflows(ask, repository);
  return { facts, rights: { ...tried, ...rights }, workflows, newestPull };
}

/** The rules of rulesets, and the checks of a classic branch protection, whose rest only administrators can read. */
async function readRules(
  ask: GitHubAsker,
  repository: string,
  branch: string,
): Promise<Fact<DocsBranchRules>> {
  const rules = await ask.read((github) => github.repositories.rules({ repository, branch }));
  if (rules.type !== "known") return rules;
  if (rules.value.length >= 100) return TOO_MANY_RULES;
  const own = await ask.read(({ branches }) => branches.protection({ repository, branch }));
  return mapFact(own, ({ protection }) => {
    const { requiredChecks, hasMergeQueue } = branchRulesOf(rules.value);
    const byProtection = protection?.required_status_checks?.contexts ?? [];
    return { requiredChecks: [...new Set([...requiredChecks, ...byProtection])], hasMergeQueue };
  });
}

async function readAgentPull(
  ask: GitHubAsker,
  repository: string,
  number: number | null,
): Promise<Fact<PullChecks>> {
  if (number === null) return ABSENT;
  const place = { repository, number, allowedCommitters: [], updatedFrom: [], ownMark: null };
  const pull = await ask.read((github) => docsPullAt(github, place));
  if (pull.type !== "known") return pull;
  const { url, checks, checksRead, unfinishedRuns, createdAt, lastActivityAt } = pull.value;
  if (checksRead === "none") return CHECKS_REFUSED;
  const times = [createdAt, lastActivityAt ?? createdAt].map((time) => Date.parse(time));
  return known({
    number,
    url,
    checks: checks.map(({ name }) => name),
    fromElsewhere: checks.filter(({ isJob }) => !isJob).map(({ name }) => name),
    isComplete: checksRead === "all",
    changedAt: Math.max(...times),
    heldRuns: unfinishedRuns?.held ?? null,
  });
}

const TOO_MANY_RULES: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "there are more than a hundred",
  isPassing: false,
  status: null,
};

const CHECKS_REFUSED: Unread = {
  type: "unread",
  cause: "refused",
  reason: "the token needs the permissions `checks: read` and `statuses: read`",
  isPassing: false,
  status: 403,
};
