/** Why the queue starts no more tasks: codes, and what each means. */

import { type RunTable, SHARED_REASONS } from "../batches/reasons.ts";
import { BY_DECISION } from "../batches/waits.ts";
import { fixed, type ReasonOf, varying } from "../runtime/reason.ts";
import { counted } from "../text/sentence.ts";

export const QUEUE_REASONS = {
  ...SHARED_REASONS,
  "nothing-waits": {
    result: "idle",
    ...fixed(
      "agent",
      null,
      "No task waits.",
      "the end of the running tasks, or new tasks in the file",
    ),
  },
  "all-running": {
    result: "busy",
    ...varying(
      "agent",
      null,
      { most: 3 },
      ({ most }) => `As many tasks are running as \`max-running\` allows: ${most}.`,
      "the end of a task, or a higher `max-running`; after `job-deadline-hours`, the boxes on the dashboard",
    ),
  },
  "hourly-limit": {
    result: "limited",
    ...varying(
      "limit",
      null,
      { most: 50 },
      ({ most }) =>
        `As many tasks were started within an hour as \`max-jobs-per-hour\` allows: ${most}. ` +
        "The rest waits for a later run.",
      "a higher `max-jobs-per-hour`, or time",
    ),
  },
  // The file has none.
  "no-tasks": {
    result: "idle",
    ...fixed("person", null, "The task file has no task.", "tasks in the file"),
  },
  // All others are at an end.
  "decisions-open": {
    result: "idle",
    ...varying(
      "person",
      null,
      { count: 2 },
      ({ count }) =>
        `All other tasks are finished. ${counted(count, "task")} ${count === 1 ? "needs" : "need"} a decision.`,
      BY_DECISION,
    ),
  },
  // Every task is at an end.
  finished: {
    result: "finished",
    ...fixed("nobody", null, "All tasks are finished.", "new tasks in the file"),
  },
} satisfies RunTable;

/** Why a run starts no more tasks. */
export type QueueReason = ReasonOf<typeof QUEUE_REASONS>;
