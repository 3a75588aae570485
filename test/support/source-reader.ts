import type { History } from "../../src/github/changes/history.ts";
import type { UpkeepInputs } from "../../src/upkeep/inputs.ts";
import { SourceReader } from "../../src/upkeep/read-sources.ts";

/** Reads upkeep's sources in a workflow of `acme/code`. @param requests how many the run has made to GitHub */
export function readerOf(
  historyOf: (repository: string) => Promise<History>,
  inputs: UpkeepInputs,
  stop = new AbortController().signal,
  requests = () => 0,
  sleep = async () => {},
) {
  return new SourceReader({
    inputs,
    repository: "acme/code",
    historyOf,
    stop,
    clock: { sleep },
    requests,
    readEnded: async () => new Set(),
    readOtherAgents: async () => ({ links: [], branches: [] }),
  });
}
