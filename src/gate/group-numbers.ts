import type { History } from "../github/history.ts";
import type { Payload } from "../github/run-context.ts";

/** A queue groups at most 100 pull requests. */
const MOST_PULLS = 100;
/** The branch that a merge queue makes is named after the group's last pull request. */
const BRANCH = /\/pr-(\d+)-[0-9a-f]+$/;
/** The first lines of the commits that GitHub makes of pull requests. */
const TITLES = [/^Merge pull request #(\d+) from /, /\(#(\d+)\)$/];

/** The pull requests of a merge queue's group, the last first. */
export async function groupNumbers(
  { head_ref = "", base_sha = "", head_sha = "" }: NonNullable<Payload["merge_group"]>,
  history: Pick<History, "compare">,
): Promise<number[]> {
  const { commits = [] } = (await history.compare(base_sha, head_sha)) ?? {};
  const titles = commits.map(({ message }) => message.split("\n", 1)[0] ?? "").reverse();
  const told = titles.map((title) => TITLES.map((it) => it.exec(title)?.[1]).find(Boolean));
  const numbers = [BRANCH.exec(head_ref)?.[1], ...told].filter((it) => it !== undefined);
  return [...new Set(numbers.map(Number))].slice(0, MOST_PULLS);
}
