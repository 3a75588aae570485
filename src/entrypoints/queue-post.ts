import { readState } from "../runtime/step-outputs.ts";

const saved = readState();
// A run that came to its end has left nothing to do, and nothing more to load.
if (saved !== null) {
  void Promise.all([import("./run-entrypoint.ts"), import("../queue/recover.ts")]).then(
    ([{ runEntrypoint }, { recoverQueue }]) =>
      runEntrypoint((read, _, dependencies) => recoverQueue(saved, read, dependencies)),
  );
}
