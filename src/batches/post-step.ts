/** What a run saves for its post step, and the post step of one that was killed or could not record its results. */

import { connector } from "../github/api/connect.ts";
import type { Saved, Terms } from "../ledger/program.ts";
import { recordSaved } from "../ledger/record-saved.ts";
import { Recorder } from "../ledger/recorder.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { bareJob } from "../service/agent.ts";
import { type BatchValue, recordBatchAct, startedIn } from "./batch-program.ts";
import { type BatchRun, storeAt } from "./batch-run.ts";
import type { Ledger } from "./model/ledger.ts";
import type { LedgerAddress } from "./settings.ts";

/** What is recorded of any program with this ledger. */
interface RecordedTerms extends Terms {
  ledger: Ledger;
  value: BatchValue;
}

export function saveBatches(
  { address, dependencies }: BatchRun,
  saved: Saved<RecordedTerms> | null,
): void {
  const { outputs } = dependencies;
  if (saved === null) {
    outputs.saveState(null);
    return;
  }
  const acts = saved.acts.map(({ act, delivery }) => ({ act, delivery: withBareJob(delivery) }));
  outputs.saveState({ ...address, ...saved, acts });
}

/** Of a job, its ID is recorded. */
function withBareJob(delivery: Delivery<BatchValue>): Delivery<BatchValue> {
  const value = startedIn(delivery);
  if (value === null) return delivery;
  const job = bareJob(value.job.id, value.job.status);
  return { type: "accepted", value: { ...value, job } };
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
  const saved = state as LedgerAddress & Saved<RecordedTerms>;
  // The main step has checked it as src/inputs/ does, which this layer may not import.
  const githubToken = read("github-token").trim();
  const githubApiUrl = new URL(saved.githubApiUrl);
  const store = storeAt(
    saved,
    connector({ githubToken, githubApiUrl }, dependencies),
    dependencies,
  );
  const recorder = new Recorder<RecordedTerms>(
    (from, act, delivery, now) => recordBatchAct(from, act, delivery, now, saved),
    store,
  );
  const deliveries = saved.acts.map(({ delivery }) => delivery);
  await recordSaved(recorder, saved, dependencies.log, startedText(deliveries));
}

/** A sentence that names the started jobs; null for none. */
export function startedText(deliveries: readonly Delivery<BatchValue>[]): string | null {
  const started = deliveries.flatMap((delivery) => startedIn(delivery)?.job.id ?? []);
  return started.length === 0 ? null : `Jobs that were started: ${started.join(", ")}.`;
}
