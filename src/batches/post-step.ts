/** What a run saves for its post step, and the post step of one that was killed or could not record its results. */

import { connector } from "../github/api/connect.ts";
import { Recorder } from "../ledger/engine.ts";
import type { BasicResult, Saved, Terms } from "../ledger/program.ts";
import { recordSaved } from "../ledger/record-saved.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { recordDelivery, sentOf } from "./batch-program.ts";
import { type BatchRun, type LedgerAddress, storeAt } from "./batch-run.ts";
import { type ClosingResult, recordClosing } from "./closing-program.ts";
import type { Sent } from "./model/batches.ts";
import type { Ledger } from "./model/ledger.ts";

/** What is recorded of an act: of a hand-over, what was sent; of others, their result. */
export type SavedResult =
  | { type: "hand over"; sent: Sent }
  | { type: "closing"; result: ClosingResult | BasicResult };

interface SavedTerms extends Terms {
  ledger: Ledger;
  result: SavedResult;
}

/** The state of a main step. Plain data, without secrets. */
interface SavedBatches extends LedgerAddress, Saved<SavedTerms> {}

/** @param plainOf what the ledger records of a result */
export function saveBatches<T extends Terms>(
  { address, dependencies }: BatchRun,
  saved: Saved<T> | null,
  plainOf: (result: T["result"] | BasicResult) => SavedResult,
): void {
  if (saved === null) {
    dependencies.outputs.saveState(null);
    return;
  }
  const acts = saved.acts.map(({ act, result }) => ({ act, result: plainOf(result) }));
  const state: SavedBatches = { ...address, ...saved, acts };
  dependencies.outputs.saveState(state);
}

/**
 * The post step of a run that was killed, or could not record the results of its requests: records what is known.
 *
 * @param state the main step's
 */
export async function recordKilledRun(
  state: unknown,
  read: (input: string) => string,
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const address = state as SavedBatches;
  const { acts, rules, githubApiUrl } = address;
  // The main step has checked it as src/inputs/ does, which this layer may not import.
  const githubToken = read("github-token").trim();
  const connect = connector({ githubToken, githubApiUrl: new URL(githubApiUrl) }, dependencies);
  const recorder = new Recorder<SavedTerms>(
    {
      record: (from, act, saved, now) => {
        switch (saved.type) {
          case "hand over":
            return recordDelivery(from, act.id, saved.sent, now, address);
          case "closing":
            return recordClosing(from, act, saved.result, now, rules);
          case "withdrawn":
          case "uncertain":
            return act.type === "hand over"
              ? recordDelivery(from, act.id, sentOf(saved), now, address)
              : recordClosing(from, act, saved, now, rules);
        }
      },
    },
    storeAt(address, connect, dependencies),
  );
  await recordSaved(recorder, address, dependencies.log, startedText(acts.map(jobStarted)));
}

/** A sentence that names the started jobs; null for none. */
export function startedText(jobIds: readonly (string | null)[]): string | null {
  const started = jobIds.filter((id) => id !== null);
  return started.length === 0 ? null : `Jobs that were started: ${started.join(", ")}.`;
}

function jobStarted({ result }: SavedBatches["acts"][number]): string | null {
  return result.type === "hand over" && result.sent.type === "accepted" ? result.sent.jobId : null;
}
