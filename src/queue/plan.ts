/** Plans a run of the queue, in the order of docs/queue.md. */

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
import type { BatchReads } from "../batches/batch-reads.ts";
import { type Hold, limitHold } from "../batches/dashboard/open-items.ts";
import type { DashboardFacts } from "../batches/dashboard-issue.ts";
import { failuresLeft } from "../batches/model/failures.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import {
  activeBatches,
  type BatchRevision,
  revisionOf,
  startsWithin,
} from "../batches/model/revision.ts";
import { applyDecisions } from "../batches/people.ts";
import type { PlanSettings } from "../batches/settings.ts";
import type { DryRun } from "../inputs/ledger.ts";
import { type Revision, withFields } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import { HOUR } from "../runtime/clock.ts";
import { textOfReason } from "../runtime/reason.ts";
import { QUEUE_REASONS, type QueueReason } from "./reasons.ts";
import type { TaskList, TaskLists } from "./tasks.ts";

export interface QueueNotes extends OwnNotes {
  readonly reason: QueueReason;
}

/** What a plan of the queue goes by. */
export interface QueueSettings extends PlanSettings {
  /** The tasks of its file. */
  lists: TaskLists;
  maxRunning: number;
  maxJobsPerHour: number;
  dryRun: DryRun;
}

/** Most tasks that one write claims, so that a runner that is lost leaves no more questions. */
const MOST_CLAIMED = 3;

export async function planQueue(
  from: Revision<Ledger>,
  reads: BatchReads,
  moment: Moment,
  settings: QueueSettings,
): Promise<Planned<BatchTerms, BatchNotes<QueueNotes>>> {
  const shown = await readDashboard(from, reads, settings);
  if (shown.type !== "dashboard") return shown;
  const { dashboard } = shown;

  const facts = await applyFacts(revisionOf(from.ledger, moment.now, settings.rules), reads);
  const { revision: settled, warnings } = applyDecisions(facts.revision, dashboard, settings);

  reads.checkCancelled();
  const list = settings.lists.of(settled);
  const { dryRun } = settings;
  const isDry = dryRun === "new" ? reads.commit() === null : dryRun;
  const most = isDry ? list.waiting.length : MOST_CLAIMED;
  const decision = decide(dropRemoved(settled, list), list, dashboard, { ...settings, most });
  return planOf(from, decision, { dashboard, facts, warnings }, moment, settings);
}

/** Plans the next few tasks of a run, after what came of those before. */
export async function planMoreTasks(
  from: Revision<Ledger>,
  moment: Moment,
  notes: DecidedNotes<QueueNotes>,
  settings: QueueSettings,
): Promise<Planned<BatchTerms, DecidedNotes<QueueNotes>>> {
  const revision = revisionOf(from.ledger, moment.now, settings.rules);
  const list = settings.lists.of(revision);
  const decision = decide(revision, list, notes.dashboard, { ...settings, most: MOST_CLAIMED });
  return planOfMore(from, decision, moment, notes);
}

/** A task that was removed from the file is no longer started. */
function dropRemoved(settled: BatchRevision, { ids }: TaskList): BatchRevision {
  const { waiting } = settled.ledger;
  const kept = waiting.filter(({ changes }) => changes.some(({ key }) => ids.has(key)));
  if (kept.length === waiting.length) return settled;
  return withFields(settled, { waiting: kept }, "Drop tasks that were removed from the file");
}

/** What holds the waiting tasks back by itself, for the dashboard; null for nothing of the kind. */
export function taskHold(
  revision: BatchRevision,
  { maxJobsPerHour: most }: QueueSettings,
): Hold | null {
  const isLimited = startsWithin(revision, HOUR) >= most;
  if (!isLimited) return null;
  return limitHold(revision.ledger, textOfReason(QUEUE_REASONS, { code: "hourly-limit", most }));
}

/**
 * Decides what to start: tasks that are started again first, then new ones in the order of the file. No more than may
 * fail before there are too many failures.
 */
function decide(
  revision: BatchRevision,
  { waiting }: TaskList,
  dashboard: DashboardFacts,
  { maxRunning, maxJobsPerHour, most }: QueueSettings & { most: number },
): BatchDecision<QueueNotes> {
  const nothing = (reason: QueueReason): BatchDecision<QueueNotes> => {
    return { revision, wishes: [], own: { reason, warnings: [] } };
  };
  const obstacle = obstacleIn(revision, dashboard);
  if (obstacle !== null) return nothing(obstacle);
  const places = maxRunning - activeBatches(revision).length;
  const requests = maxJobsPerHour - startsWithin(revision, HOUR);
  if (waiting.length === 0) return nothing({ code: "nothing-waits" });
  if (places <= 0) return nothing({ code: "all-running", most: maxRunning });
  if (requests <= 0) return nothing({ code: "hourly-limit", most: maxJobsPerHour });
  const chosen = waiting.slice(0, Math.min(places, requests, most, failuresLeft(revision)));
  const wishes = chosen.map(({ task, prompt, attempts, origin }) => {
    const attempt = attempts + 1;
    return { changes: [task], origin, attempt, followUp: null, jobId: null, prompt };
  });
  return { ...nothing({ code: "nothing-waits" }), wishes };
}
