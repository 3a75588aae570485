import { connector } from "../github/api/connect.ts";
import { GitRef } from "../github/api/git-ref.ts";
import { histories } from "../github/changes/history.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type LandInputs, parseLandInputs } from "../inputs/land.ts";
import { SinglePolls } from "../job/wait.ts";
import { type Head, LedgerStore } from "../ledger/protocol/store.ts";
import { LEDGER_WORDS } from "../ledger/protocol/unavailable.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { agentV2 } from "../service/agent-v2.ts";
import { previewsOf } from "../service/previews.ts";
import { Transport } from "../service/transport.ts";
import type { Facts, Step } from "./decide.ts";
import { type Entry, LandEdit, type LandLedger, landFormat, type Result } from "./ledger.ts";

/** What a run of land works with. */
export type LandRun = ReturnType<typeof setUpRun>;

/** What the main step saves for its post step. */
interface SavedRun {
  runName: string;
  results: readonly Result[];
}

export function setUpRun(
  inputs: LandInputs,
  { repository, serverUrl, runId, attempt }: RunContext,
  dependencies: Dependencies,
) {
  const { projectId, name } = inputs;
  const project = shortHash(projectId);
  const connect = connector(inputs, dependencies);
  const transport = new Transport(inputs, dependencies);
  const { cancellation, outputs } = dependencies;
  const ref = inputs.ledgerRef ?? `refs/docs-agent/land/${name || project}`;
  const runName = `${runId || "0"}-${attempt}-${drawName(dependencies)}`;
  const git = new GitRef(repository, ref, connect, dependencies, LEDGER_WORDS);
  const editOf = ({ ledger, now }: Head<LandLedger>) => new LandEdit(ledger, now);
  return {
    inputs,
    repository,
    serverUrl,
    project,
    connect,
    dependencies,
    store: new LedgerStore(git, { ref, runName, format: landFormat(project), editOf }),
    historyOf: histories(connect),
    agent: agentV2(transport, projectId),
    polls: new SinglePolls(dependencies),
    previews: previewsOf(transport, projectId, cancellation.stop),
    /** What the service still accepts in this run. */
    limits: {
      /** Whether it builds no more previews for now. */
      isPreviewLimited: false,
      /** Whether it accepts no more follow-ups for now. */
      isLimited: false,
      /** The error if it refuses the key, so that the run stops acting. */
      error: null as ActionError | null,
    },
    /** Saves what the post step needs if the run is killed; null for nothing. */
    remember: (results: readonly Result[] | null) =>
      outputs.saveState(results && ({ runName, results } satisfies SavedRun)),
  };
}

/**
 * The post step of a run that was killed or could not record what it did: records what is known.
 *
 * @param state the main step's state
 */
export async function recordKilledLand(
  state: unknown,
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { runName, results } = state as SavedRun;
  const { store } = setUpRun(parseLandInputs(read, context), context, dependencies);
  await store.recordLate((edit) => edit.takeResults(runName, results), dependencies.log);
}

/** A docs pull request in a run. */
export interface TrackedPull {
  /** The ledger's entry. */
  entry: Entry;
  /** Null if it could not be read. */
  facts: Facts | null;
  /** What is done about it, or why nothing is. */
  step: Step;
  /** Why it needed a person when the run began. */
  needed: string;
  /** What this run did. */
  result: Result;
}
