import type { RunInputs } from "../inputs/run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { createTransport } from "../service/create-transport.ts";

/** @param over aborted when nothing of the agent is wanted any more: stops streams that are still read */
export async function createAgent(
  inputs: RunInputs,
  dependencies: Dependencies,
  over: AbortSignal,
): Promise<Agent> {
  const { api, projectId } = inputs;
  const transport = createTransport(inputs, dependencies);
  if (api.version === "v2") return new AgentV2(transport, projectId);
  // Loaded only by those who still ask for it.
  const { AgentV1 } = await import("../service/agent-v1.ts");
  const { clock, log } = dependencies;
  const show = (text: string) => log.info(text);
  const { choices } = api;
  return new AgentV1({ transport, projectId, choices, clock, over, show });
}
