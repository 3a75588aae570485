import type { Agent, JobReader } from "./agent.ts";
import { AgentV2 } from "./agent-v2.ts";
import type { Transport } from "./transport.ts";

/** Reads jobs of one version of the agent interface, for those who only poll. */
export async function createJobReader(
  api: Agent["version"],
  transport: Transport,
  projectId: string,
): Promise<JobReader> {
  if (api === "v2") return new AgentV2(transport, projectId);
  const { SessionReader } = await import("./session-reader.ts");
  return new SessionReader(transport, projectId);
}
