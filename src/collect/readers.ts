import type { CollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { JobReader } from "../service/agent.ts";
import { createTransport } from "../service/create-transport.ts";
import { createJobReader } from "../service/job-reader.ts";

/** What reads jobs, made once for each version of the agent interface. */
export function createReaders(
  inputs: CollectInputs,
  dependencies: Dependencies,
): (api: string) => Promise<JobReader> {
  const transport = createTransport(inputs, dependencies);
  const readers = new Map<string, Promise<JobReader>>();
  return (api) => {
    const version = api === "v1" ? "v1" : "v2";
    const reader = readers.get(version) ?? createJobReader(version, transport, inputs.projectId);
    readers.set(version, reader);
    return reader;
  };
}
