/** Which tasks are started one after another. */

import type { BatchValue } from "../batches/batch-program.ts";
import { MOST_REFUSED_TASKS } from "../batches/model/failures.ts";
import type { Delivery } from "../runtime/delivery.ts";

/** Whether the service refused what a task asks for: it needs a decision, and the others go on. */
export function isRefusedContent(
  delivery: Delivery<BatchValue>,
): delivery is Extract<Delivery<never>, { readonly type: "refused" }> {
  return delivery.type === "refused" && delivery.by === "content";
}

/** Whether the next task is started after these. @param refusedBefore the last refusals of earlier runs, in a row */
export function mayStartAnother(
  deliveries: readonly Delivery<BatchValue>[],
  refusedBefore: number,
): boolean {
  const accepted = deliveries.findLastIndex((delivery) => !isRefusedContent(delivery));
  const refused = deliveries.length - 1 - accepted;
  const inRow = accepted < 0 ? refusedBefore + refused : refused;
  if (inRow >= MOST_REFUSED_TASKS) return false;
  return deliveries.every((delivery) => delivery.type === "accepted" || isRefusedContent(delivery));
}
