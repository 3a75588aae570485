/** What upkeep may ask before it decides: what the sources gained since the cursors, and details of changes. */

import { asked, type BatchReads, batchReads, oncePer } from "../batches/batch-reads.ts";
import { type BatchRun, readAgents } from "../batches/batch-run.ts";
import { histories } from "../github/changes/history-reader.ts";
import {
  type PresentQuestion,
  type PresentState,
  readPresent,
} from "../github/changes/present-state.ts";
import { Unavailable } from "../ledger/unavailable.ts";
import { valueOrError } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import type { UpkeepInputs } from "./inputs.ts";
import { SourceReader, type SourceReads } from "./source-reader.ts";

export interface UpkeepReads extends BatchReads, SourceReads {
  /** A file of the default branch, by its path. */
  file(path: string): Promise<Fact<string>>;
  /** What decides about a hand-over, as it is now: one request. */
  present(question: PresentQuestion): Promise<Fact<PresentState>>;
}

export function upkeepReads(run: BatchRun, inputs: UpkeepInputs, repository: string): UpkeepReads {
  const { dependencies, store } = run;
  const ended = new Map<string | null, Promise<ReadonlySet<string>>>();
  const sources: SourceReader = new SourceReader({
    inputs,
    repository,
    historyOf: histories(run.connect, () => sources.mostPages()),
    stop: dependencies.cancellation.stop,
    clock: dependencies.clock,
    requests: run.requests,
    readEnded: () => asked(ended, store.head.sha, () => run.readEnded()),
    readOtherAgents: () => readAgents(store.git, store.options.ref),
    readHistory: () => run.readHistory(store.head.ledger.historyFiles),
  });
  return {
    ...batchReads(run),
    readsLeft: () => sources.readsLeft(),
    requestsLeft: () => sources.requestsLeft(),
    place: (wanted) => sources.place(wanted),
    source: (wanted, place, revision) => sources.source(wanted, place, revision),
    releaseTags: (place) => sources.releaseTags(place),
    release: (place, waiting, tags) => sources.release(place, waiting, tags),
    details: (change, name) => sources.details(change, name),
    files: (change, name) => sources.files(change, name),
    handedOver: (key) => sources.handedOver(key),
    file: oncePer((path: string) => readFile(run, path)),
    present: (question) => readPresent(run.connect, question),
  };
}

async function readFile({ store }: BatchRun, path: string): Promise<Fact<string>> {
  const text = await valueOrError(store.git.readFile(null, path), Unavailable);
  if (text instanceof Unavailable) {
    const { reason } = text;
    return { type: "unread", cause: "unanswered", reason, isPassing: true, status: null };
  }
  return text === null ? { type: "absent" } : { type: "known", value: text };
}
