/** What doctor knows of a set-up with nothing wrong, for tests to change. */

import { NEEDED } from "../../src/doctor/check-rights.ts";
import type { DocsFacts, Facts, GitHubFacts, PullChecks, Rights } from "../../src/doctor/facts.ts";
import type { DoctorInputs } from "../../src/doctor/inputs.ts";
import type { RepositoryFacts } from "../../src/github/changes/history-records.ts";
import { known } from "../../src/runtime/fact.ts";

export const DAY = 24 * 60 * 60 * 1000;
export const WORKFLOW = ".github/workflows/docs.yml";

export const ALL_RIGHTS: Rights = Object.fromEntries(
  [...NEEDED.values()].flat().map((right) => [right, known(true)]),
);

export const OWN: RepositoryFacts = {
  id: 1,
  fullName: "acme/docs",
  defaultBranch: "main",
  visibility: "public",
  isArchived: false,
  isFork: false,
  hasIssues: true,
};

const INPUTS: DoctorInputs = {
  apiKey: { type: "valid", value: "mint_x" },
  projectId: { type: "valid", value: "docs" },
  baseUrl: { type: "valid", value: new URL("https://api.docs.test") },
  assistantApiKey: null,
  domain: null,
  githubToken: { type: "valid", value: "ghs_x" },
  githubApiUrl: new URL("https://api.github.test"),
  actions: null,
  repository: null,
  ledgerRef: null,
  trial: true,
};

export const pullOf = (over: Partial<PullChecks> = {}): PullChecks => ({
  number: 7,
  url: "https://github.test/acme/docs/pull/7",
  checks: ["build"],
  fromElsewhere: [],
  isComplete: true,
  changedAt: 99 * DAY,
  heldRuns: 0,
  ...over,
});

export const DOCS: DocsFacts = {
  repository: "acme/docs",
  isOwn: true,
  isNamed: true,
  facts: known(OWN),
  rights: ALL_RIGHTS,
  rules: known({ requiredChecks: ["build"], hasMergeQueue: false }),
  workflows: known([]),
  newestPull: known(pullOf()),
  agentPull: known(pullOf()),
};

const GITHUB: GitHubFacts = {
  token: { type: "accepted" },
  own: known(OWN),
  rights: ALL_RIGHTS,
  trial: { type: "made-and-deleted" },
  workflows: known([
    {
      path: WORKFLOW,
      triggers: { events: ["schedule"], crons: ["17 * * * *"], isUtc: true },
      isOurs: true,
    },
  ]),
  schedules: known({ named: [], unreadFiles: [] }),
  docs: DOCS,
  ledgers: known({ ages: [], unread: 0 }),
  now: 100 * DAY,
};

/** The facts of a set-up without anything wrong, but for some on GitHub. */
export function factsOf(
  github: Partial<GitHubFacts> = {},
  inputs: Partial<DoctorInputs> = {},
): Facts {
  return {
    inputs: { ...INPUTS, ...inputs },
    repository: "acme/docs",
    serverUrl: "https://github.test",
    workflow: WORKFLOW,
    service: { project: { type: "accepted" }, isProjectTried: true, assistant: null },
    github: { ...GITHUB, ...github },
  };
}
