/** Which tasks are started one after another. */

import { type BatchValue, isRefusedContent } from "../batches/batch-program.ts";
import type { Delivery } from "../runtime/delivery.ts";

/** Whether the next task is started after these: a task that the service refuses does not keep the others waiting. */
export function mayStartAnother(deliveries: readonly Delivery<BatchValue>[]): boolean {
  return deliveries.every((delivery) => delivery.type === "accepted" || isRefusedContent(delivery));
}
