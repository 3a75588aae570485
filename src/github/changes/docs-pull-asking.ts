/** Asks GitHub about a docs pull request, also where the token may not read its checks. */

import type * as z from "zod/mini";
import { type Fact, known, mapFact } from "../../runtime/fact.ts";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import type { GitHub } from "../api/client.ts";
import type { FieldPath } from "../api/route.ts";

/** Maximum number of pages of checks: 1,000 checks. */
const MOST_PAGES = 10;

/** In lists, null is what the token may not read, with or without an error. */
export async function askForPull(
  github: GitHub,
  { repository, number }: { repository: string; number: number },
): Promise<
  Fact<{ answer: z.infer<typeof docsPullAnswers.docsPullAnswer>; mayReadChecks: boolean }>
> {
  const fact = await github.docsPulls.get({ repository, number });
  return mapFact(fact, ({ data: answer, lacking }) => {
    const { statusCheckRollup: rollup, headCommit } = answer.repository.pullRequest;
    const suites = headCommit.nodes.flatMap(({ commit }) => commit.checkSuites?.nodes ?? []);
    const areHidden = suites.length > 0 && suites.every((suite) => suite === null);
    const isOneHidden = rollup?.contexts.nodes.includes(null) === true;
    const mayReadChecks = isOnlyWorkflows(lacking) && !areHidden && !isOneHidden;
    return { answer, mayReadChecks };
  });
}

/** The workflow of a check needs `actions: read`, and without it the checks can still be read. */
function isOnlyWorkflows(lacking: readonly FieldPath[]): boolean {
  return lacking.every((path) => path.includes("workflowRun"));
}

/**
 * Reads the checks after the first 100, too. They are not all if the head has moved, or the token may not read one.
 *
 * @returns `isComplete`: whether they are all
 */
export async function readAllChecks(
  github: GitHub,
  { head, statusCheckRollup }: z.infer<typeof docsPullAnswers.pullRequest>,
  { repository, number }: { repository: string; number: number },
): Promise<Fact<{ nodes: z.infer<typeof docsPullAnswers.check>[]; isComplete: boolean }>> {
  const nodes = statusCheckRollup?.contexts.nodes.slice() ?? [];
  let page = statusCheckRollup?.contexts.pageInfo;
  for (let count = 1; page?.hasNextPage === true && count < MOST_PAGES; count += 1) {
    const after = page.endCursor;
    const asked = await github.docsPulls.moreChecks({ repository, number, after });
    if (asked.type !== "known") return asked;
    const { data, lacking } = asked.value;
    const { pullRequest } = data.repository;
    const isSame = pullRequest.head === head && isOnlyWorkflows(lacking);
    if (!isSame) return known({ nodes: readable(nodes), isComplete: false });
    nodes.push(...(pullRequest.statusCheckRollup?.contexts.nodes ?? []));
    page = pullRequest.statusCheckRollup?.contexts.pageInfo;
  }
  const isWhole = page?.hasNextPage !== true && !nodes.includes(null);
  return known({ nodes: readable(nodes), isComplete: isWhole });
}

function readable(
  nodes: readonly (z.infer<typeof docsPullAnswers.check> | null)[],
): z.infer<typeof docsPullAnswers.check>[] {
  return nodes.filter((node) => node !== null);
}
