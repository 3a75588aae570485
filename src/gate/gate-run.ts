import type { Connect } from "../github/api/connect.ts";
import type { AgentTraces } from "../github/changes/change-details.ts";
import type { History } from "../github/changes/history.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import type { ProjectInputs } from "../inputs/shared.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { GateReader } from "./gate-reader.ts";
import type { GateInputs } from "./inputs.ts";

/** The advice of a run that was cancelled, or that GitHub failed. */
export const JUDGE_AGAIN = "Run the job again.";

/** The parts of a run of the gate. */
export interface GateRun {
  inputs: GateInputs;
  context: RepositoryContext;
  connect: Connect;
  history: History;
  reader: GateReader;
  /** How to recognize the agent's own pull requests. Read once. */
  agent: () => Promise<AgentTraces>;
  dependencies: Dependencies;
}

/** A run that has a key of the service. */
export interface KeyedRun extends GateRun {
  service: ProjectInputs;
}
