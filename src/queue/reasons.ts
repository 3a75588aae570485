/** Why the queue starts no more tasks: codes, and what each means. */

import {
  type RunTable,
  SHARED_REASONS,
  type SharedReason,
  type WaitResult,
} from "../batches/reasons.ts";
import type { ReasonEntry } from "../runtime/reason.ts";

/** Why a run starts no more tasks. */
export type QueueReason =
  | SharedReason
  /** No task waits. */
  | { readonly code: "nothing-waits" }
  /** As many run as may. */
  | { readonly code: "all-running"; readonly most: number }
  | { readonly code: "hourly-limit"; readonly most: number }
  /** Every task is at an end, or needs a decision. */
  | { readonly code: "finished" };

export const QUEUE_REASONS: RunTable<QueueReason> = {
  ...SHARED_REASONS,
  "nothing-waits": {
    result: "idle",
    waitsFor: "agent",
    longest: null,
    text: () => "No task waits.",
    wayOut: "the end of the running tasks, or new tasks in the file",
  },
  "all-running": {
    result: "busy",
    waitsFor: "agent",
    longest: null,
    text: ({ most }) => `As many tasks are running as \`max-running\` allows: ${most}.`,
    wayOut:
      "the end of a task, or a higher `max-running`; after `job-deadline-hours`, the boxes on the dashboard",
  },
  "hourly-limit": {
    result: "limited",
    waitsFor: "limit",
    longest: null,
    text: ({ most }) =>
      `As many tasks were started within an hour as \`per-hour\` allows: ${most}. The rest waits for a later run.`,
    wayOut: "a higher `per-hour`, or time",
  },
  finished: {
    result: "finished",
    waitsFor: "nobody",
    longest: null,
    text: () => "All tasks are finished.",
    wayOut: "new tasks in the file",
  },
};

export function queueText(reason: QueueReason): string {
  const entry: ReasonEntry<QueueReason> = QUEUE_REASONS[reason.code];
  return entry.text(reason);
}

export function queueResult({ code }: QueueReason): WaitResult {
  return QUEUE_REASONS[code].result;
}
