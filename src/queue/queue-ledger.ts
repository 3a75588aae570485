import { checkpointText } from "../ledger/dashboard/claim-lines.ts";
import type { LedgerContent, LedgerKind } from "../ledger/issue/ledger-kind.ts";
import { CHECKPOINT_LIMITS, type CheckpointLimits } from "../ledger/model/checkpoint.ts";
import { renderTaskClaim } from "./claim-text.ts";
import { HOUR } from "./decide-starts.ts";
import { type TaskChange, taskChangeShape } from "./task-change.ts";

/**
 * Most tasks that a queue hands over in its life: the body of its dashboard remembers them all, and has
 * no room for more. A task that is forgotten would be done again.
 */
export const MOST_REMEMBERED = 6_000;

/** What the body's marker holds: with 42,500 characters for the keys and 12,000 of text within GitHub's 65,536. */
export const QUEUE_LIMITS: CheckpointLimits = {
  ...CHECKPOINT_LIMITS,
  claims: 8_000,
  prints: MOST_REMEMBERED,
  countedFor: HOUR,
};

/** What the comments of every queue hold and say. */
export const QUEUE_CONTENT: LedgerContent<TaskChange> = {
  changeShape: taskChangeShape,
  renderClaim: renderTaskClaim,
  renderCheckpoint: () => checkpointText("The queue"),
};

/** The ledger of a queue. */
export function queueLedger(name: string): LedgerKind<TaskChange> {
  return {
    ...QUEUE_CONTENT,
    name: ledgerName(name),
    whose: "this queue's",
    title: `Docs queue: ${name}`,
    label: "docs-queue",
    introduction: "This issue shows how far the tasks are. Nothing has been read yet.",
    shown: null,
    limits: QUEUE_LIMITS,
    hasFollowUps: false,
  };
}

/** What tells the markers of one queue from those of another, and of upkeep. */
function ledgerName(name: string): string {
  return `queue ${name}`;
}
