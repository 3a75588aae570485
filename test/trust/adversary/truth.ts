/** What is true about a docs pull request on the emulated GitHub and at the service, as the design counts it. */

import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import type { Repository } from "../../../emulator/github/repository.ts";
import type { CheckRun, Pull, Review, ReviewComment } from "../../../emulator/github/state.ts";

/** What a check says: `silent` says nothing about the head. */
export type Result = "red" | "held" | "pending" | "success" | "silent" | "dropped";

const RED = ["failure", "timed_out", "startup_failure", "error"];
/** Of those of one name in one run, the first counts. */
const STRICTEST: Result[] = ["red", "pending", "held", "success", "dropped", "silent"];

function resultOf({ conclusion }: CheckRun): Result {
  if (conclusion === null) return "pending";
  if (RED.includes(conclusion)) return "red";
  if (conclusion === "action_required") return "held";
  if (conclusion === "success") return "success";
  return conclusion === "cancelled" || conclusion === "stale" ? "dropped" : "silent";
}

/** A check, known by its app, its workflow, the event of its run, and its name. */
export interface KnownCheck {
  name: string;
  /** What counts of its runs. */
  results: Result[];
  /** Those runs that GitHub shows. */
  runs: CheckRun[];
}

/** The checks of a head that GitHub shows. */
export function checksOf(home: Repository, head: string): KnownCheck[] {
  const shown = home.checkRuns.filter((run) => run.head_sha === head && run.shownAt <= home.readAt);
  // In one suite, a job that is run again replaces its own result.
  const latest = [...new Map(shown.map((run) => [`${run.suite} ${run.job}`, run])).values()];
  const byCheck = Map.groupBy(latest, (run) => {
    const suite = home.checkSuites.find(({ id }) => id === run.suite);
    return JSON.stringify([run.app, suite?.workflow, suite?.event, run.name]);
  });
  const checks = [...byCheck.values()].map((runs) => {
    const bySuite = [...Map.groupBy(runs, ({ suite }) => suite)].toSorted(([a], [b]) => a - b);
    const results = bySuite.map(([, own]) => strictest(own.map(resultOf)));
    const last = results.findLastIndex((it) => it === "success" || it === "red");
    const newer = results.slice(last + 1).filter((it) => it === "pending" || it === "held");
    const counting = [...results.slice(last, last < 0 ? 0 : last + 1), ...newer];
    const counted = counting.length > 0 ? counting : results.slice(-1);
    return { name: runs[0]?.name ?? "", results: counted, runs };
  });
  return [...checks, ...statusesOf(home, head)];
}

/** The newest status of each context. */
function statusesOf(home: Repository, head: string): KnownCheck[] {
  const own = home.statuses.filter(({ sha }) => sha === head);
  const latest = new Map(own.map((status) => [status.context, status.state]));
  return [...latest].map(([name, state]) => {
    const result = RED.includes(state) ? "red" : "pending";
    return { name, results: [state === "success" ? "success" : result], runs: [] };
  });
}

function strictest(results: readonly Result[]): Result {
  return STRICTEST.find((it) => results.includes(it)) ?? "silent";
}

/** Runs of workflows on a head that have not begun a job yet, and those that wait for an approval. */
export function unfinishedRuns(home: Repository, head: string): { queued: boolean; held: boolean } {
  const own = home.checkSuites.filter(({ sha, app }) => sha === head && app === WORKFLOW);
  const runs = home.checkRuns.filter((run) => run.shownAt <= home.readAt);
  const isEmpty = (id: number) => !runs.some(({ suite }) => suite === id);
  return {
    queued: own.some(({ id, isHeld }) => !isHeld && isEmpty(id)),
    held: own.some(({ isHeld }) => isHeld),
  };
}

function isWriter(home: Repository, login: string): boolean {
  return home.may(login, "write") && !login.endsWith("[bot]");
}

/** The newest opinion of each person with write permission, by when it was submitted. */
export function opinionsOf(home: Repository, { number }: Pull): Review[] {
  const opinions = home.reviews
    .filter(
      ({ pull, user, state, submitted_at }) =>
        pull === number &&
        submitted_at !== null &&
        isWriter(home, user) &&
        ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(state),
    )
    .toSorted((a, b) => submittedAt(a) - submittedAt(b) || a.id - b.id);
  return [...new Map(opinions.map((review) => [review.user, review])).values()];
}

function submittedAt({ submitted_at }: Pick<Review, "submitted_at">): number {
  return Date.parse(submitted_at ?? "");
}

/** Heads that land had GitHub make, to bring branches up to date. */
export type Updates = ReadonlySet<string>;

/** The newest approval of the head that has not ended: its author is not asked again, and the base is what it was. */
export function approvalOf(home: Repository, pull: Pull, updates: Updates): Review | null {
  const heads = [pull.head];
  // Land's own updates of the branch are no changes.
  for (let head = pull.head; updates.has(head); heads.push(head)) {
    head = home.find(head)?.parents[0] ?? "";
  }
  const changed = pull.baseChanges.at(-1) ?? Number.NEGATIVE_INFINITY;
  const approvals = opinionsOf(home, pull).filter(
    (review) =>
      review.state === "APPROVED" &&
      heads.includes(review.commit_id) &&
      submittedAt(review) > changed &&
      !pull.reviewers.includes(review.user),
  );
  return approvals.toSorted((a, b) => submittedAt(a) - submittedAt(b)).at(-1) ?? null;
}

/** A comment that people wait for the answer to. `at`: when others could see it. */
interface OpenComment {
  comment: ReviewComment;
  at: number;
}

/** Comments of writers in threads that no writer has resolved, without those between people. */
export function openComments(home: Repository, { number }: Pull): OpenComment[] {
  return home.reviewComments.flatMap((comment) => {
    const review = home.reviews.find(({ id }) => id === comment.pull_request_review_id);
    const isOver = comment.isResolved && isWriter(home, comment.resolvedBy ?? AGENT);
    const isSeen = review !== undefined && review.submitted_at !== null;
    if (comment.pull !== number || isOver || !isSeen || !isWriter(home, comment.user)) return [];
    return /^\s*\/aside\b/.test(comment.body) ? [] : [{ comment, at: submittedAt(review) }];
  });
}

/** Whether somebody else than the agent and land has a commit on its branch. */
export function isEditedByOthers(home: Repository, pull: Pull, updates: Updates): boolean {
  return home.commitsOf(pull).some(({ sha, author }) => author.name !== AGENT && !updates.has(sha));
}

export function isOnHold({ labels }: Pull): boolean {
  return labels.some((name) => name.toLowerCase() === "docs-hold");
}

/** When somebody last said or did something on it, land's own comments aside, in milliseconds since 1970. */
export function lastActivity(home: Repository, pull: Pull, reader: string): number {
  const said = home.commentsOn(pull.number).filter(({ author }) => author !== reader);
  const reviews = home.reviews.filter(
    ({ pull: of, submitted_at }) => of === pull.number && submitted_at !== null,
  );
  return Math.max(
    pull.createdAt,
    ...said.map(({ createdAt }) => createdAt),
    ...reviews.map(submittedAt),
    ...home.commitsOf(pull).map(({ at }) => at),
  );
}
