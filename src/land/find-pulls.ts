/** Finds a docs pull request on GitHub: under its repository's present name, and only the agent's. */

import * as z from "zod/mini";
import { readAnswer } from "../github/api/answer.ts";
import {
  explainRefusal,
  isLasting,
  isOfGitHub,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { presentNames, type ReadingClient } from "../github/api/repository.ts";
import { owned } from "../github/api/rest.ts";
import { type DocsPull, readDocsPull } from "../github/changes/docs-pull.ts";
import { pullRequestAt } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { PullFacts, UnreadPull } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import type { LandRun } from "./run.ts";
import { LAND_MARK } from "./writes.ts";

type Questions = Pick<ReadingClient, "graphql">;

type FoundDocsPull = { readonly type: "found"; readonly pull: DocsPull } | UnreadPull;

const ELSEWHERE = "It is not on the GitHub that this workflow runs on, so it is left as it is.";

/** @param github asks several questions together */
export async function findDocsPull(
  entry: Pick<Entry, "url" | "repositoryId">,
  github: Questions,
  run: LandRun,
): Promise<FoundDocsPull> {
  const place = pullRequestAt(entry.url, run.serverUrl);
  if (place === null) {
    return { type: "unread", reason: ELSEWHERE, plainReason: ELSEWHERE, isPassing: false };
  }
  const { repositoryId: id } = entry;
  const { allowedCommitters } = run.inputs;
  try {
    const pull = await readDocsPull(github, { ...place, allowedCommitters, ownMark: LAND_MARK });
    const isOther = id !== null && pull.repositoryId !== null && pull.repositoryId !== id;
    return checked(isOther ? await readById(id, place.number, github, run) : pull);
  } catch (error) {
    if (id === null || !isLasting(error)) return unreadOf(error);
    return await readById(id, place.number, github, run).then(checked, unreadOf);
  }
}

/** Its old name may belong to another repository now, or lead nowhere. */
async function readById(id: number, number: number, github: Questions, run: LandRun) {
  const repository = await presentNames(run.connect)(id);
  const { allowedCommitters } = run.inputs;
  const place = { repository, number, allowedCommitters, ownMark: LAND_MARK };
  return await readDocsPull(github, place);
}

function checked(pull: DocsPull): FoundDocsPull {
  if (pull.state !== "open" || !pull.isByPerson) return { type: "found", pull };
  const author = inlineCode(pull.author, 60);
  const reason = `Its author, ${author}, is a person and not the agent, so it is left as it is.`;
  const plainReason = "Its author is a person and not the agent, so it is left as it is.";
  return { type: "unread", reason, plainReason, isPassing: false };
}

const PERMISSIONS: TokenPermissions = [
  "contents: write",
  "pull-requests: write",
  "checks: read",
  "statuses: read",
];

/** @throws any other error than GitHub's */
export function unreadOf(error: unknown): UnreadPull {
  const { reason, isPassing } = explainRefusal(error, PERMISSIONS);
  return {
    type: "unread",
    reason: `It cannot be read: ${reason}.`,
    plainReason: "It cannot be read: check that the token can read its repository.",
    isPassing,
  };
}

const CODE_PULL_QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { state head: headRefOid } }
}`;

const codePullAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({ state: z.enum(["OPEN", "MERGED", "CLOSED"]), head: z.string() }),
  }),
});

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

/** The state of the code pull request that a draft documents. */
export async function readCodePull(
  { codePull, changes }: Entry,
  github: Questions,
  { serverUrl }: LandRun,
): Promise<PullFacts["codePull"]> {
  if (codePull === null) return null;
  const place = pullRequestAt(codePull, serverUrl);
  if (place === null) return "unread";
  const { owner, repo: name } = owned(place);
  try {
    const answer = await github.graphql(CODE_PULL_QUERY, { owner, name, number: place.number });
    const { state, head } = readAnswer(codePullAnswer, answer).repository.pullRequest;
    const documented = changes[0]?.sha;
    const isOutdated = documented !== undefined && documented !== head;
    return state === "MERGED" && isOutdated ? "outdated" : STATES[state];
  } catch (error) {
    if (!isOfGitHub(error)) throw error;
    return "unread";
  }
}
