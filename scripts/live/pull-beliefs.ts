/** Beliefs about pull requests: what land and upkeep read of them, and how they are merged. */

import { DOCS_PULL, docsPullAnswer } from "../../src/github/api/answers/docs-pull.ts";
import { singleQuery } from "../../src/github/api/graphql.ts";
import type { Belief } from "./beliefs.ts";
import { inWords } from "./github-api.ts";
import type { Scene, TrialPull } from "./scene.ts";

const NOWHERE = "0123456789012345678901234567890123456789";

const CHECK = "docs-agent-live";

interface Context {
  name?: string;
  conclusion?: string;
}

interface ThreadData {
  repository: {
    pullRequest: {
      reviewThreads: {
        nodes: { id: string; isResolved: boolean; resolvedBy: { login: string } | null }[];
      };
    };
  };
}

const THREADS = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 10) { nodes { id isResolved resolvedBy { login } } }
    }
  }
}`;

const RESOLVE = `mutation ($id: ID!) {
  resolveReviewThread(input: { threadId: $id }) { thread { id } }
}`;

function variablesOf(scene: Scene, { number }: TrialPull) {
  const [owner, name] = scene.github.place.repository.split("/");
  return { owner, name, number };
}

async function threads(scene: Scene, pull: TrialPull) {
  const { body } = await scene.github.graphql<ThreadData>(THREADS, variablesOf(scene, pull));
  return body.data?.repository.pullRequest.reviewThreads.nodes ?? [];
}

/** @param pull an open pull request of the trial */
export function pullBeliefs(pull: TrialPull): readonly Belief[] {
  return [...readBeliefs(pull), ...checkBeliefs(pull), ...writeBeliefs(pull)];
}

/** What is read of it. */
function readBeliefs(pull: TrialPull): readonly Belief[] {
  return [
    {
      habit: "A commit of an open pull request names it",
      believed: [`#${pull.number}`, "none"],
      ask: async ({ github }) => {
        const pulls = await github.need<{ number: number }[]>(`GET /commits/${pull.head}/pulls`);
        return pulls.map(({ number }) => `#${number}`).join(" ") || "none";
      },
    },
    {
      habit: "The query of land is answered whole, as the code reads it",
      believed: ["whole"],
      ask: async (scene) => {
        const query = singleQuery(DOCS_PULL);
        const { body } = await scene.github.graphql(query, variablesOf(scene, pull));
        const [error] = body.errors ?? [];
        if (error !== undefined) return error.message;
        const { error: problem } = docsPullAnswer.safeParse(body.data);
        return problem === undefined ? "whole" : `not as it is read: ${problem.message}`;
      },
    },
  ];
}

/** What checks of one name look like. */
function checkBeliefs(pull: TrialPull): readonly Belief[] {
  return [
    {
      habit: "Two check runs of one name on one head are both made",
      believed: ["201, then 201"],
      ask: async ({ github }) => {
        const fields = { name: CHECK, head_sha: pull.head, status: "completed" };
        const first = await github.call("POST /check-runs", { ...fields, conclusion: "cancelled" });
        const second = await github.call("POST /check-runs", { ...fields, conclusion: "success" });
        return `${first.status}, then ${second.status}`;
      },
    },
    {
      habit: "The rollup shows a check run beside the older one of its name, or the newer alone",
      believed: ["CANCELLED SUCCESS", "SUCCESS CANCELLED", "SUCCESS"],
      ask: async (scene) => {
        const { body } = await scene.github.graphql<RollupData>(ROLLUP, variablesOf(scene, pull));
        const { statusCheckRollup } = body.data?.repository.pullRequest ?? {};
        const contexts = statusCheckRollup?.contexts.nodes ?? [];
        const own = contexts.filter(({ name }) => name === CHECK);
        return own.map(({ conclusion }) => conclusion).join(" ") || "none";
      },
    },
  ];
}

/** What may be written. */
function writeBeliefs(pull: TrialPull): readonly Belief[] {
  return [
    {
      habit: "A comment on a line makes a thread, and whoever wrote it may resolve it",
      believed: ["open, then resolved by nobody", "open, then resolved by github-actions"],
      ask: async (scene) => {
        const { number, head: commit_id } = pull;
        const fields = { body: "A thread.", commit_id, path: pull.path, line: 1, side: "RIGHT" };
        await scene.github.need(`POST /pulls/${number}/comments`, fields);
        const [made] = await threads(scene, pull);
        if (made === undefined) return "no thread";
        const { body } = await scene.github.graphql(RESOLVE, { id: made.id });
        const [error] = body.errors ?? [];
        if (error !== undefined) return error.message;
        const [after] = await threads(scene, pull);
        const state = after?.isResolved ? "resolved" : "open";
        return `${made.isResolved ? "resolved" : "open"}, then ${state} by ${after?.resolvedBy?.login ?? "nobody"}`;
      },
    },
    {
      habit: "A pull request is not merged at another head than it has",
      believed: ["409 Head branch was modified. Review and try the merge again."],
      ask: async ({ github }) => {
        const { status, body } = await github.call(`PUT /pulls/${pull.number}/merge`, {
          sha: NOWHERE,
        });
        return inWords(status, body);
      },
    },
    {
      habit: "A pull request that was closed is opened again",
      believed: ["closed, then open"],
      ask: async ({ github }) => {
        const route = `PATCH /pulls/${pull.number}`;
        const closed = await github.need<{ state: string }>(route, { state: "closed" });
        const opened = await github.need<{ state: string }>(route, { state: "open" });
        return `${closed.state}, then ${opened.state}`;
      },
    },
  ];
}

/** @param pull an open pull request of the trial */
export function mergeBeliefs(pull: TrialPull): readonly Belief[] {
  return [
    {
      habit: "A pull request is merged at the head that it has",
      believed: ["200"],
      ask: async ({ github }) => {
        const fields = { sha: pull.head, merge_method: "squash" };
        const { status, body } = await github.call(`PUT /pulls/${pull.number}/merge`, fields);
        return inWords(status, body);
      },
    },
  ];
}

interface RollupData {
  repository: { pullRequest: { statusCheckRollup: { contexts: { nodes: Context[] } } | null } };
}

const ROLLUP = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      statusCheckRollup { contexts(first: 100) { nodes { ... on CheckRun { name conclusion } } } }
    }
  }
}`;
