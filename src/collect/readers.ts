import type { CollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { JobReader } from "../service/agent.ts";
import { createJobReader } from "../service/job-reader.ts";
import { Transport } from "../service/transport.ts";

/** Returns a job reader for a version of the agent API; each reader is created once. */
export function createReaders(
  { apiKey, projectId, baseUrl }: CollectInputs,
  { http, secrets, clock }: Dependencies,
): (api: string) => Promise<JobReader> {
  const transport = new Transport({ http, baseUrl, apiKey, secrets, timeOfDay: clock.timeOfDay });
  const readers = new Map<string, Promise<JobReader>>();
  return (api) => {
    const version = api === "v1" ? "v1" : "v2";
    const reader = readers.get(version) ?? createJobReader(version, transport, projectId);
    readers.set(version, reader);
    return reader;
  };
}
