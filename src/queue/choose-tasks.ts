/** Decides which tasks a queue starts. */

import type { QueueInputs } from "../inputs/queue.ts";
import type { Delivery } from "../job/send.ts";
import type { Choice, PlannedHandOver } from "../ledger/batches/batch-program.ts";
import { withFields } from "../ledger/model/file.ts";
import { activeBatches, type BatchRevision, startsWithin } from "../ledger/model/revision.ts";
import type { BasicResult } from "../ledger/program.ts";
import { HOUR } from "../runtime/clock.ts";
import type { TaskList } from "./tasks.ts";

/** After this many consecutive refusals, something may be wrong for all tasks. */
export const MOST_REFUSALS = 3;

/** Chooses what to start: tasks that are started again first, then new ones in the order of the file. */
export function chooseTasks(
  settled: BatchRevision,
  list: TaskList,
  { maxRunning, perHour }: Pick<QueueInputs, "maxRunning" | "perHour">,
): Choice<null> {
  const { waiting } = settled.ledger;
  // A task that was removed from the file is no longer started.
  const kept = waiting.filter(({ changes }) => changes.some(({ key }) => list.ids.has(key)));
  const isDropped = kept.length < waiting.length;
  const revision = isDropped
    ? withFields(settled, { waiting: kept }, "Drop tasks that were removed from the file")
    : settled;
  const nothing = { revision, handOvers: [], notes: null };
  const places = maxRunning - activeBatches(revision).length;
  const requests = perHour - startsWithin(revision, HOUR);
  if (list.waiting.length === 0) return { ...nothing, reason: "idle" };
  if (places <= 0) return { ...nothing, reason: "busy" };
  if (requests <= 0) return { ...nothing, reason: "limited" };
  const chosen = list.waiting.slice(0, Math.min(places, requests));
  const handOvers = chosen.map(({ task, prompt, attempts }): PlannedHandOver => {
    return { changes: [task], attempt: attempts + 1, followUp: null, jobId: null, prompt };
  });
  return { ...nothing, handOvers, reason: "idle" };
}

type RefusedContent = Extract<Delivery, { type: "refused"; by: "content" }>;

/** Whether the service refused what a task asks for: it needs a decision, and the others go on. */
export function isRefusedContent(delivery: Delivery | BasicResult): delivery is RefusedContent {
  return delivery.type === "refused" && delivery.by === "content";
}

/** Whether the next task is started after these. */
export function mayStartAnother(deliveries: readonly (Delivery | BasicResult)[]): boolean {
  const last = deliveries.slice(-MOST_REFUSALS);
  if (last.length === MOST_REFUSALS && last.every(isRefusedContent)) return false;
  return deliveries.every((delivery) => delivery.type === "accepted" || isRefusedContent(delivery));
}
