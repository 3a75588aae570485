import { connector } from "../github/connect.ts";
import { countingRequests } from "../github/count-requests.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseUpkeepInputs } from "../inputs/upkeep.ts";
import { asCancelled } from "../ledger/cancelled.ts";
import { createAgent } from "../ledger/create-agent.ts";
import { isAboutIssue, whySkipped } from "../ledger/event.ts";
import { openLedgerIssue } from "../ledger/open-ledger-issue.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { LedgerRuns } from "./ledger-runs.ts";
import { reportSkipped, reportUpkeep } from "./report.ts";
import { UpkeepSession } from "./session.ts";
import { NOTHING_SHOWN, type Shown } from "./shown.ts";
import { UPKEEP_LEDGER } from "./upkeep-ledger.ts";
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
  try {
    return await run(read, context, dependencies);
  } catch (error) {
    throw asCancelled(error, dependencies.cancellation.stop);
  }
}

async function run(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseUpkeepInputs(read, context);
  const skipped = whySkipped(context);
  if (skipped !== null) return reportSkipped(skipped, dependencies);

  const { connect, count } = countingRequests(connector(inputs, dependencies));
  const dashboard = await openLedgerIssue(UPKEEP_LEDGER, inputs, context, connect, dependencies);
  if (isAboutIssue(context) && context.payload.issue?.number !== dashboard?.place.issue) {
    return reportSkipped("the issue that was edited is not this project's dashboard", dependencies);
  }
  dependencies.outputs.setOutput("dashboardUrl", dashboard?.url ?? "");
  const agent = createAgent(inputs, dependencies);
  const session = new UpkeepSession({
    ...{ inputs, context, connect, agent, dependencies },
    shown: () => (dashboard?.ledger.shown as Shown | undefined) ?? NOTHING_SHOWN,
    text: () => dashboard?.ledger.text ?? "",
    tag: dashboard?.tag ?? "",
  });
  const runs = new LedgerRuns({ inputs, dashboard, session, agent, connect, dependencies });
  let result = await runs.run();
  let waitError: ActionError | null = null;
  const job = session.delivered?.job ?? null;
  if (inputs.wait && job !== null) {
    const isFollowUp = session.delivered?.isFollowUp ?? false;
    const waited = await waitForBatch(job, isFollowUp, agent, inputs, dependencies);
    if (waited.isEnded) result = await runs.finish(result, job.id);
    waitError = waited.error;
  }
  const { statuses } = runs;
  const dashboardUrl = dashboard?.url ?? "";
  const isCancelled = dependencies.cancellation.stop.aborted;
  return reportUpkeep(
    { result, session, inputs, statuses, dashboardUrl, waitError, requests: count(), isCancelled },
    dependencies,
  );
}
