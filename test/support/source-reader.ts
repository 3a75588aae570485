import type { BatchRevision } from "../../src/batches/model/revision.ts";
import type { HistoryReader } from "../../src/github/changes/history-reader.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { chooseBatch } from "../../src/upkeep/decide.ts";
import type { UpkeepInputs } from "../../src/upkeep/inputs.ts";
import { SourceReader, type SourceReads } from "../../src/upkeep/source-reader.ts";
import type { SourceFacts } from "../../src/upkeep/sources.ts";
import { takeSources } from "../../src/upkeep/take-sources.ts";

/** Reads upkeep's sources in a workflow of `acme/code`. @param requests how many the run has made to GitHub */
export function readerOf(
  historyOf: (repository: string) => Promise<HistoryReader>,
  inputs: UpkeepInputs,
  stop = new AbortController().signal,
  requests = () => 0,
  sleep = async () => {},
) {
  const reader = new SourceReader({
    inputs,
    repository: "acme/code",
    historyOf,
    stop,
    clock: { ...systemClock, sleep },
    requests,
    readEnded: async () => new Set(),
    readHistory: async () => [],
    readOtherAgents: async () => ({ links: [], branches: [] }),
  });
  return { read: (begun: BatchRevision) => readAll(reader, begun, inputs) };
}

/** Takes what the sources gained, and chooses a batch. `sources`: what was read, in that order. */
async function readAll(reader: SourceReader, begun: BatchRevision, inputs: UpkeepInputs) {
  const sources: SourceFacts[] = [];
  const reads: SourceReads = {
    readsLeft: () => reader.readsLeft(),
    requestsLeft: () => reader.requestsLeft(),
    place: (wanted) => reader.place(wanted),
    releaseTags: (place) => reader.releaseTags(place),
    release: (...about) => reader.release(...about),
    details: (...about) => reader.details(...about),
    files: (...about) => reader.files(...about),
    handedOver: (key) => reader.handedOver(key),
    source: async (...about) => {
      const fact = await reader.source(...about);
      if (fact.type === "known") sources.push(fact.value);
      return fact;
    },
  };
  const taken = await takeSources(begun, reads, inputs);
  const { revision, names } = taken;
  const { chosen } = await chooseBatch(revision, reads, inputs, names, String);
  return { ...taken, sources, chosen };
}
