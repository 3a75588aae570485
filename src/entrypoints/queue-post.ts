import type { SavedClaim } from "../ledger/saved-claim.ts";
import type { TaskChange } from "../queue/task-change.ts";
import { readState } from "../runtime/step-outputs.ts";

const saved = readState() as SavedClaim<TaskChange> | null;
// A run that came to its end has left nothing to do, and nothing more to load.
if (saved !== null) {
  void Promise.all([import("./run-entrypoint.ts"), import("../queue/recover.ts")]).then(
    ([{ runEntrypoint }, { recoverQueue }]) =>
      runEntrypoint((read, _, dependencies) => recoverQueue(saved, read, dependencies)),
  );
}
