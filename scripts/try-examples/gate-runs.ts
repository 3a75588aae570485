/** Trials of the gate: what happens to a pull request, and the verdict. */

import { outputs, prompt } from "./checks.ts";
import { expectThat, type Happening, type Trial, type TrialWorld } from "./trial.ts";

const CODE = { "src/webhooks.ts": "1\n" };
const DOCS = { "docs/webhooks.md": "1\n" };
type Verdict = "needed" | "included" | "covered" | "not-needed";

/** What workflows for pull requests get told of one. */
async function pullEvent(
  { world: { github } }: TrialWorld,
  number: number,
  action: string,
  event = "pull_request",
): Promise<Happening> {
  const pull_request = await github.api<object>(`/pulls/${number}`);
  return { event, payload: { action, number, pull_request }, number };
}

function opened({ world: { github } }: TrialWorld, files: Record<string, string> = CODE): number {
  return github.home.openPull({ title: "Add webhooks", commits: [{ files }] }).number;
}

async function judge(trial: TrialWorld, happening: Happening, verdict: Verdict): Promise<string> {
  const run = await trial.run(happening);
  await outputs({ verdict }, "gate")({ trial, run, happening });
  expectThat("success of the workflow", run.isSuccess, verdict !== "needed");
  return verdict;
}

/** A pull request with documentation. */
function included(action: string): Trial {
  return {
    try: async (trial) => {
      const number = opened(trial, { ...CODE, ...DOCS });
      return await judge(trial, await pullEvent(trial, number, action), "included");
    },
  };
}

/** A pull request without: red, until it has the label, and again once that is removed. */
export const labelled: Trial = {
  try: async (trial) => {
    const { github } = trial.world;
    const number = opened(trial);
    const seen = [await judge(trial, await pullEvent(trial, number, "opened"), "needed")];
    const body = { labels: ["skip-docs"] };
    await github.api(`/issues/${number}/labels`, { method: "POST", body });
    seen.push(await judge(trial, await pullEvent(trial, number, "labeled"), "not-needed"));
    await github.api(`/issues/${number}/labels/skip-docs`, { method: "DELETE" });
    seen.push(await judge(trial, await pullEvent(trial, number, "unlabeled"), "needed"));
    const comments = await github.api<object[]>(`/issues/${number}/comments`);
    expectThat("the number of comments", comments.length, 1);
    return `${seen.join(", then ")}, in one comment`;
  },
};

/** A pull request that was closed. */
const closed: Trial = {
  try: async (trial) => {
    const number = opened(trial);
    await trial.world.github.api(`/pulls/${number}`, {
      method: "PATCH",
      body: { state: "closed" },
    });
    return await judge(trial, await pullEvent(trial, number, "closed"), "not-needed");
  },
};

/** A review of a pull request. */
function reviewed(action: string, event: string, verdict: Verdict): Trial {
  return {
    try: async (trial) => {
      const { github } = trial.world;
      const number = opened(trial);
      const token = github.tokenOf("maintainer");
      await github.api(`/pulls/${number}/reviews`, { method: "POST", token, body: { event } });
      const happening = await pullEvent(trial, number, action, "pull_request_review");
      const seen = await judge(trial, happening, verdict);
      if (verdict !== "covered") return seen;
      const run = trial.runs.at(-1);
      if (run !== undefined) await prompt("Add webhooks")({ trial, run, happening });
      return `${seen} by a draft`;
    },
  };
}

/** A group of a merge queue, with one pull request. */
const grouped: Trial = {
  try: async (trial) => {
    const { home } = trial.world.github;
    const number = opened(trial, { ...CODE, ...DOCS });
    const base_sha = home.tip();
    const branch = `gh-readonly-queue/main/pr-${number}-${base_sha}`;
    const head_sha = home.forcePush(base_sha, branch, [{ message: `Add webhooks (#${number})` }]);
    const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
    const payload = { action: "checks_requested", merge_group };
    return await judge(trial, { event: "merge_group", payload }, "included");
  },
};

const PULL_REQUEST: Record<string, Trial> = {
  "pull_request: opened": labelled,
  "pull_request: reopened": included("reopened"),
  "pull_request: synchronize": included("synchronize"),
  "pull_request: labeled": labelled,
  "pull_request: unlabeled": labelled,
  "pull_request: ready_for_review": included("ready_for_review"),
};

export const GATE = {
  page: PULL_REQUEST,
  drafts: {
    ...PULL_REQUEST,
    "pull_request: closed": closed,
    "pull_request_review: submitted": reviewed("submitted", "APPROVE", "covered"),
    "pull_request_review: dismissed": reviewed("dismissed", "COMMENT", "needed"),
  },
  required: { ...PULL_REQUEST, "merge_group: checks_requested": grouped },
} satisfies Record<string, Record<string, Trial>>;
