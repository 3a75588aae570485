import type { SavedRun } from "../run/saved-run.ts";
import { readState } from "../runtime/step-outputs.ts";

const saved = readState() as SavedRun | null;
// Nearly every run has reported its outcome by now: there is nothing to do, and nothing more to load.
if (saved !== null && saved.phase !== "reported") {
  void Promise.all([import("./run-entrypoint.ts"), import("../run/recover.ts")]).then(
    ([{ runEntrypoint }, { recover }]) =>
      runEntrypoint((read, context, dependencies) => recover(saved, read, context, dependencies), {
        isRead: false,
      }),
  );
}
