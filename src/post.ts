import { readState } from "./state.ts";

const state = readState();
// Nothing to do, and nothing more to load, in nearly every run: the main step has told how it came out.
if (state !== null && state.phase !== "told") {
  void Promise.all([import("./entry.ts"), import("./run.ts")]).then(([{ runEntry }, { recover }]) =>
    runEntry(async (read, given, world) => {
      await recover(read, given, world, state);
      return false;
    }),
  );
}
