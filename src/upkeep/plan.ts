/** Plans a run of upkeep, in the order of docs/upkeep.md. */

import { applyFacts } from "../batches/applied-facts.ts";
import {
  type BatchDecision,
  type BatchNotes,
  type DecidedNotes,
  type OwnNotes,
  obstacleIn,
  planOf,
  planOfMore,
  readDashboard,
} from "../batches/batch-plan.ts";
import type { BatchTerms } from "../batches/batch-program.ts";
import type { DashboardFacts } from "../batches/dashboard-issue.ts";
import { isKept } from "../batches/model/answers.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { revisionOf } from "../batches/model/revision.ts";
import { ignoringUnread } from "../batches/model/unread.ts";
import { applyDecisions } from "../batches/people.ts";
import type { PlanSettings } from "../batches/settings.ts";
import type { ChangeDetails } from "../github/changes/change-details.ts";
import { promptFor } from "../github/changes/change-prompt.ts";
import type { Revision } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import type { Unread } from "../runtime/fact.ts";
import { chooseBatch, decideTarget } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";
import { decideOwner, type OwnJob, takeOwner } from "./owner-workflow.ts";
import type { UpkeepReads } from "./reads.ts";
import type { UpkeepReason, UpkeepWarning } from "./reasons.ts";
import { type TakenSources, takeSources } from "./take-sources.ts";

/** The instruction about merged changes, unless the workflow gives one. */
const PROMPT =
  "Bring the documentation up to date with the changes below, which were merged into the " +
  "code. Change only what they make incorrect or incomplete. If nothing in the " +
  "documentation needs a change, change nothing.";

/** What upkeep has to say about its plan. */
export interface UpkeepNotes extends OwnNotes {
  readonly reason: UpkeepReason;
  readonly warnings: readonly UpkeepWarning[];
  readonly sources: TakenSources;
}

export async function planUpkeep(
  from: Revision<Ledger>,
  reads: UpkeepReads,
  moment: Moment,
  settings: PlanSettings & {
    inputs: UpkeepInputs;
    /** This run's job as the one that keeps the ledger. */
    own: OwnJob;
  },
): Promise<Planned<BatchTerms<UpkeepReads>, BatchNotes<UpkeepNotes>>> {
  const { inputs, own } = settings;
  const shown = await readDashboard(from, reads, settings);
  if (shown.type !== "dashboard") return shown;
  const { dashboard } = shown;

  const begun = revisionOf(from.ledger, moment.now, settings.rules);
  const isTaken = isKept(begun, settings.answered);
  const owner = await decideOwner(from.ledger.ownerWorkflow, own, isTaken, reads.file);
  const facts = await applyFacts(begun, reads);
  const { revision: settled, warnings } = applyDecisions(facts.revision, dashboard, settings);

  reads.checkCancelled();
  const gained = await takeSources(takeOwner(settled, owner), reads, inputs);

  const decision = await decide(gained, dashboard, reads, inputs, moment.name);
  return planOf(from, decision, { dashboard, facts, warnings }, moment, settings);
}

/** Plans the next part of a batch that the service refused. */
export async function planNextPart(
  from: Revision<Ledger>,
  reads: UpkeepReads,
  moment: Moment,
  notes: DecidedNotes<UpkeepNotes>,
  { inputs, rules }: { inputs: UpkeepInputs; rules: PlanSettings["rules"] },
): Promise<Planned<BatchTerms<UpkeepReads>, DecidedNotes<UpkeepNotes>>> {
  const revision = revisionOf(from.ledger, moment.now, rules);
  const taken = { ...notes.own.sources, revision };
  const decision = await decide(taken, notes.dashboard, reads, inputs, moment.name);
  return planOfMore(from, decision, moment, notes);
}

/** Decides whether, where and which changes are handed over. */
async function decide(
  taken: TakenSources,
  dashboard: DashboardFacts,
  reads: UpkeepReads,
  inputs: UpkeepInputs,
  runName: string,
): Promise<BatchDecision<UpkeepNotes>> {
  const { revision, names, runsLeft } = taken;
  const behind = runsLeft === null ? [] : [{ code: "behind", runs: runsLeft } as const];
  const nothing = (
    reason: UpkeepReason,
    after = revision,
    warnings: readonly UpkeepWarning[] = behind,
  ) => {
    return { revision: after, wishes: [], own: { reason, warnings, sources: taken } };
  };
  const obstacle = obstacleIn(revision, dashboard);
  if (obstacle !== null) return nothing(obstacle);
  const first = decideTarget(ignoringUnread(revision), inputs);
  if (first.type === "wait") {
    const { reason, warning } = first;
    if (warning !== null) return nothing(reason, revision, [...behind, warning]);
    const isIdle = reason.code === "nothing-new";
    return nothing(isIdle ? (behind[0] ?? reason) : reason);
  }
  const batch = await chooseBatch(revision, reads, inputs, names, (nth) => `${runName}.u${nth}`);
  // What cannot be read may have been what decides where the batch goes.
  const target = decideTarget(batch.revision, inputs);
  const waits = waitsOf(batch, behind);
  const { candidates, chosen } = batch;
  if (target.type === "wait") return nothing(waits[0] ?? target.reason, batch.revision, waits);
  const warnings = target.warning === null ? waits : [...waits, target.warning];
  const rest = nothing(waits[0] ?? { code: "nothing-new" }, batch.revision, warnings);
  if (candidates === null) return rest;
  const wish = {
    changes: chosen.map(({ change }) => change),
    attempt: candidates.attempts + 1,
    followUp: candidates.followUp,
    origin: candidates.origin,
    jobId: target.jobId,
    prompt: await promptOf(chosen, inputs),
  };
  return { ...rest, wishes: [wish] };
}

/** Why changes wait although nothing else holds them back. */
function waitsOf(
  { isLate, unread }: { readonly isLate: boolean; readonly unread: readonly Unread[] },
  behind: readonly { readonly code: "behind"; readonly runs: number }[],
) {
  const late = isLate ? [{ code: "behind", runs: 1 } as const] : [];
  const [first] = unread;
  const waits = behind.length > 0 ? behind : late;
  if (first === undefined) return waits;
  const { reason } = first;
  return [...waits, { code: "changes-unread", count: unread.length, reason } as const];
}

async function promptOf(
  chosen: readonly ChangeDetails[],
  { prompt, includeDiff }: UpkeepInputs,
): Promise<string> {
  return await promptFor(prompt ?? PROMPT, chosen, includeDiff);
}
