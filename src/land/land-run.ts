import type { Connect } from "../github/connect.ts";
import type { GitRef } from "../github/git-ref.ts";
import type { History } from "../github/history.ts";
import type { Markers } from "../github/markers.ts";
import type { LandInputs } from "../inputs/land.ts";
import type { SinglePolls } from "../job/wait.ts";
import type { LedgerStore } from "../ledger/protocol/store.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";
import type { Previews } from "../service/previews.ts";
import type { LandMarker } from "./comment.ts";
import type { LandEdit, LandLedger } from "./ledger.ts";
import type { Result } from "./record.ts";

/** What a run of land works with. */
export interface LandRun {
  inputs: LandInputs;
  /** The workflow's own, `owner/name`. */
  repository: string;
  /** Address of GitHub for people. */
  serverUrl: string;
  /** The beginning of the SHA-256 of the project's ID. */
  project: string;
  ref: GitRef;
  store: LedgerStore<LandLedger, LandEdit>;
  connect: Connect;
  historyOf(repository: string): Promise<History>;
  agent: Agent;
  polls: SinglePolls;
  previews: Previews;
  markers: Markers<LandMarker>;
  dependencies: Dependencies;
  /** Leaves to the post step what it needs should the run be killed; null: nothing. */
  remember(results: readonly Result[] | null): void;
}
