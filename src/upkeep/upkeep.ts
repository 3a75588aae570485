import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseUpkeepInputs } from "../inputs/upkeep.ts";
import { orCancelled } from "../ledger/run/cancelled.ts";
import { openLedgerRun } from "../ledger/run/ledger-run.ts";
import { failsStep } from "../ledger/run/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { reportUpkeep, reportUpkeepSkipped } from "./report.ts";
import { upkeepResultOf } from "./step-result.ts";
import { UPKEEP_LEDGER } from "./upkeep-ledger.ts";
import { UpkeepRun } from "./upkeep-run.ts";
import { waitForBatch } from "./wait-for-batch.ts";

/**
 * Keeps the documentation in step with the code: finishes what earlier runs started, collects what has
 * landed since, hands it to the agent, and leaves.
 *
 * @returns whether the step fails
 */
export async function upkeep(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { stop } = dependencies.cancellation;
  return await orCancelled(stop, async () => {
    const inputs = parseUpkeepInputs(read, context);
    const opened = await openLedgerRun(UPKEEP_LEDGER, inputs, context, dependencies);
    if (opened.type === "skipped") {
      reportUpkeepSkipped(opened.why, dependencies);
      return false;
    }
    const { ledgerRun } = opened;
    const upkeepRun = new UpkeepRun({ inputs, context, ledgerRun, dependencies });
    let result = await ledgerRun.perform(upkeepRun);
    const waited = await waitForBatch(upkeepRun.delivered, ledgerRun.agent, inputs, dependencies);
    if (waited.endedJob !== null) {
      result = await ledgerRun.finish(upkeepRun, result, waited.endedJob);
    }
    const ran = { result, upkeepRun, inputs };
    const step = upkeepResultOf({ ...ran, waitError: waited.error, isCancelled: stop.aborted });
    const { statuses, dashboardUrl, requests } = ledgerRun;
    reportUpkeep({ ...ran, statuses, dashboardUrl, requests }, step, dependencies);
    return failsStep(step);
  });
}
