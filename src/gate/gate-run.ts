import type { Draft } from "../batches/model/ledger.ts";
import type { Connect } from "../github/api/connect.ts";
import type { AgentTraces } from "../github/changes/change-details.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import type { ProjectInputs } from "../inputs/shared.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Fact } from "../runtime/fact.ts";
import type { GateReader } from "./gate-reader.ts";
import type { parseGateInputs } from "./inputs.ts";

/** What every run of the gate is given. */
export interface GateParts {
  inputs: ReturnType<typeof parseGateInputs>;
  context: RepositoryContext;
  connect: Connect;
  dependencies: Dependencies;
}

/** A run of the gate, and what reads for it. */
export interface GateRun extends GateParts {
  reader: GateReader;
  /** What the ledgers say. Read once; unread after a warning. */
  ledgers: () => Promise<
    Fact<{
      /** How to recognize the agent's own pull requests. */
      agents: AgentTraces;
      /** Of the ledgers of this gate's upkeep. Without a key and a `name`, of every upkeep. */
      drafts: readonly Draft[];
    }>
  >;
  /** Runs what writes to the ledger one after the other. */
  inTurn<T>(write: () => Promise<T>): Promise<T>;
}

/** A run that has a key of the service. */
export interface KeyedRun extends GateRun {
  service: ProjectInputs;
}
