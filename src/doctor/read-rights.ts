/** Tries the token's permissions: by reads, and by requests that GitHub is bound to refuse for their content. */

import * as z from "zod/mini";
import { readAnswer } from "../github/api/answer.ts";
import { explainRefusal, type Refusal } from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import type { GitHubAsker } from "./ask.ts";
import type { PullChecks, Reading, Right, RightFact, Rights } from "./facts.ts";

/** A commit that no repository has. */
const NO_COMMIT = "0".repeat(40);

/** GitHub checks the permission before the content, so its answer to whoever may not write says only that. */
const WRITES: Readonly<Partial<Record<Right, { route: string; fields: object }>>> = {
  "contents: write": {
    route: "POST /repos/{owner}/{repo}/git/refs",
    fields: { ref: "docs-agent", sha: NO_COMMIT },
  },
  "issues: write": { route: "POST /repos/{owner}/{repo}/issues", fields: { title: "" } },
  "pull-requests: write": {
    route: "POST /repos/{owner}/{repo}/pulls",
    fields: { title: "", head: "", base: "" },
  },
  "statuses: write": {
    route: "POST /repos/{owner}/{repo}/statuses/{sha}",
    fields: { sha: NO_COMMIT, state: "none" },
  },
  "deployments: write": { route: "POST /repos/{owner}/{repo}/deployments", fields: { ref: "" } },
};

const READS: Readonly<Partial<Record<Right, string>>> = {
  "contents: read": "GET /repos/{owner}/{repo}/commits",
  "actions: read": "GET /repos/{owner}/{repo}/actions/workflows",
};

/** Tries each of these permissions in a repository, except for those of {@link readNewestPull}. */
export async function tryRights(
  ask: GitHubAsker,
  repository: string,
  rights: readonly Right[],
): Promise<Rights> {
  const facts: Partial<Record<Right, RightFact>> = {};
  for (const right of rights) {
    const [write, read] = [WRITES[right], READS[right]];
    if (write !== undefined) facts[right] = await tryWrite(ask, repository, right, write);
    if (read !== undefined) {
      const place = { ...owned({ repository }), per_page: 1 };
      facts[right] = rightOf(await ask.read((github) => github.request(read, place), [right]));
    }
  }
  return facts;
}

async function tryWrite(
  ask: GitHubAsker,
  repository: string,
  right: Right,
  { route, fields }: { route: string; fields: object },
): Promise<RightFact> {
  const tried = await ask.read(async (github) => {
    try {
      await github.request(route, { ...owned({ repository }), ...fields });
      return HELD;
    } catch (error) {
      const fact = factOf(explainRefusal(error, [right]));
      if (fact === null) throw error;
      return fact;
    }
  });
  return tried.type === "read" ? tried.value : { type: "unknown", reason: tried.reason };
}

const HELD: RightFact = { type: "held" };
/** A setting of the repository, which does not matter here: the actions open no pull requests. */
const MAY_NOT_OPEN = /not permitted to create or approve pull requests/i;
const ARCHIVED = /archived/i;

/** What a refusal of a write says about the permission for it; null if it says nothing. */
export function factOf(refusal: Refusal): RightFact | null {
  if (refusal.type !== "rest") return null;
  const { status, message } = refusal;
  if ([400, 409, 410, 422].includes(status)) return HELD;
  if (status === 403 && MAY_NOT_OPEN.test(message)) return HELD;
  if (status === 403 && ARCHIVED.test(message)) return null;
  return status === 403 || status === 404 ? { type: "missing" } : null;
}

/** What the answer to a read says about the permission for it. */
function rightOf(reading: Reading<unknown>): RightFact {
  if (reading.type === "read") return HELD;
  if (reading.type === "unknown") return { type: "unknown", reason: reading.reason };
  // An empty repository has no commits, but GitHub says so only to those who may read them.
  if (reading.status === 409 || reading.status === 422) return HELD;
  const isMissing = reading.status === 403 || reading.status === 404;
  return isMissing ? { type: "missing" } : { type: "unknown", reason: reading.reason };
}

const pulls = z.array(
  z.object({ number: z.int(), html_url: z.string(), head: z.object({ sha: z.string() }) }),
);
const checkRuns = z.object({ check_runs: z.array(z.object({ name: z.string() })) });
const status = z.object({ statuses: z.array(z.object({ context: z.string() })) });

interface NewestPull {
  rights: Rights;
  /** Null if there is none. */
  newestPull: Reading<PullChecks | null>;
}

/** Reads the checks of the newest pull request, or else of a branch's tip, and so tries the permissions for that. */
export async function readNewestPull(
  ask: GitHubAsker,
  repository: string,
  branch: string,
): Promise<NewestPull> {
  const place = owned({ repository });
  const list = await ask.read(
    async (github) => {
      const { data } = await github.request("GET /repos/{owner}/{repo}/pulls", {
        ...place,
        state: "all",
        per_page: 1,
      });
      return readAnswer(pulls, data)[0] ?? null;
    },
    ["pull-requests: read"],
  );
  const pull = list.type === "read" ? list.value : null;
  const ref = { ...place, ref: pull?.head.sha ?? branch, per_page: 100 };
  const runs = await ask.read(
    async (github) => {
      const { data } = await github.request(
        "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
        ref,
      );
      return readAnswer(checkRuns, data).check_runs.map(({ name }) => name);
    },
    ["checks: read"],
  );
  const statuses = await ask.read(
    async (github) => {
      const { data } = await github.request("GET /repos/{owner}/{repo}/commits/{ref}/status", ref);
      return readAnswer(status, data).statuses.map(({ context }) => context);
    },
    ["statuses: read"],
  );
  const rights = {
    "pull-requests: read": rightOf(list),
    "checks: read": rightOf(runs),
    "statuses: read": rightOf(statuses),
  };
  return { rights, newestPull: newestPullOf(list, runs, statuses) };
}

function newestPullOf(
  list: Reading<z.infer<typeof pulls>[number] | null>,
  runs: Reading<string[]>,
  statuses: Reading<string[]>,
): Reading<PullChecks | null> {
  if (list.type !== "read") return list;
  if (list.value === null) return { type: "read", value: null };
  if (runs.type !== "read") return runs;
  if (statuses.type !== "read") return statuses;
  const { number, html_url: url } = list.value;
  const checks = [...runs.value, ...statuses.value];
  return { type: "read", value: { number, url, checks, heldRuns: 0 } };
}
