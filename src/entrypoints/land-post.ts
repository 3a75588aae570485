import { readState } from "../runtime/step-outputs.ts";

const saved = readState();
// A run that came to its end has left nothing to do, and nothing more to load.
if (saved !== null) {
  void Promise.all([import("./run-entrypoint.ts"), import("../land/run.ts")]).then(
    ([{ runEntrypoint }, { recordKilledLand }]) =>
      runEntrypoint(async (read, _, dependencies) => {
        await recordKilledLand(saved, read("github-token").trim(), dependencies);
        // The main step's failure is what counts.
        return false;
      }),
  );
}
