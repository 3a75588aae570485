/** Asks GitHub about a docs pull request, also where the token may not read its checks. */

import { readAnswer } from "../api/answer.ts";
import { type PartError, partialAnswerOf } from "../api/failure.ts";
import type { Asker, Question } from "../api/questions.ts";
import {
  type CheckAnswer,
  DOCS_PULL,
  type DocsPullAnswer,
  docsPullAnswer,
  MORE_CHECKS,
  moreChecksAnswer,
  type PullRequestAnswer,
  type RollupAnswer,
} from "./docs-pull-answer.ts";

/** Which pull request. */
interface PullVariables {
  owner: string;
  name: string;
  number: number;
}

/** Maximum number of pages of checks: 1,000 checks. */
const MOST_PAGES = 10;

/** Checks of a pull request's head. `isComplete`: whether they are all. */
export interface CheckList {
  nodes: CheckAnswer[];
  isComplete: boolean;
}

/** @throws the client's errors, or `UnusableAnswer` if the response is not a pull request */
export async function askForPull(
  asker: Asker,
  variables: PullVariables,
): Promise<{ answer: DocsPullAnswer; mayReadChecks: boolean }> {
  const { data, mayReadChecks } = await ask(asker, DOCS_PULL, variables);
  return { answer: readAnswer(docsPullAnswer, data), mayReadChecks };
}

/** Reads the checks after the first 100, too. They are not all if the head has moved. */
export async function readAllChecks(
  asker: Asker,
  { head, statusCheckRollup }: PullRequestAnswer,
  variables: PullVariables,
): Promise<CheckList> {
  const nodes = nodesOf(statusCheckRollup);
  let page = statusCheckRollup?.contexts.pageInfo;
  for (let count = 1; page?.hasNextPage === true && count < MOST_PAGES; count += 1) {
    const after = page.endCursor;
    const asked = await ask(asker, MORE_CHECKS, { ...variables, after });
    const { pullRequest } = readAnswer(moreChecksAnswer, asked.data).repository;
    if (pullRequest.head !== head || !asked.mayReadChecks) return { nodes, isComplete: false };
    nodes.push(...nodesOf(pullRequest.statusCheckRollup));
    page = pullRequest.statusCheckRollup?.contexts.pageInfo;
  }
  return { nodes, isComplete: page?.hasNextPage !== true };
}

function nodesOf(rollup: RollupAnswer): CheckAnswer[] {
  return rollup?.contexts.nodes.filter((node) => node !== null) ?? [];
}

/**
 * GitHub puts an error beside its answer for each part that the token may not read. The workflow of a check needs
 * `actions: read`, and without it the checks can still be read.
 */
async function ask<V extends string>(
  asker: Asker,
  question: Question<V>,
  values: Readonly<Record<V, unknown>>,
) {
  try {
    return { data: await asker.ask(question, values), mayReadChecks: true };
  } catch (error) {
    const partial = partialAnswerOf(error);
    if (partial === null) throw error;
    const { data, errors } = partial;
    const isOfChecks = ({ type, path }: PartError) =>
      type === "FORBIDDEN" && CHECKS.some((field) => path?.includes(field));
    if (!errors.every(isOfChecks)) throw error;
    return { data, mayReadChecks: errors.every(({ path }) => path?.includes("workflowRun")) };
  }
}

const CHECKS = ["statusCheckRollup", "checkSuites"];
