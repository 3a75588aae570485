/** Decides which tasks a queue starts. */

import { type Choice, type PlannedHandOver, sentOf } from "../batches/batch-program.ts";
import type { Sent } from "../batches/model/batches.ts";
import { MOST_REFUSED_TASKS } from "../batches/model/failures.ts";
import { activeBatches, type BatchRevision, startsWithin } from "../batches/model/revision.ts";
import type { Delivery } from "../job/send.ts";
import { withFields } from "../ledger/file.ts";
import type { BasicResult } from "../ledger/program.ts";
import { HOUR } from "../runtime/clock.ts";
import type { QueueInputs } from "./inputs.ts";
import type { TaskList } from "./tasks.ts";

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

/** What the ledger records of a task that was sent: one whose content was refused is not started again by itself. */
export function sentTask(delivery: Delivery | BasicResult): Sent {
  if (!isRefusedContent(delivery)) return sentOf(delivery);
  return { type: "rejected", reason: delivery.error.problem };
}

/** Whether the next task is started after these. @param refusedBefore the last refusals of earlier runs, in a row */
export function mayStartAnother(
  deliveries: readonly (Delivery | BasicResult)[],
  refusedBefore: number,
): boolean {
  const accepted = deliveries.findLastIndex((delivery) => !isRefusedContent(delivery));
  const refused = deliveries.length - 1 - accepted;
  const inRow = accepted < 0 ? refusedBefore + refused : refused;
  if (inRow >= MOST_REFUSED_TASKS) return false;
  return deliveries.every((delivery) => delivery.type === "accepted" || isRefusedContent(delivery));
}
