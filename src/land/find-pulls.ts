/** Finds a docs pull request on GitHub: under its repository's present name, and only the agent's. */

import * as z from "zod/mini";
import { readAnswer } from "../github/api/answer.ts";
import type { Asker, Question } from "../github/api/questions.ts";
import {
  explainRefusal,
  isLasting,
  isOfGitHub,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { type DocsPull, readDocsPull } from "../github/changes/docs-pull.ts";
import { pullRequestAt } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { PullFacts, UnreadPull } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import type { LandRun } from "./run.ts";
import { LAND_MARK } from "./writes.ts";

type FoundDocsPull = { readonly type: "found"; readonly pull: DocsPull } | UnreadPull;

const ELSEWHERE = "It is not on the GitHub that this workflow runs on, so it is left as it is.";

export async function findDocsPull(
  entry: Pick<Entry, "url" | "repositoryId">,
  run: LandRun,
): Promise<FoundDocsPull> {
  const place = pullRequestAt(entry.url, run.serverUrl);
  if (place === null) {
    return { type: "unread", reason: ELSEWHERE, plainReason: ELSEWHERE, isPassing: false };
  }
  const { repositoryId: id } = entry;
  const { allowedCommitters } = run.inputs;
  try {
    const github = await run.connect();
    const pull = await readDocsPull(github, { ...place, allowedCommitters, ownMark: LAND_MARK });
    const isOther = id !== null && pull.repositoryId !== null && pull.repositoryId !== id;
    return checked(isOther ? await readById(id, place.number, run) : pull);
  } catch (error) {
    if (id === null || !isLasting(error)) return unreadOf(error);
    return await readById(id, place.number, run).then(checked, unreadOf);
  }
}

/** Its old name may belong to another repository now, or lead nowhere. */
async function readById(id: number, number: number, run: LandRun) {
  const repository = await run.nameOf(id);
  const { allowedCommitters } = run.inputs;
  const place = { repository, number, allowedCommitters, ownMark: LAND_MARK };
  return await readDocsPull(await run.connect(), place);
}

function checked(pull: DocsPull): FoundDocsPull {
  const { author } = pull;
  const isPersons = pull.isByPerson && author !== null;
  if (pull.state.type !== "open" || !isPersons) return { type: "found", pull };
  const reason = `Its author, ${inlineCode(author, 60)}, is a person and not the agent, so it is left as it is.`;
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

const CODE_PULL: Question<"owner" | "name" | "number"> = {
  variables: { owner: "String!", name: "String!", number: "Int!" },
  fields: (variable) => ({
    repository: `repository(owner: ${variable("owner")}, name: ${variable("name")}) {
    pullRequest(number: ${variable("number")}) { state head: headRefOid }
  }`,
  }),
  fragments: "",
};

const codePullAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({ state: z.enum(["OPEN", "MERGED", "CLOSED"]), head: z.string() }),
  }),
});

const STATES = { OPEN: "open", MERGED: "merged", CLOSED: "closed" } as const;

/** The state of the code pull request that a draft documents. */
export async function readCodePull(
  { codePull, changes }: Entry,
  asker: Asker,
  { serverUrl }: LandRun,
): Promise<PullFacts["codePull"]> {
  if (codePull === null) return null;
  const place = pullRequestAt(codePull, serverUrl);
  if (place === null) return "unread";
  const { owner, repo: name } = owned(place);
  try {
    const answer = await asker.ask(CODE_PULL, { owner, name, number: place.number });
    const { state, head } = readAnswer(codePullAnswer, answer).repository.pullRequest;
    const documented = changes[0]?.sha;
    const isOutdated = documented !== undefined && documented !== head;
    return state === "MERGED" && isOutdated ? "outdated" : STATES[state];
  } catch (error) {
    if (!isOfGitHub(error)) throw error;
    return "unread";
  }
}
