import type { RepositoryContext } from "../github/trigger/run-context.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { DoctorInputs } from "./inputs.ts";
import type { SavedTrial } from "./trial-ref.ts";

/** What a run of doctor works with. */
export interface DoctorRun {
  inputs: DoctorInputs;
  context: RepositoryContext;
  dependencies: Dependencies;
  /** Called with the trial ref before it can exist, and with null when it no longer does. */
  save: (trial: SavedTrial | null) => void;
}
