import type { SavedClaim } from "../ledger/saved-claim.ts";
import { readState } from "../runtime/step-outputs.ts";
import type { UpkeepChange } from "../upkeep/ledger-change.ts";

const saved = readState() as SavedClaim<UpkeepChange> | null;
// A run that came to its end has left nothing to do, and nothing more to load.
if (saved !== null) {
  void Promise.all([import("./run-entrypoint.ts"), import("../upkeep/recover.ts")]).then(
    ([{ runEntrypoint }, { recoverUpkeep }]) =>
      runEntrypoint((read, _, dependencies) => recoverUpkeep(saved, read, dependencies)),
  );
}
