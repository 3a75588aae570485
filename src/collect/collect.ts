import { connector } from "../github/connect.ts";
import { jobMarkers } from "../github/job-marker.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type CollectInputs, parseCollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { JobReader } from "../service/agent.ts";
import { createJobReader } from "../service/job-reader.ts";
import { Transport } from "../service/transport.ts";
import { choose } from "./choose.ts";
import { findComments } from "./find-comments.ts";
import { report } from "./report.ts";
import { Sweep } from "./sweep.ts";

/**
 * Finishes the comments of jobs that nobody waited for.
 *
 * @returns false: what could not be finished is left to the next sweep
 * @throws ActionError when the comments cannot be read, the key is refused, or the run is cancelled
 */
export async function collect(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseCollectInputs(read, context);
  const { age, projectId, triggerPhrase: phrase } = inputs;
  const { repository } = context;
  const connect = connector(inputs, dependencies);
  const markers = jobMarkers(inputs.keys, projectId);
  const readerOf = createReaders(inputs, dependencies);

  const found = await findComments({ repository, markers, connect, age, dependencies });
  const chosen = choose(found.comments, found.now);
  const finishing = { context, connect, markers, phrase, dependencies };
  const sweep = new Sweep({ readerOf, finishing, now: found.now, dependencies });
  await sweep.run(chosen);
  const { swept } = sweep;
  report(swept, chosen.left, dependencies);
  if (swept.refused !== null) throw swept.refused;
  if (dependencies.cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
  return false;
}

const CANCELLED = "This workflow run was cancelled. The next sweep finishes what is left.";

/** What reads jobs, made once for each version of the agent interface. */
function createReaders(
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
