/** Which checks are red on the newest commit of a branch: a pull request into it did not break them. */

import { type Fact, known } from "../../runtime/fact.ts";
import type { GitHub } from "../api/client.ts";
import { RED } from "./docs-pull-checks.ts";

/**
 * Their names. What the token may not read is red nowhere: of such a pull request, it reads no checks either.
 *
 * @param branch its name
 */
export async function redChecksOn(
  github: GitHub,
  repository: string,
  branch: string,
): Promise<Fact<string[]>> {
  const ref = `heads/${branch}`;
  const [runs, status] = await Promise.all([
    github.commits.checkRuns({ repository, ref }),
    github.commits.status({ repository, ref }),
  ]);
  for (const fact of [runs, status]) {
    if (fact.type === "unread" && fact.isPassing) return fact;
  }
  const names: string[] = [];
  if (runs.type === "known") {
    const concluded = runs.value.items
      .filter(({ conclusion }) => conclusion === "success" || isRed(conclusion))
      .toSorted((run, other) => run.id - other.id);
    // The newest of a name counts: GitHub lists those of each suite.
    const newest = new Map(concluded.map(({ name, conclusion }) => [name, conclusion]));
    names.push(...[...newest].flatMap(([name, result]) => (isRed(result) ? name : [])));
  }
  if (status.type === "known") {
    const red = status.value.items.filter(({ state }) => isRed(state));
    names.push(...red.map(({ context }) => context));
  }
  return known([...new Set(names)]);
}

function isRed(result: string | null | undefined): boolean {
  return RED.includes(result ?? "none");
}
