/** Which pull requests a run judges. */

import type { Commit, Pull } from "../github/changes/history-records.ts";
import type { Payload, RunContext } from "../github/trigger/run-context.ts";
import { ActionError, invalidInput } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import { JUDGE_AGAIN, requireValue } from "./unread.ts";

/** A queue groups at most 100 pull requests. */
const MOST_PULLS = 100;
/** The branch of a merge queue is named after the group's last pull request. */
const BRANCH = /\/pr-(\d+)-[0-9a-f]+$/;
/** The first lines of the commits that GitHub creates from pull requests. */
const TITLE = /^Merge pull request #(\d+) from |\(#(\d+)\)$/;
/** Events whose runs judge all open pull requests. */
const SWEEPS = ["schedule", "workflow_run", "workflow_dispatch", "repository_dispatch"];

/** A merge queue's group: the branch of the queue, and the SHAs of its base and of its last commit. */
export interface MergeGroup {
  ref: string;
  base: string;
  head: string;
}

export type Subject =
  /** An event of the pull request itself, on which the step's result is a check. */
  | { type: "pull"; number: number }
  /** A comment on a pull request, on which the step's result is not a check. */
  | { type: "comment"; number: number }
  | { type: "group"; group: MergeGroup }
  | { type: "open" }
  /** A comment on an issue. */
  | { type: "none" };

/** What the event is about. @throws ActionError `invalid-input` for other events */
export function subjectOf({ eventName, payload }: RunContext): Subject {
  const { pull_request, merge_group, issue } = payload;
  if (pull_request?.number !== undefined) {
    return { type: "pull", number: pull_request.number };
  }
  if (merge_group !== undefined) return { type: "group", group: groupOf(merge_group) };
  const commented = eventName === "issue_comment" ? issue?.number : undefined;
  if (commented === undefined && !SWEEPS.includes(eventName)) {
    throw invalidInput(
      "The gate runs on `pull_request`, `pull_request_review`, `issue_comment`, `merge_group`, " +
        "`workflow_run`, `workflow_dispatch` and `schedule`.",
    );
  }
  if (commented === undefined) return { type: "open" };
  const isOnPull = issue?.pull_request !== undefined;
  return isOnPull ? { type: "comment", number: commented } : { type: "none" };
}

function groupOf({ head_ref, base_sha, head_sha }: NonNullable<Payload["merge_group"]>) {
  if (head_ref === undefined || base_sha === undefined || head_sha === undefined) {
    throw invalidInput("The event does not name the commits of a merge queue's group.");
  }
  return { ref: head_ref, base: base_sha, head: head_sha };
}

/**
 * The pull requests of a merge queue's group: first the one that its branch names, then those of its commits, the last
 * first. `isOfTitle`: only the title of a commit names it, which anybody can write, so it may be an issue.
 *
 * @throws ActionError `github-unavailable` if GitHub does not show the group's commits
 */
export async function groupPulls(
  { ref, base, head }: MergeGroup,
  reads: {
    /** A commit and its history, newest first, up to a base. */
    commitsBack(head: string, base: string): Promise<Fact<Commit[]>>;
    /** The open pull requests that a commit belongs to. */
    openPullsOf(sha: string): Promise<Fact<Pull[]>>;
  },
): Promise<{ number: number; isOfTitle: boolean }[]> {
  const commits = await reads.commitsBack(head, base);
  const isUnshown = commits.type === "unread" && commits.cause === "incomplete";
  if (commits.type === "absent" || isUnshown) {
    const problem = "GitHub does not show the commits of the merge queue's group.";
    throw new ActionError("github-unavailable", problem, JUDGE_AGAIN);
  }
  const [, named] = BRANCH.exec(ref) ?? [];
  const pulls = numbersIn(named).map((number) => ({ number, isOfTitle: false }));
  for (const commit of firstParents(requireValue(commits), head, base).slice(0, MOST_PULLS)) {
    pulls.push(...(await pullsOf(commit, reads)));
  }
  const sure = pulls.filter(({ isOfTitle }) => !isOfTitle).map(({ number }) => number);
  const numbers = [...new Set(pulls.map(({ number }) => number))];
  return numbers
    .slice(0, MOST_PULLS)
    .map((number) => ({ number, isOfTitle: !sure.includes(number) }));
}

/** The number in a name; none if it has none. */
function numbersIn(digits: string | undefined): number[] {
  const number = Number(digits);
  return number > 0 ? [number] : [];
}

/** The commits that the queue put on top of each other, the last first. */
function firstParents(commits: readonly Commit[], head: string, base: string): Commit[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  bySha.delete(base);
  const chain: Commit[] = [];
  let sha: string | undefined = head;
  while (sha !== undefined) {
    const commit = bySha.get(sha);
    if (commit !== undefined) chain.push(commit);
    sha = commit?.parents[0];
  }
  return chain;
}

/** Of a merge commit that only the queue's branch has, GitHub may know no pull request: its second parent is a head. */
async function pullsOf({ sha, parents, title }: Commit, reads: Parameters<typeof groupPulls>[1]) {
  const [, merged] = parents;
  const own = requireValue(await reads.openPullsOf(sha));
  const isOthers = own.length === 0 && merged !== undefined;
  const pulls = isOthers ? requireValue(await reads.openPullsOf(merged)) : own;
  const named = TITLE.exec(title)?.slice(1).find(Boolean);
  const known = pulls.map(({ number }) => ({ number, isOfTitle: false }));
  return [...known, ...numbersIn(named).map((number) => ({ number, isOfTitle: true }))];
}
