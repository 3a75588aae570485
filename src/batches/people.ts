/** What people decided: by the boxes of the dashboard, and in a run by hand by its input `decisions`. */

import { withFields } from "../ledger/file.ts";
import { spellOut, ticksAfterEdit } from "./dashboard/boxes.ts";
import type { DashboardFacts } from "./dashboard-issue.ts";
import { decisionsOf, isAnsweredAnew, withRun } from "./model/answers.ts";
import { applyDecision, undecidedEntries } from "./model/decisions.ts";
import type { BatchRevision } from "./model/revision.ts";
import type { SharedWarning } from "./reasons.ts";
import type { PlanSettings } from "./settings.ts";

/** Records what people decided. The answers of the run come first: who answers knows what the dashboard shows. */
export function applyDecisions(
  revision: BatchRevision,
  dashboard: DashboardFacts,
  settings: PlanSettings,
): ReturnType<typeof applyAnswers> {
  const answered = applyAnswers(revision, settings);
  return { ...answered, revision: applyTicks(answered.revision, dashboard, settings) };
}

/** Applies the answers of a run by hand, once. `warnings`: what there is to say about them. */
function applyAnswers(
  revision: BatchRevision,
  { answered }: PlanSettings,
): { readonly revision: BatchRevision; readonly warnings: readonly SharedWarning[] } {
  const { answers } = answered;
  if (answers.length === 0) return { revision, warnings: [] };
  if (!isAnsweredAnew(revision, answered)) {
    return { revision, warnings: [{ code: "answered-before" }] };
  }
  const { decisions, unknown } = decisionsOf(answers, revision);
  const after = decisions.reduce(applyDecision, revision);
  const answeredRuns = withRun(after.ledger.answeredRuns, answered);
  return {
    revision: withFields(after, { answeredRuns }),
    warnings: unknown.map((id) => ({ code: "unknown-id", id })),
  };
}

function applyTicks(
  revision: BatchRevision,
  { issue }: DashboardFacts,
  { edit }: PlanSettings,
): BatchRevision {
  const body = issue === null ? "" : issue.body;
  const ticks = ticksAfterEdit(body, edit.type === "edited" ? edit.body : null);
  const decisions = spellOut(ticks, undecidedEntries(revision));
  return decisions.reduce(applyDecision, revision);
}
