/** Asks GitHub about a docs pull request, also where the token may not read its checks. */

import * as z from "zod/mini";
import { readAnswer } from "../api/answer.ts";
import type { ReadingClient } from "../api/repository.ts";
import {
  type CheckAnswer,
  DOCS_PULL_QUERY,
  type DocsPullAnswer,
  docsPullAnswer,
  MORE_CHECKS_QUERY,
  moreChecksAnswer,
  type PullRequestAnswer,
  partialAnswer,
  type RollupAnswer,
} from "./docs-pull-answer.ts";

type Client = Pick<ReadingClient, "graphql">;
type Variables = Record<string, unknown>;

/** Maximum number of pages of checks: 1,000 checks. */
const MOST_PAGES = 10;

/** Checks of a pull request's head. `isComplete`: whether they are all. */
export interface CheckList {
  nodes: CheckAnswer[];
  isComplete: boolean;
}

/** @throws the client's errors, or `UnusableAnswer` if the response is not a pull request */
export async function askForPull(
  github: Client,
  variables: Variables,
): Promise<{ answer: DocsPullAnswer; mayReadChecks: boolean }> {
  const { data, mayReadChecks } = await ask(github, DOCS_PULL_QUERY, variables);
  return { answer: readAnswer(docsPullAnswer, data), mayReadChecks };
}

/** Reads the checks after the first 100, too. They are not all if the head has moved. */
export async function readAllChecks(
  github: Client,
  { head, statusCheckRollup }: PullRequestAnswer,
  variables: Variables,
): Promise<CheckList> {
  const nodes = nodesOf(statusCheckRollup);
  let page = statusCheckRollup?.contexts.pageInfo;
  for (let count = 1; page?.hasNextPage === true && count < MOST_PAGES; count += 1) {
    const after = page.endCursor;
    const asked = await ask(github, MORE_CHECKS_QUERY, { ...variables, after });
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
async function ask(github: Client, query: string, variables: Variables) {
  try {
    return { data: await github.graphql(query, variables), mayReadChecks: true };
  } catch (error) {
    const partial = z.safeParse(partialAnswer, error);
    if (!partial.success) throw error;
    const { data, errors } = partial.data;
    const isOfChecks = ({ type, path }: (typeof errors)[number]) =>
      type === "FORBIDDEN" && CHECKS.some((field) => path?.includes(field));
    if (!errors.every(isOfChecks)) throw error;
    return { data, mayReadChecks: errors.every(({ path }) => path?.includes("workflowRun")) };
  }
}

const CHECKS = ["statusCheckRollup", "checkSuites"];
