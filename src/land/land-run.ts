import { type Connect, connector } from "../github/api/connect.ts";
import { GitRef } from "../github/api/git-ref.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import { SinglePolls } from "../job/wait.ts";
import { LedgerStore } from "../ledger/store.ts";
import { LEDGER_MESSAGES } from "../ledger/unavailable.ts";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";
import { agentV2 } from "../service/agent-v2.ts";
import { type Builds, buildsOf } from "../service/builds.ts";
import { Transport } from "../service/transport.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandInputs } from "./inputs.ts";
import { type LandLedger, landFormat } from "./ledger.ts";

/** How many docs pull requests one request reads. GitHub takes at most 10 s for it. */
export const PULLS_AT_ONCE = 8;

/** The beginning of the comments that land writes. */
export const LAND_MARK = "docs-agent-land:";

/** The advice of a cancelled run. */
export const ALL_DONE_RECORDED = "What was done is recorded. The next run continues.";

/** What a run of land works with. */
export interface LandRun {
  readonly inputs: LandInputs;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  readonly repositoryId: number | null;
  /** Whether a person started it. */
  readonly isByHand: boolean;
  /** Address of GitHub for people. */
  readonly serverUrl: string;
  /** The beginning of the hash of the project's ID. */
  readonly project: string;
  readonly connect: Connect;
  readonly dependencies: Dependencies;
  readonly store: LedgerStore<LandLedger>;
  readonly agent: Agent;
  readonly polls: SinglePolls;
  readonly builds: Builds;
}

export function setUpLandRun(
  inputs: LandInputs,
  { repository, repositoryId, eventName, serverUrl, runId, attempt }: RepositoryContext,
  dependencies: Dependencies,
): LandRun {
  const { projectId } = inputs;
  const project = shortHash(projectId);
  const connect = connector(inputs, dependencies);
  const transport = new Transport(inputs, dependencies);
  const ref = inputs.ledgerRef ?? `refs/docs-agent/land/${project}`;
  const runName = `${runId || "0"}-${attempt}-${drawName(dependencies)}`;
  const git = new GitRef(repository, ref, connect, dependencies, LEDGER_MESSAGES);
  const options = { ref, runName, format: landFormat(project) };
  return {
    inputs,
    repository,
    repositoryId,
    isByHand: eventName === "workflow_dispatch",
    serverUrl,
    project,
    connect,
    dependencies,
    store: new LedgerStore(git, options, dependencies.clock),
    agent: agentV2(transport, projectId),
    polls: new SinglePolls(dependencies),
    builds: buildsOf(transport, projectId),
  };
}
