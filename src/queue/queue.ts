import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseQueueInputs } from "../inputs/queue.ts";
import { orCancelled } from "../ledger/run/cancelled.ts";
import { openLedgerRun } from "../ledger/run/ledger-run.ts";
import { failsStep } from "../ledger/run/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { queueLedger } from "./queue-ledger.ts";
import { QueueRun } from "./queue-run.ts";
import { reportQueue, reportQueueSkipped } from "./report.ts";
import { queueResultOf } from "./step-result.ts";

/**
 * Works through a list of tasks: finds out which of the running ones have ended, starts as many as the
 * limits allow, and leaves.
 *
 * @returns whether the step fails
 */
export async function queue(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { stop } = dependencies.cancellation;
  return await orCancelled(stop, async () => {
    const inputs = await parseQueueInputs(read, context);
    const opened = await openLedgerRun(queueLedger(inputs.name), inputs, context, dependencies);
    if (opened.type === "skipped") {
      reportQueueSkipped(opened.why, dependencies);
      return false;
    }
    const { ledgerRun } = opened;
    const queueRun = new QueueRun({ inputs, ledgerRun, dependencies });
    const result = await ledgerRun.perform(queueRun);
    const ran = { result, queueRun, inputs };
    const step = queueResultOf({ ...ran, isCancelled: stop.aborted });
    const { dashboardUrl, requests } = ledgerRun;
    reportQueue({ ...ran, dashboardUrl, requests }, step, dependencies);
    return failsStep(step);
  });
}
