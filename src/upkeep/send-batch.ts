import { type Delivered, deliver, type Target } from "../ledger/run/deliver.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";

/**
 * Sends a batch to a new job, or to the one that wrote the docs pull request that is still open. A job that
 * the service no longer knows gives way to a new one.
 */
export async function sendBatch(
  agent: Agent,
  target: Target,
  prompt: string,
  dependencies: Dependencies,
): Promise<Delivered> {
  const delivered = await deliver(agent, target, prompt, dependencies);
  if (target.type === "job" && delivered.isGone) {
    dependencies.log.info(
      `Job ${target.jobId} is no longer known to the service, so a new one is started.`,
    );
    return await deliver(agent, { type: "new" }, prompt, dependencies);
  }
  return delivered;
}
