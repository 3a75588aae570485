import { connector } from "../github/connect.ts";
import { GitRef } from "../github/git-ref.ts";
import { histories } from "../github/history.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import type { LandInputs } from "../inputs/land.ts";
import { SinglePolls } from "../job/wait.ts";
import { LedgerStore, patientGit, type StoreOptions } from "../ledger/protocol/store.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { recordLate } from "../ledger/run/post-step.ts";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { agentV2 } from "../service/agent-v2.ts";
import { previewsOf } from "../service/previews.ts";
import { Transport } from "../service/transport.ts";
import type { Facts, Step } from "./decide.ts";
import {
  type Entry,
  editOf,
  type LandEdit,
  type LandLedger,
  landFormat,
  type Result,
  takeResults,
} from "./ledger.ts";

/** What the main step saves for its post step, without secrets. */
interface SavedRun {
  ref: string;
  runName: string;
  project: string;
  repository: string;
  githubApiUrl: string;
  results: readonly Result[];
}

/** The number of previews that the service builds for an organization per minute. */
const MOST_PREVIEWS = 5;

/** What the service still accepts in this run. */
interface Limits {
  previews: number;
  /** Whether it accepts no more follow-ups for now. */
  isLimited: boolean;
  /** The error if it refuses the key, so that the run stops acting. */
  error: ActionError | null;
}

/** What a run of land works with. */
export type LandRun = ReturnType<typeof setUpRun>;

export function setUpRun(
  inputs: LandInputs,
  { repository, serverUrl, runId, attempt }: RunContext,
  dependencies: Dependencies,
) {
  const { projectId, name, ledgerRef } = inputs;
  const project = shortHash(projectId);
  const connect = connector(inputs, dependencies);
  const transport = new Transport(inputs, dependencies);
  const saved = {
    ref: ledgerRef ?? `refs/docs-agent/land/${name || project}`,
    runName: `${runId || "0"}-${attempt}-${drawName(dependencies)}`,
    ...{ project, repository, githubApiUrl: inputs.githubApiUrl.href },
  };
  const ref = new GitRef(repository, saved.ref, connect);
  return {
    ...{ inputs, repository, serverUrl, project, connect, dependencies, ref },
    store: new LedgerStore(patientGit(ref, dependencies), optionsOf(saved)),
    historyOf: histories(connect),
    agent: agentV2(transport, projectId),
    polls: new SinglePolls(dependencies),
    limits: { previews: MOST_PREVIEWS, isLimited: false, error: null } as Limits,
    previews: previewsOf(transport, projectId, dependencies.cancellation.stop),
    /** Saves what the post step needs if the run is killed; null for nothing. */
    remember: (results: readonly Result[] | null) => {
      const state: SavedRun | null = results && { ...saved, results };
      dependencies.outputs.saveState(state);
    },
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
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedRun;
  const change = (edit: LandEdit) => takeResults(edit, saved.runName, saved.results);
  await recordLate(saved, optionsOf(saved), change, read, dependencies);
}

function optionsOf({
  ref,
  runName,
  project,
}: Omit<SavedRun, "results">): StoreOptions<LandLedger, LandEdit> {
  return { ref, runName, format: landFormat({ action: "land", project }), editOf };
}

/** A docs pull request in a run. */
export interface Standing {
  /** The ledger's entry. */
  entry: Entry;
  /** Null if it could not be read. */
  facts: Facts | null;
  /** What is done about it, or why nothing is. */
  step: Step;
  /** What this run did. */
  result: Result;
}

export type ReadStanding = Standing & { facts: Facts };

export function warn({ dependencies }: LandRun, { url }: Entry, text: string): void {
  dependencies.log.warning(`${url}: ${text}`);
}

/** Whether the agent has finished new commits that no preview shows. */
export function needsPreview({ entry, facts }: ReadStanding, { inputs }: LandRun): boolean {
  const isDone = facts.job.state === "ended";
  return inputs.preview && isDone && entry.preview?.head !== facts.pull.head;
}
