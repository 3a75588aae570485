/** The problems of a docs pull request that the agent can fix. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import type { OpenComment, Review } from "../github/changes/docs-pull-words.ts";
import { failedChecks } from "./checks.ts";
import type { LandInputs } from "./inputs.ts";
import type { PullEntry } from "./ledger.ts";
import type { ProblemCounts } from "./reason-kinds.ts";
import { approvalOf, commentsOf, isAside, objections } from "./reviews.ts";

/** `id`: its cause, which the agent gets once, however often it is reported again. */
export type PullProblem =
  | { readonly type: "check"; readonly id: string; readonly check: Check }
  | { readonly type: "build"; readonly id: string; readonly statusId: string }
  | { readonly type: "review"; readonly id: string; readonly review: Review }
  | { readonly type: "comment"; readonly id: string; readonly comment: OpenComment }
  | { readonly type: "conflict"; readonly id: string };

/** Once the last commit is approved, only what keeps it from being merged is sent: a new commit costs the approval. */
export function problemsOf(pull: DocsPull, entry: PullEntry, rules: LandInputs): PullProblem[] {
  const isApproved = approvalOf(pull, entry, rules) !== null;
  const problems: PullProblem[] = [];
  if (rules.checks === "follow-up") {
    const isSent = ({ name }: Check) => !isApproved || rules.requiredChecks.includes(name);
    const failed = failedChecks(pull, rules).filter(isSent);
    problems.push(...failed.map((check) => ofCheck(check, pull)));
    const build = isApproved ? null : failedBuild(pull, entry);
    if (build !== null) problems.push(build);
  }
  if (rules.reviews === "follow-up") {
    const against = objections(pull, rules).filter(({ body }) => !isAside(body));
    const comments = isApproved ? [] : commentsOf(pull, rules);
    problems.push(...against.map(ofReview), ...comments.map(ofComment));
  }
  if (rules.conflicts === "follow-up" && pull.isConflicting === true) {
    problems.push({ type: "conflict", id: `conflict ${pull.head}` });
  }
  return problems;
}

function ofCheck(check: Check, { head }: DocsPull): PullProblem {
  return { type: "check", id: `check ${check.name} on ${head}`, check };
}

function failedBuild({ head }: DocsPull, { preview }: PullEntry): PullProblem | null {
  if (preview?.state !== "failed" || preview.head !== head) return null;
  const { statusId } = preview;
  return { type: "build", id: `build of ${head}`, statusId };
}

function ofReview(review: Review): PullProblem {
  return { type: "review", id: `review ${review.id}`, review };
}

function ofComment(comment: OpenComment): PullProblem {
  return { type: "comment", id: `comment ${comment.id}`, comment };
}

export function countsOf(problems: readonly PullProblem[]): ProblemCounts {
  const counts: Partial<Record<keyof ProblemCounts, number>> = {};
  for (const { type } of problems) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
