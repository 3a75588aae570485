import { connector } from "../github/connect.ts";
import { countingRequests } from "../github/count-requests.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseQueueInputs, type QueueInputs } from "../inputs/queue.ts";
import { asCancelled } from "../ledger/cancelled.ts";
import { asIfWriting } from "../ledger/dry-run.ts";
import { type ClaimMemory, drive, type LedgerPort } from "../ledger/effects.ts";
import { isAboutIssue, whySkipped } from "../ledger/event.ts";
import { ledgerPort } from "../ledger/ledger-port.ts";
import { type OpenedDashboard, openLedgerIssue } from "../ledger/open-ledger-issue.ts";
import { runLedger } from "../ledger/run-ledger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drawName } from "../runtime/draw-name.ts";
import type { Agent } from "../service/agent.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { createTransport } from "../service/create-transport.ts";
import { QUEUE_LIMITS, queueLedger } from "./queue-ledger.ts";
import type { SavedQueue } from "./recover.ts";
import { reportQueue, reportSkipped } from "./report.ts";
import { QueueSession } from "./session.ts";
import type { TaskChange } from "./task-change.ts";

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
  const inputs = await parseQueueInputs(read, context);
  const skipped = whySkipped(context);
  if (skipped !== null) return reportSkipped(skipped, dependencies);

  const { connect, count } = countingRequests(connector(inputs, dependencies));
  const kind = queueLedger(inputs.name);
  const dashboard = await openLedgerIssue(kind, inputs, context, connect, dependencies);
  if (isAboutIssue(context) && context.payload.issue?.number !== dashboard?.place.issue) {
    return reportSkipped("the issue that was edited is not this queue's dashboard", dependencies);
  }
  dependencies.outputs.setOutput("dashboardUrl", dashboard?.url ?? "");
  const agent = new AgentV2(createTransport(inputs, dependencies), inputs.projectId);
  const session = new QueueSession({
    ...{ inputs, agent, dependencies },
    text: () => dashboard?.ledger.text ?? "",
    tag: dashboard?.tag ?? "",
  });
  const port = portOf({ inputs, dashboard, session, agent, dependencies });
  const settings = { claimId: drawName(dependencies), limits: QUEUE_LIMITS };
  const result = await drive(runLedger<TaskChange>(settings), port);
  const dashboardUrl = dashboard?.url ?? "";
  const isCancelled = dependencies.cancellation.stop.aborted;
  return reportQueue(
    { result, session, inputs, dashboardUrl, requests: count(), isCancelled },
    dependencies,
  );
}

interface Parts {
  inputs: QueueInputs;
  /** Null for a dry run of a queue that has none yet. */
  dashboard: OpenedDashboard<TaskChange> | null;
  session: QueueSession;
  agent: Agent;
  dependencies: Dependencies;
}

function portOf({
  inputs,
  dashboard,
  session,
  agent,
  dependencies,
}: Parts): LedgerPort<TaskChange> {
  const port = ledgerPort<TaskChange>({
    dependencies,
    issue: dashboard?.ledger ?? null,
    reader: agent,
    choose: (state, ticked) => session.choose(state, ticked),
    send: (batch) => session.send(batch),
    render: (state, ticked) => session.render(state, ticked),
    onDone: async () => {},
    onStatus: () => {},
    hasFollowUps: false,
    waitedFor: new Set(),
    remember: (memory) => dependencies.outputs.saveState(savedOf(memory, inputs, dashboard)),
    draft: () => drawName(dependencies),
  });
  const { timeOfDay } = dependencies.clock;
  return inputs.dryRun ? asIfWriting(port, dashboard, timeOfDay) : port;
}

function savedOf(
  memory: ClaimMemory<TaskChange> | null,
  { projectId, githubApiUrl, name }: QueueInputs,
  dashboard: OpenedDashboard<TaskChange> | null,
): SavedQueue | null {
  if (memory === null || dashboard === null) return null;
  const { place } = dashboard;
  return { name, run: { memory, place, projectId, githubApiUrl: githubApiUrl.href } };
}
