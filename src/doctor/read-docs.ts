/** Reads the facts about the documentation's repository, which may be the workflow's own. */

import * as z from "zod/mini";
import { RepositoryReader } from "../github/api/repository.ts";
import { readDocsPull } from "../github/changes/docs-pull.ts";
import { History } from "../github/changes/history.ts";
import type { RepositoryFacts } from "../github/changes/history-records.ts";
import type { GitHubAsker } from "./ask.ts";
import type { BranchRules, DocsFacts, PullChecks, Reading } from "./facts.ts";
import { readNewestPull, tryRights } from "./read-rights.ts";
import { readWorkflows } from "./read-workflows.ts";

export interface DocsPlace extends Pick<DocsFacts, "repository" | "isOwn"> {
  /** The number of the agent's newest pull request that is known; null for none. */
  agentPull: number | null;
  /** What is known of the workflow's own repository. */
  own: Pick<DocsFacts, "rights" | "workflows" | "newestPull"> & { own: RepositoryFacts };
}

export async function readDocs(ask: GitHubAsker, place: DocsPlace): Promise<DocsFacts> {
  const { repository, isOwn, agentPull } = place;
  const known = isOwn ? ofOwn(place) : await readElsewhere(ask, repository);
  const { facts } = known;
  const branch = facts.type === "read" ? facts.value.defaultBranch : null;
  return {
    ...known,
    repository,
    isOwn,
    rules: branch === null ? UNREAD : await readRules(ask, repository, branch),
    agentPull: await readAgentPull(ask, repository, agentPull),
  };
}

const UNREAD = { type: "unknown", reason: "the repository could not be read" } as const;

type Known = Pick<DocsFacts, "facts" | "rights" | "workflows" | "newestPull">;

function ofOwn({ own: { own, ...known } }: DocsPlace): Known {
  return { ...known, facts: { type: "read", value: own } };
}

async function readElsewhere(ask: GitHubAsker, repository: string): Promise<Known> {
  const facts = await ask.read((github) => new History(github, repository).facts());
  if (facts.type !== "read") return { facts, rights: {}, workflows: UNREAD, newestPull: UNREAD };
  const { defaultBranch } = facts.value;
  const tried = await tryRights(ask, repository, ["contents: write", "pull-requests: write"]);
  const { rights, newestPull } = await readNewestPull(ask, repository, defaultBranch);
  const workflows = await readWorkflows(ask, repository);
  return { facts, rights: { ...tried, ...rights }, workflows, newestPull };
}

const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.nullish(
      z.object({
        required_status_checks: z.nullish(z.array(z.object({ context: z.string() }))),
      }),
    ),
  }),
);

const protectedBranch = z.object({
  protection: z.nullish(
    z.object({
      required_status_checks: z.nullish(z.object({ contexts: z.nullish(z.array(z.string())) })),
    }),
  ),
});

/** The rules of rulesets, and the checks of a classic branch protection, whose rest only administrators can read. */
async function readRules(
  ask: GitHubAsker,
  repository: string,
  branch: string,
): Promise<Reading<BranchRules>> {
  return await ask.read(async (github) => {
    const reader = new RepositoryReader(github, repository);
    const page = { branch, per_page: 100 };
    const all = await reader.get(rules, "/rules/branches/{branch}", page);
    const byRules = all.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
    const { protection } = await reader.get(protectedBranch, "/branches/{branch}", { branch });
    const byProtection = protection?.required_status_checks?.contexts ?? [];
    const required = [...byRules.map(({ context }) => context), ...byProtection];
    return {
      requiredChecks: [...new Set(required)],
      hasMergeQueue: all.some(({ type }) => type === "merge_queue"),
    };
  });
}

async function readAgentPull(
  ask: GitHubAsker,
  repository: string,
  number: number | null,
): Promise<Reading<PullChecks | null>> {
  if (number === null) return { type: "read", value: null };
  const pull = await ask.read(
    (github) => {
      return readDocsPull(github, {
        repository,
        number,
        allowedCommitters: [],
        ownMark: null,
      });
    },
    ["pull-requests: read", "checks: read", "statuses: read"],
  );
  if (pull.type !== "read") return pull;
  const { url, checks, checksRead, unfinishedRuns } = pull.value;
  if (checksRead === "none") {
    const reason = "the token needs the permissions `checks: read` and `statuses: read`";
    return { type: "refused", reason, status: 403 };
  }
  const names = checks.map(({ name }) => name);
  return {
    type: "read",
    value: { number, url, checks: names, heldRuns: unfinishedRuns?.held ?? 0 },
  };
}
