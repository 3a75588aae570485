import type { Dependencies } from "../../runtime/dependencies.ts";
import { AgentV2 } from "../../service/agent-v2.ts";
import { Transport } from "../../service/transport.ts";

/** The agent of a project, by version 2 of its interface: nothing is sent yet. */
export function createProjectAgent(
  { baseUrl, apiKey, projectId }: { baseUrl: URL; apiKey: string; projectId: string },
  { http, clock, secrets }: Pick<Dependencies, "http" | "clock" | "secrets">,
): AgentV2 {
  const transport = new Transport({ http, secrets, baseUrl, apiKey, timeOfDay: clock.timeOfDay });
  return new AgentV2(transport, projectId);
}
